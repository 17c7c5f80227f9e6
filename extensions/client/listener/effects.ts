/** The probes of what events cause at a listener, as the command of its user shows it. */
import { setTimeout as sleep } from "node:timers/promises";
import { checkThat, HOLDS, violation } from "../../../helpers/exchange/check-result.ts";
import { type Exchange, isAccepted } from "../../../helpers/exchange/exchange.ts";
import { NotTried, TargetLost } from "../../../helpers/trials/stopped.ts";
import type { Message, ProbeName } from "./kind.ts";
import { AT_ONCE, deliver, firstOf, type Probe, type ProbeContext } from "./probe.ts";

export const effectProbes = {
  async "counts-repeated-once"(context) {
    const effect = effectOf(context);
    const [message, other] = [firstOf(context), firstOf(context)];
    const before = await effect();
    const first = await deliver(context, message);
    const once = await effect();
    if (once === before)
      throw new TargetLost(
        "not-effective",
        "the output of the effect command did not change with a new event",
      );
    await deliver(context, other);
    const both = await effect();
    // A listener that remembers only its last event takes this one for a new one.
    const again = [await deliver(context, message), await deliver(context, other)];
    if ((await effect()) !== both) return { result: countedAgain, exchanges: [...again, first] };
    const late = await replayed(context, effect);
    if (late !== undefined) return { result: countedAgain, exchanges: late };
    const beforeTwins = await effect();
    const twin = firstOf(context);
    const twins = await Promise.all([deliver(context, twin), deliver(context, twin)]);
    const [ofOne, ofTwins] = [Number(once) - Number(before), Number(await effect()) - Number(beforeTwins)];
    return ofOne !== 0 && ofTwins === 2 * ofOne
      ? { result: countedAgain, exchanges: twins }
      : { result: HOLDS, exchanges: [...again, first] };
  },

  async "loses-no-event"(context) {
    const effect = effectOf(context);
    const ofFirst = await effectOfOne(context, effect);
    // A listener that loses some events may lose just this one.
    const ofOne = ofFirst === 0 ? await effectOfOne(context, effect) : ofFirst;
    if (!(ofOne !== 0 && Number.isFinite(ofOne)))
      throw new NotTried("lacks-option", "effect in assay.config.yaml: a command that prints a number");
    const before = Number(await effect());
    const messages = Array.from({ length: AT_ONCE }, () => firstOf(context));
    const exchanges = await Promise.all(messages.map((message) => deliver(context, message)));
    const taken = exchanges.filter(isAccepted).length;
    const held = ((await settled(effect, before + taken * ofOne)) - before) / ofOne;
    const result = checkThat(held >= taken, {
      message: "events that were accepted had no effect",
      ...{ expected: `the effect of ${taken} events`, actual: `the effect of ${held} events` },
    });
    return { result, exchanges: exchanges.slice(0, 2) };
  },
} satisfies Partial<Record<ProbeName, Probe>>;

const DAY_SECONDS = 86_400;
/** The number of other events after which a listener that remembers only the latest ones has forgotten an event. */
const FORGOTTEN_AFTER = 12;

const countedAgain = violation({
  message: "an event that was sent twice had another effect than one event",
  ...{ expected: "the effect of one event", actual: "the output of the effect command changed again" },
});

/** @throws NotTried without the command of a user */
const effectOf = ({ effect }: ProbeContext): (() => Promise<string>) => {
  if (effect !== undefined) return effect;
  throw new NotTried(
    "lacks-option",
    "effect in assay.config.yaml: a command that prints what the listener holds",
  );
};

/** Milliseconds in which a listener that stores events later shows some progress. */
const PROGRESS_MS = 1_000;

/** Waits until the effect is the expected number, or does not change any more. */
const settled = async (effect: () => Promise<string>, expected: number): Promise<number> => {
  let last = Number(await effect());
  for (;;) {
    if (!(last < expected)) return last;
    await sleep(PROGRESS_MS);
    const next = Number(await effect());
    if (next === last) return next;
    last = next;
  }
};

/** Sends one event. @returns the change of the effect */
const effectOfOne = async (context: ProbeContext, effect: () => Promise<string>): Promise<number> => {
  const before = Number(await effect());
  await deliver(context, firstOf(context));
  return (await settled(effect, before + 1)) - before;
};

/**
 * Sends an event of yesterday, many others, and the event again.
 * @returns the exchanges if the listener counts it again
 */
const replayed = async (
  context: ProbeContext,
  effect: () => Promise<string>,
): Promise<readonly Exchange[] | undefined> => {
  const [old] = context.kind.messages(context.draw(), DAY_SECONDS) as [Message];
  const first = await deliver(context, old);
  for (let time = 0; time < FORGOTTEN_AFTER; time += 1) await deliver(context, firstOf(context));
  const before = await effect();
  const again = await deliver(context, old);
  return (await effect()) === before ? undefined : [again, first];
};
