/** Sends a request and disconnects before the response, like a client that reaches its time limit. */
import http from "node:http";
import https from "node:https";
import type { ConnectionSettings } from "./connections.ts";
import { tunnelTo } from "./connections.ts";
import { type Draft, exchangeOf } from "./draft.ts";
import type { Exchange } from "./exchange.ts";
import { failureOf } from "./failure.ts";

/**
 * Ends the exchange with the failure `abandoned`, which states whether the response came first, or with the error of
 * sending.
 */
export const sendAndLeave = async (draft: Draft, settings?: ConnectionSettings): Promise<Exchange> => {
  const { method, url, headers } = draft.request;
  const startedAt = new Date();
  const began = performance.now();
  const endedBy = (failure: NonNullable<Exchange["failure"]>): Exchange =>
    exchangeOf(draft, { failure, startedAt, durationMs: performance.now() - began });
  const failed = (error: Error): Exchange => endedBy(failureOf(error, new URL(url).origin, settings?.proxy));
  try {
    const tunnel = settings?.proxy && (await tunnelTo(new URL(url), settings.proxy, settings));
    const { request } = url.startsWith("https:") ? https : http;
    return await new Promise((resolve) => {
      const leave = (when: string): void => {
        resolve(endedBy({ kind: "abandoned", message: `the client disconnected ${when}` }));
        sent.destroy();
      };
      // Uses a separate connection, because closing a shared connection would abort other requests.
      const connection = tunnel ? { createConnection: () => tunnel } : { agent: false, ...settings?.tls };
      const sent = request(url, { method, headers, ...connection });
      sent.on("error", (error) => resolve(failed(error)));
      sent.on("response", () => leave("after the answer"));
      // The server receives the written data before the end of the connection.
      sent.end(draft.bytes, () => leave("before the answer"));
    });
  } catch (error) {
    return failed(error as Error);
  }
};
