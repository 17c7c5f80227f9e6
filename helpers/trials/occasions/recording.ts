/** Records on a tape what a trial gets from its context. */
import { getOrInsert } from "../../contract/memoize.ts";
import type { TrialClock } from "../../flows/clock.ts";
import type { Delivery } from "../../flows/delivery.ts";
import type { Receiver } from "../../flows/receiver.ts";
import type { Capabilities } from "../../target/capabilities.ts";
import type { Arranger, Demand } from "../arrange.ts";
import type { Property } from "../property.ts";
import type { TrialContext } from "../trial.ts";
import { ADDRESS, addTo, DELIVERIES, newTape, OUTSIDE, type Sent, SITUATION, type Tape } from "./tape.ts";

/** The values that trials share, by their owner, each with the tape of its making. */
export type SharedValues = WeakMap<object, { readonly tape: Tape; readonly value: unknown }>;

/** @param tape the tape that runs along; `undefined` if the trial does not run again: a tape keeps all its answers */
export const recording = (
  context: TrialContext,
  tape: Tape | undefined,
  shared: SharedValues,
): TrialContext => (tape === undefined ? sharing(context, shared) : taping(context, tape, shared));

const sharing = (context: TrialContext, shared: SharedValues): TrialContext => ({
  ...context,
  once: (owner, make) => sharedOf(context, owner, make, shared).value as ReturnType<typeof make>,
});

const taping = (context: TrialContext, tape: Tape, shared: SharedValues): TrialContext => ({
  ...context,
  async send(call) {
    const sent: Sent = { call };
    tape.sent.push(sent);
    try {
      const value = await context.send(call);
      sent.outcome = { value };
      return value;
    } catch (error) {
      sent.outcome = { error };
      throw error;
    }
  },
  arrange: recordingArranger(context.arrange, tape, ""),
  clock: recordingClock(context.clock, tape),
  property: recordingProperty(context.property, tape),
  capabilities: recordingCapabilities(context.capabilities, tape),
  receiver: async () => recordingReceiver(await context.receiver(), tape, "receiver"),
  secureReceiver: async (tls) =>
    recordingReceiver(await context.secureReceiver(tls), tape, nameOfNext(tape, "secure receiver")),
  generated: (name, make) => noted(tape, `generated ${name}`, make()),
  outside: (name, ask) => noted(tape, `${OUTSIDE}${name}`, context.outside(name, ask)),
  once(owner, make) {
    const known = sharedOf(context, owner, make, shared);
    tape.uses.add(known.tape);
    return known.value as ReturnType<typeof make>;
  },
});

/** Returns the shared value of the owner; makes it if it is missing. */
const sharedOf = (
  context: TrialContext,
  owner: object,
  make: (context: TrialContext) => unknown,
  shared: SharedValues,
): { readonly tape: Tape; readonly value: unknown } =>
  getOrInsert(shared, owner, () => {
    const tape = newTape();
    return { tape, value: make(taping(context, tape, shared)) };
  });

export const nameOfNext = ({ opened }: Tape, kind: string): string => {
  const count = (opened.get(kind) ?? 0) + 1;
  opened.set(kind, count);
  return `${kind} ${count}`;
};

const noted = async <Value>({ results }: Tape, key: string, asked: Promise<Value>): Promise<Value> => {
  try {
    const value = await asked;
    addTo(results, key, { value });
    return value;
  } catch (error) {
    addTo(results, key, { error });
    throw error;
  }
};

/** @param prefix the branch of the arranger */
const recordingArranger = (arranger: Arranger, tape: Tape, prefix: string): Arranger => {
  let count = 0;
  return {
    ...arranger,
    get: (resource, demand) =>
      noted(tape, arrangedKey(prefix, "get", resource, demand), arranger.get(resource, demand)),
    need: (resource, demand) =>
      noted(tape, arrangedKey(prefix, "need", resource, demand), arranger.need(resource, demand)),
    exclusive() {
      count += 1;
      return recordingArranger(arranger.exclusive(), tape, `${prefix}/${count}`);
    },
    mutable: () => recordingArranger(arranger.mutable(), tape, `${prefix}/mutable`),
    others: () => recordingArranger(arranger.others(), tape, `${prefix}/others`),
  };
};

export const arrangedKey = (prefix: string, way: string, resource: string, demand: Demand = {}) =>
  `${prefix} ${way} ${resource} ${JSON.stringify(demand)}`;

const recordingClock = (clock: TrialClock, { results }: Tape): TrialClock => ({
  now() {
    const value = clock.now();
    addTo(results, "now", { value });
    return value;
  },
  get ahead() {
    const value = clock.ahead;
    addTo(results, "ahead", { value });
    return value;
  },
  pass: clock.pass,
  rest: clock.rest,
});

const recordingProperty = ({ tries }: Property, { values }: Tape): Property => ({
  tries: (name, arbitrary, predicate, callBudget) =>
    tries(
      name,
      arbitrary,
      (value) => {
        addTo(values, name, value);
        return predicate(value);
      },
      callBudget,
    ),
});

const recordingCapabilities = (capabilities: Capabilities, tape: Tape): Capabilities => ({
  ...capabilities,
  arrange: (situation, parameters) =>
    noted(tape, situationKey(situation, parameters), capabilities.arrange(situation, parameters)),
});

export const situationKey = (situation: string, parameters?: Readonly<Record<string, unknown>>): string =>
  `${SITUATION}${situation} ${JSON.stringify(parameters ?? {})}`;

const recordingReceiver = (receiver: Receiver, { results, sent }: Tape, name: string): Receiver => {
  const kept = (key: string, deliveries: readonly Delivery[]): Delivery[] => {
    const value = [...deliveries];
    addTo(results, deliveriesKey(name, key), { value, sent: sent.length });
    return value;
  };
  addTo(results, `${name} url`, { value: receiver.url });
  return {
    url: receiver.url,
    get deliveries() {
      return kept("all", receiver.deliveries);
    },
    about: (identifier) => kept(`about ${identifier}`, receiver.about(identifier)),
    wait: async (identifier, limitMs, count) =>
      kept(`wait ${identifier}`, await receiver.wait(identifier, limitMs, count)),
    address() {
      const value = receiver.address();
      addTo(results, `${ADDRESS}${name}`, { value });
      return value;
    },
    close: receiver.close,
  };
};

export const deliveriesKey = (name: string, key: string): string => `${name}${DELIVERIES}${key}`;
