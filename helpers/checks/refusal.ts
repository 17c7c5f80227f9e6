/** Checks that a probe was refused, or accepted, as required. The control must be accepted. */
import { type CheckResult, HOLDS, violation } from "../exchange/check-result.ts";
import { type Exchange, isAccepted, statusOf, statusWords } from "../exchange/exchange.ts";

interface Probe {
  /** The place and kind of the probe, for the message: `consumer.firstName: one character too long`. */
  readonly what: string;
  readonly pointer: string;
  /** The JSON Schema keyword that the probe tests. */
  readonly keyword?: string;
  /** How plain an example the probe is: 0 for the plainest. */
  readonly rank?: number;
}

/**
 * Checks a refusal, which proves something only if the control was accepted.
 * @param statuses the documented statuses of a refusal
 * @param words a description of these statuses, for the message
 * @returns `undefined` when the probe and its control were both refused, which shows nothing
 */
export const checkRefused = (
  { what, ...at }: Probe,
  probe: Exchange,
  control: Exchange,
  statuses: readonly number[],
  words: string = statusWords(statuses),
): CheckResult | undefined => {
  const expected = `refused with ${words}`;
  const wasTaken = isAccepted(probe);
  if (!wasTaken && !isAccepted(control)) return undefined;
  if (statuses.includes(statusOf(probe)) || isOfNoMediaType(probe)) return HOLDS;
  return violation({
    ...at,
    alone: true,
    message: `${what} was ${wasTaken ? "accepted" : "not refused as documented"}`,
    expected,
    actual: answerOf(probe),
  });
};

/** Whether a server that takes some media types says so of a call that sends none (RFC 9110, 15.5.16). */
export const isOfNoMediaType = (exchange: Exchange): boolean =>
  statusOf(exchange) === 415 &&
  !["GET", "HEAD"].includes(exchange.request.method) &&
  !Object.keys(exchange.request.headers).some((name) => name.toLowerCase() === "content-type");

/** @returns `undefined` when the probe and its control were both refused, which shows nothing */
export const checkAccepted = (
  { what, ...at }: Probe,
  probe: Exchange,
  control: Exchange,
): CheckResult | undefined => {
  if (isAccepted(probe)) return HOLDS;
  if (!isAccepted(control)) return undefined;
  return violation({
    ...at,
    alone: true,
    message: `${what} was refused`,
    expected: "accepted, like the same request without it",
    actual: answerOf(probe),
  });
};

/**
 * Suspects a server that calls a request wrong whose query has a value that the schema allows.
 * @returns `undefined` when the refusal may have another cause
 */
export const checkAllowed = (name: string, probe: Exchange, control: Exchange): CheckResult | undefined => {
  const result = checkAccepted(
    { what: `a value of ${name} that the schema allows`, pointer: name },
    probe,
    control,
  );
  if (result?.holds !== false) return result;
  return [400, 422].includes(statusOf(probe)) ? { ...result, suspected: true } : undefined;
};

const answerOf = (probe: Exchange): string =>
  probe.failure === undefined ? `${statusOf(probe)}` : `no answer: ${probe.failure.message}`;
