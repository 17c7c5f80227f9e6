/** Waits after a 429 or 503, which asks the client to retry later and violates no requirement (RFC 9110, 15.6.4). */
import { setTimeout as wait } from "node:timers/promises";
import type { Exchange } from "../exchange/exchange.ts";
import type { Call } from "./call.ts";
import { type Endurance, isInterruption } from "./endurance.ts";

/**
 * Sends again after the delay that the server requests.
 * @param count receives the exchange of every attempt
 * @throws TargetLost when the target asks for too long a wait, or interrupts too often
 */
export const waitOutInterruptions = async (
  send: () => Promise<Exchange>,
  mode: Call["interruptions"],
  endurance: Endurance,
  count: (exchange: Exchange) => void = () => undefined,
): Promise<Exchange> => {
  for (let attempt = 1; ; attempt++) {
    const exchange = await send();
    count(exchange);
    if (mode === "return" || !isInterruption(exchange)) return exchange;
    await wait(endurance.secondsToWait(exchange, attempt) * 1000);
  }
};
