/** Waits after a 429 or 503, which asks the client to retry later and violates no requirement (RFC 9110, 15.6.4). */
import { setTimeout as wait } from "node:timers/promises";
import { INTERRUPTIONS } from "../checks/documented-status.ts";
import { type Exchange, statusOf } from "../exchange/exchange.ts";
import { TargetLost } from "./stopped.ts";

const ATTEMPTS = 4;
const LONGEST_WAIT_S = 30;

/**
 * Sends again after the delay that the server requests.
 * @param count receives the exchange of every attempt
 * @throws TargetLost when the fourth attempt is interrupted too
 */
export const waitOutInterruptions = async (
  send: () => Promise<Exchange>,
  mode: "wait-out" | "return" = "wait-out",
  count: (exchange: Exchange) => void = () => undefined,
): Promise<Exchange> => {
  for (let attempt = 1; ; attempt++) {
    const exchange = await send();
    count(exchange);
    if (mode === "return" || !INTERRUPTIONS.includes(statusOf(exchange))) return exchange;
    if (attempt === ATTEMPTS) {
      throw new TargetLost(
        `the target answered ${statusOf(exchange)} ${ATTEMPTS} times: lower MAX_REQUESTS_PER_SECOND or try later`,
      );
    }
    await wait(secondsToWait(exchange, attempt) * 1000);
  }
};

/** Returns the delay in Retry-After, seconds or date (RFC 9110, 10.2.3); without one, the delay doubles each time. */
const secondsToWait = (exchange: Exchange, attempt: number): number => {
  const header = exchange.response?.headers["retry-after"];
  const asked = header === undefined ? 2 ** (attempt - 1) : secondsIn(header);
  return Math.min(Math.max(asked, 0), LONGEST_WAIT_S);
};

const secondsIn = (header: string): number => {
  if (/^\d+$/.test(header)) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? 1 : (date - Date.now()) / 1000;
};
