/** Notices clients that leave before they get an answer. */
import type { IncomingMessage, ServerResponse } from "node:http";

/** Milliseconds until a client on this machine has refused data. */
const REFUSAL_MS = 2;

/**
 * Notices a client that leaves before the answer. A client that only closes its half of the connection still reads, but
 * both look alike at first. Interim responses (RFC 9110, 15.2) tell them apart: the system of a client that left refuses
 * the first one, and then the second one fails.
 */
export const noticeLeaving = ({ socket }: IncomingMessage, outgoing: ServerResponse) => {
  let begun = false;
  const send = (): void => {
    if (!outgoing.headersSent && !outgoing.destroyed) outgoing.writeProcessing();
  };
  const ask = (): void => {
    begun = true;
    send();
    setTimeout(send, REFUSAL_MS).unref();
  };
  if (socket.readableEnded) ask();
  socket.once("end", ask);
  outgoing.once("close", () => socket.off("end", ask));
  return { hasBegun: () => begun };
};
