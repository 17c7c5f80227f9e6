/** Sends a request without an answer once more, on a new connection. */
import type { ClientRequest } from "../exchange/draft.ts";
import { type Exchange, isUnanswered } from "../exchange/exchange.ts";
import type { Call } from "./call.ts";

export const createRepeater = () => {
  let lost = 0;
  let late = 0;
  return async (
    request: ClientRequest,
    call: Call,
    send: (request: ClientRequest) => Promise<Exchange>,
  ): Promise<Exchange> => {
    const connection = connectionOf(request, lost);
    const exchange = await send(connection === undefined ? request : { ...request, connection });
    if (exchange.failure?.kind === "connection-lost") lost += 1;
    if (exchange.failure?.kind === "timeout") late += 1;
    // A server that hangs is not worth a second wait for each request.
    if (late > LATE_MOST) return exchange;
    // A server may close a connection at any time, even while a request is on its way (RFC 9112, 9.5).
    if (!mayRepeat(exchange, request, call)) return exchange;
    const again = await send({ ...request, connection: "new" });
    return exchange.failure?.kind === "connection-lost" ? { ...again, afterLoss: true } : again;
  };
};

/** A server may close an idle connection at any time, and a request that may do harm is not repeated. */
const connectionOf = (request: ClientRequest, lost: number): ClientRequest["connection"] => {
  if (isHarmless(request)) return lost >= LOST_MOST ? "new" : undefined;
  return lost > 0 ? "new" : "recent";
};

/** The number of lost connections after which each request gets a new one. */
const LOST_MOST = 3;

/** The number of requests without an answer in time that are sent again. */
const LATE_MOST = 2;

/** Whether a second request costs nothing, destroys nothing and locks nothing. */
const isHarmless = ({ risk, hazards = [] }: ClientRequest): boolean =>
  (risk === undefined || !("account" in risk)) && hazards.length === 0;

/** Whether to send a request without an answer again. */
const mayRepeat = (exchange: Exchange, request: ClientRequest, { abandon, unanswered }: Call): boolean =>
  isUnanswered(exchange) && abandon === undefined && unanswered === undefined && isHarmless(request);
