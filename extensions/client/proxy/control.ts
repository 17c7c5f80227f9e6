/** The addresses of the proxy itself: its clock, and the page with the state of the recording. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { outsider } from "../../../mocks/engine/admin/outsiders.ts";
import type { RecordingClock } from "./clock.ts";
import { sendJson } from "./reply.ts";

export const CONTROL_PATH = "/__assay/";
export const CLOCK_PATH = `${CONTROL_PATH}clock`;

export type Control = (incoming: IncomingMessage, outgoing: ServerResponse) => void | Promise<void>;

/**
 * @param others further addresses, by path
 * @param names host names under which clients on other machines reach the proxy
 */
export const createControl =
  (clock: RecordingClock, others: Readonly<Record<string, Control>>, names: readonly string[]): Control =>
  async (incoming, outgoing) => {
    const reason = outsider(incoming, names);
    if (reason !== undefined) return sendJson(outgoing, 403, { message: reason });
    const url = new URL(incoming.url ?? "/", "http://proxy");
    if (url.pathname !== CLOCK_PATH) {
      const other = others[url.pathname];
      if (other !== undefined) return other(incoming, outgoing);
      outgoing.writeHead(404).end();
      return;
    }
    clock.use();
    const text = url.searchParams.get("until");
    if (text !== null) {
      const until = Number(text);
      if (Number.isNaN(Number(new Date(until)))) {
        outgoing.writeHead(400).end(`"until" is no time in milliseconds since 1970: ${text}`);
        return;
      }
      const gone = new AbortController();
      outgoing.once("close", () => gone.abort());
      // A sleeping client lets the time pass; a client with a time limit waits until others let it pass.
      await (incoming.method === "POST" ? clock.moveTo : clock.reached)(until, gone.signal);
    }
    sendJson(outgoing, 200, { now: Math.ceil(clock.now()) });
  };
