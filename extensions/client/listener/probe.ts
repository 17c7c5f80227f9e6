/** What the probes of listeners share: their context, and the results of single messages. */
import { type CheckResult, checkThat } from "../../../helpers/exchange/check-result.ts";
import { type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import type { ListenerKind, Message } from "./kind.ts";
import type { ListenerSender } from "./sender.ts";

export interface ProbeContext {
  readonly kind: ListenerKind;
  readonly url: string;
  readonly sender: ListenerSender;
  /** Returns what the listener holds; absent if the user gave no command for that. */
  readonly effect?: () => Promise<string>;
  /** Milliseconds for which a slow sender sends nothing. */
  readonly pauseMs: number;
  /** Returns a number that no probe of this run has used. */
  draw(): number;
}

/**
 * Returns the result with the exchanges that show it, the judged exchange first.
 * @throws NotTried when something is missing, TargetLost when the listener does not respond as the probe needs
 */
export type Probe = (
  context: ProbeContext,
) => Promise<{ readonly result: CheckResult; readonly exchanges: readonly Exchange[] }>;

export const deliver = (
  { url, sender }: ProbeContext,
  { body }: Message,
  more: Partial<Parameters<ListenerSender["send"]>[0]> = {},
): Promise<Exchange> => sender.send({ url, body: JSON.stringify(body), ...more });

export const firstOf = ({ kind, draw }: ProbeContext): Message => kind.messages(draw())[0] as Message;

export const answerOf = (exchange: Exchange): string =>
  exchange.failure === undefined ? String(statusOf(exchange)) : exchange.failure.kind;

/** One message, and the result that it shows. */
export interface Answered {
  readonly result: CheckResult;
  readonly exchange: Exchange;
}

/** Checks that the listener accepted a message. */
export const accepted = (what: string, exchange: Exchange): Answered =>
  answered(exchange, isAccepted(exchange), `${what} was not accepted`, "a 2xx status");

/** Checks that the listener refused a message with a client error. */
export const refused = (what: string, exchange: Exchange): Answered => {
  const status = statusOf(exchange);
  const isRefused = (status >= 400 && status < 500) || status === 501;
  return answered(exchange, isRefused, `${what} was not refused with a client error`, "a client error");
};

const answered = (exchange: Exchange, holds: boolean, message: string, expected: string): Answered => ({
  exchange,
  result: checkThat(holds, { pointer: "", message, expected, actual: answerOf(exchange) }),
});

/** The number of events of a probe that sends many at once. */
export const AT_ONCE = 50;
