/** Runs a trial again from its tape, with one exchange or delivery changed. Nothing is sent, and no time passes. */
import type { Exchange } from "../../exchange/exchange.ts";
import type { TrialClock } from "../../flows/clock.ts";
import { carries, type Delivery } from "../../flows/delivery.ts";
import type { Receiver } from "../../flows/receiver.ts";
import type { Capabilities } from "../../target/capabilities.ts";
import type { Arranger } from "../arrange.ts";
import type { Call } from "../call.ts";
import type { Judge } from "../judge.ts";
import type { Property } from "../property.ts";
import type { TrialContext } from "../trial.ts";
import type { Arranged } from "../unarranged.ts";
import { reduced } from "./effort.ts";
import type { ReadingNotes } from "./reads.ts";
import { arrangedKey, deliveriesKey, nameOfNext, type SharedValues, situationKey } from "./recording.ts";
import {
  ADDRESS,
  deliveriesOn,
  exchangesOn,
  keyOf,
  newTape,
  OUTSIDE,
  type Outcome,
  type Sent,
  type Tape,
} from "./tape.ts";

/**
 * The differences from what happened: other exchanges, lists of deliveries in place of one delivery, or other values from
 * outside of the API.
 */
export type Change = ReadonlyMap<object, unknown>;

/** The trial asked for something that did not happen, so its further calls differ. */
class OffTape extends Error {
  override readonly name = "OffTape";
}

interface Replay {
  readonly change: Change;
  readonly judge: Judge;
  readonly shared: SharedValues;
  /** Notes what the trial reads. */
  readonly notes?: ReadingNotes;
}

export const replaying = (context: TrialContext, tape: Tape, replay: Replay): TrialContext => {
  const { change, judge, shared } = replay;
  const made = new Map<object, unknown>();
  const opened = newTape();
  const next = nextOn(tape);
  const deliveries = deliveriesFrom(tape, next, change);
  return {
    ...context,
    judge,
    session: {},
    send: sender(tape, replay),
    arrange: replayingArranger(context.arrange, next, ""),
    clock: replayingClock(next, tape),
    property: replayingProperty(tape),
    capabilities: replayingCapabilities(context.capabilities, next),
    receiver: async () => replayingReceiver("receiver", next, deliveries),
    secureReceiver: async () => replayingReceiver(nameOfNext(opened, "secure receiver"), next, deliveries),
    learn: () => undefined,
    async generated(name, make) {
      const { outcome } = next(`generated ${name}`);
      return outcome === undefined ? make() : outcomeValue(outcome, name);
    },
    async outside(name) {
      const value = outcomeValue<object>(next(`${OUTSIDE}${name}`).outcome, name);
      return (change.get(value) ?? value) as never;
    },
    once(owner, make) {
      const known = shared.get(owner);
      if (known !== undefined && isUnchanged(known.tape, replay))
        return known.value as ReturnType<typeof make>;
      if (known !== undefined && isState(known))
        return structuredClone(known.value) as ReturnType<typeof make>;
      if (!made.has(owner))
        made.set(owner, make(replaying(context, known?.tape ?? newTape(), { ...replay })));
      return made.get(owner) as ReturnType<typeof make>;
    },
  };
};

/** Whether a shared value can be used as it is. One that needed no exchange may change while trials run. */
const isUnchanged = (tape: Tape, { change, notes }: Pick<Replay, "change" | "notes">): boolean =>
  notes === undefined &&
  !isEmpty(tape) &&
  !exchangesOn(tape).some((exchange) => change.has(exchange)) &&
  [...tape.uses].every((used) => isEmpty(used) || isUnchanged(used, { change }));

/** Whether a shared value is plain data that trials note, and that needed no exchange. */
const isState = ({ tape, value }: { readonly tape: Tape; readonly value: unknown }): boolean =>
  isEmpty(tape) && isPlain(value);

const isEmpty = ({ sent, uses }: Tape): boolean => sent.length + uses.size === 0;

const isPlain = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  (value instanceof Map || Object.values(value).every((field) => typeof field === "boolean"));

/** Returns the next result of a name, and whether no call followed it. The last result is repeated. */
type Next = (key: string) => { readonly outcome: Outcome | undefined; readonly isLast: boolean };

const nextOn = ({ results }: Tape): Next => {
  const used = new Map<string, number>();
  return (key) => {
    const list = results.get(key);
    const at = used.get(key) ?? 0;
    used.set(key, at + 1);
    const outcome = list?.[at] ?? list?.at(-1);
    return { outcome, isLast: outcome?.sent === list?.at(-1)?.sent };
  };
};

const outcomeValue = <Value>(outcome: Outcome | undefined, key: string): Value => {
  if (outcome === undefined) throw new OffTape(key);
  if ("error" in outcome) throw outcome.error;
  return outcome.value as Value;
};

const sender = (tape: Tape, { change, notes }: Replay): TrialContext["send"] => {
  const left = [...tape.sent];
  const last = new Map<string, Sent>();
  let count = 0;
  const take = (call: Call): Sent | undefined => {
    const key = keyOf(call);
    const exact = left.findIndex((sent) => keyOf(sent.call) === key);
    // The contents of some calls are random, such as those that are encrypted.
    const at = exact >= 0 || last.has(key) ? exact : left.findIndex((sent) => isAlike(sent, call, key));
    const [sent = last.get(key)] = at < 0 ? [] : left.splice(at, 1);
    if (sent !== undefined) last.set(key, sent);
    return sent;
  };
  return async (call) => {
    count += 1;
    const sent = count > 2 * tape.sent.length + MOST_FURTHER ? undefined : take(call);
    const exchange = outcomeValue<Exchange>(sent?.outcome, call.operationId);
    return (change.get(exchange) as Exchange | undefined) ?? notes?.watch(exchange) ?? reduced(exchange);
  };
};

/** The number of further calls, after twice the number of calls of the trial, that end a run from the tape. */
const MOST_FURTHER = 20;

const isAlike = ({ call }: Sent, { operationId }: Call, key: string): boolean =>
  call.operationId === operationId && withoutCipher(keyOf(call)) === withoutCipher(key);

/** Replaces compact JWEs, which differ each time. */
const withoutCipher = (text: string): string => text.replaceAll(/eyJ[\w-]+(\.[\w-]*){4}/g, "JWE");

const replayingArranger = (arranger: Arranger, next: Next, prefix: string): Arranger => {
  let count = 0;
  return {
    ...arranger,
    async get(resource, demand) {
      const key = arrangedKey(prefix, "get", resource, demand);
      return outcomeValue<Arranged>(next(key).outcome, key);
    },
    async need(resource, demand) {
      const key = arrangedKey(prefix, "need", resource, demand);
      return outcomeValue<string>(next(key).outcome, key);
    },
    exclusive() {
      count += 1;
      return replayingArranger(arranger, next, `${prefix}/${count}`);
    },
    mutable: () => replayingArranger(arranger, next, `${prefix}/mutable`),
    others: () => replayingArranger(arranger, next, `${prefix}/others`),
  };
};

const replayingClock = (next: Next, { sent }: Tape): TrialClock => {
  let passes = 0;
  const pass = async (): Promise<void> => {
    passes += 1;
    if (passes > sent.length + MOST_FURTHER) throw new OffTape("the trial waits longer");
  };
  return {
    now: () => outcomeValue<number>(next("now").outcome, "now"),
    get ahead() {
      return outcomeValue<number>(next("ahead").outcome, "ahead");
    },
    pass,
    rest: pass,
  };
};

const replayingProperty = ({ values }: Tape): Property => ({
  async tries(name, _, predicate) {
    for (const value of values.get(name) ?? []) {
      if (!(await predicate(value as never))) return;
    }
  },
});

const replayingCapabilities = (capabilities: Capabilities, next: Next): Capabilities => {
  const { linkAccounts, advanceClock, settleDeliveries, resolveReceiver } = capabilities;
  const nothing = async (): Promise<void> => undefined;
  return {
    ...capabilities,
    async arrange(situation, parameters) {
      const key = situationKey(situation, parameters);
      return outcomeValue<Record<string, string>>(next(key).outcome, key);
    },
    ...(linkAccounts && { linkAccounts: nothing }),
    ...(advanceClock && { advanceClock: nothing }),
    ...(settleDeliveries && { settleDeliveries: nothing }),
    ...(resolveReceiver && { resolveReceiver: nothing }),
  };
};

const deliveriesFrom = (tape: Tape, next: Next, change: Change) => {
  const further = (change.get(FURTHER) ?? []) as readonly Delivery[];
  const changed = (list: readonly Delivery[]): Delivery[] =>
    list.flatMap((one) => (change.get(one) as readonly Delivery[] | undefined) ?? [one]);
  /** Returns the deliveries of a receiver at a point of the trial. */
  return (key: string, identifier?: string): Delivery[] => {
    const { outcome, isLast } = next(key);
    const list =
      outcome === undefined
        ? deliveriesOn(tape).filter((one) => identifier === undefined || carries(one, identifier))
        : outcomeValue<Delivery[]>(outcome, key);
    const late = isLast ? further.filter((one) => identifier === undefined || carries(one, identifier)) : [];
    return [...changed(list), ...late];
  };
};

/** The key of deliveries that did not come, and would be read last. */
export const FURTHER = {};

const replayingReceiver = (name: string, next: Next, at: ReturnType<typeof deliveriesFrom>): Receiver => ({
  url: outcomeValue<string>(next(`${name} url`).outcome, name),
  get deliveries() {
    return at(deliveriesKey(name, "all"));
  },
  about: (identifier) => at(deliveriesKey(name, `about ${identifier}`), identifier),
  wait: async (identifier) => at(deliveriesKey(name, `wait ${identifier}`), identifier),
  address: () => outcomeValue<string>(next(`${ADDRESS}${name}`).outcome, name),
  close: async () => undefined,
});
