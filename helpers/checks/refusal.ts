/** Whether a probe was refused, or accepted, as it has to be: shown by the probe and its accepted control together. */
import { type Exchange, isAccepted, statusOf } from "../exchange/exchange.ts";
import { type CheckResult, HOLDS, violation } from "./check.ts";

interface Probe {
  /** What was tried and where, for the message: `consumer.firstName: one character too long`. */
  readonly what: string;
  readonly pointer: string;
  /** JSON Schema keyword that the probe was drawn for. */
  readonly keyword?: string;
}

/**
 * A refusal proves something only next to an acceptance.
 * @param statuses of the documented refusals
 * @param words what is said of them in place of a list
 * @returns `undefined` when the probe was refused but its control was too: nothing is shown
 */
export const checkRefused = (
  { what, ...at }: Probe,
  probe: Exchange,
  control: Exchange,
  statuses: readonly number[],
  words: string = statuses.join(" or "),
): CheckResult | undefined => {
  const expected = `refused with ${words}`;
  if (isAccepted(probe)) {
    return violation({ ...at, message: `${what} was accepted`, expected, actual: `${statusOf(probe)}` });
  }
  if (!isAccepted(control)) return undefined;
  if (statuses.includes(statusOf(probe))) return HOLDS;
  return violation({
    ...at,
    message: `${what} was not refused as documented`,
    expected,
    actual: answerOf(probe),
  });
};

/** @returns `undefined` when the probe was refused but its control was too: nothing is shown */
export const checkAccepted = (
  { what, ...at }: Probe,
  probe: Exchange,
  control: Exchange,
): CheckResult | undefined => {
  if (isAccepted(probe)) return HOLDS;
  if (!isAccepted(control)) return undefined;
  return violation({
    ...at,
    message: `${what} was refused`,
    expected: "accepted, as the same request without that is",
    actual: answerOf(probe),
  });
};

const answerOf = (probe: Exchange): string =>
  probe.failure === undefined ? `${statusOf(probe)}` : `no answer: ${probe.failure.message}`;
