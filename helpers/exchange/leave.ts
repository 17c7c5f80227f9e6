/** Sends a request and disconnects before the answer comes, as a client does that runs into its time limit. */
import http from "node:http";
import https from "node:https";
import type { SentRequest } from "./exchange.ts";

/**
 * @param request as an exchange recorded it, headers included
 * @returns `before the answer`; or `after the answer` when the server was quicker
 * @throws when the request could not be written
 */
export const sendAndLeave = ({ method, url, headers, body }: SentRequest): Promise<Left> =>
  new Promise((resolve, reject) => {
    const { request } = url.startsWith("https:") ? https : http;
    // A connection of its own: closing a shared one would break off others' requests.
    const sent = request(url, { method, headers: withoutFraming(headers), agent: false });
    sent.on("error", reject);
    sent.on("response", () => {
      resolve("after the answer");
      sent.destroy();
    });
    // What was handed over arrives before the end of the connection does.
    sent.end(body, () => {
      sent.off("error", reject).on("error", () => {});
      resolve("before the answer");
      sent.destroy();
    });
  });

export type Left = "before the answer" | "after the answer";

/** The connection is another one, and the length is counted anew. */
const withoutFraming = (headers: SentRequest["headers"]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => !["connection", "content-length", "transfer-encoding"].includes(name),
    ),
  );
