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

export const accepted = (what: string, exchange: Exchange): Answered => ({
  exchange,
  result: checkThat(isAccepted(exchange), {
    pointer: "",
    message: `${what} was not accepted`,
    ...{ expected: "a 2xx status", actual: answerOf(exchange) },
  }),
});

/** Checks that the listener refused a message with a client error. */
export const refused = (what: string, exchange: Exchange): Answered => {
  const status = statusOf(exchange);
  const result = checkThat((status >= 400 && status < 500) || status === 501, {
    pointer: "",
    message: `${what} was not refused with a client error`,
    ...{ expected: "a client error", actual: answerOf(exchange) },
  });
  return { result, exchange };
};

/** The number of events of a probe that sends many at once. */
export const AT_ONCE = 50;
