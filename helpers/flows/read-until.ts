/** Repeats a read until it shows what a call caused, because the documents do not state when a change shows. */
import type { TrialClock } from "./clock.ts";
import { type Patience, waitUntil } from "./wait-until.ts";

const SOON: Patience = { everySeconds: 1, limitSeconds: 5 };

/**
 * Every read that could convict after a call that changes something goes through this function. A read that shows the
 * change at once is not repeated.
 * @returns the first value for which `isShown` holds, or the last value before the time limit
 */
export const readUntil = async <Value>(
  { clock }: { readonly clock: TrialClock },
  read: () => Promise<Value>,
  isShown: (value: Value) => boolean | Promise<boolean>,
  patience: Patience = SOON,
): Promise<Value> => {
  let last: { readonly value: Value } | undefined;
  const attempt = async (): Promise<{ readonly value: Value } | undefined> => {
    last = { value: await read() };
    return (await isShown(last.value)) ? last : undefined;
  };
  await waitUntil(clock, attempt, patience);
  return (last as { readonly value: Value } | undefined)?.value as Value;
};
