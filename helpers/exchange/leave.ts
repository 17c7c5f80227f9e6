/** Sends a request and disconnects before the response, like a client that reaches its time limit. */
import http from "node:http";
import https from "node:https";
import { type Draft, exchangeOf } from "./draft.ts";
import type { Exchange } from "./exchange.ts";
import { failureOf } from "./failure.ts";

/**
 * Ends the exchange with the failure `abandoned`, which states whether the response came first, or with the error of
 * sending.
 */
export const sendAndLeave = (draft: Draft): Promise<Exchange> =>
  new Promise((resolve) => {
    const { method, url, headers } = draft.request;
    const startedAt = new Date();
    const began = performance.now();
    const end = (failure: NonNullable<Exchange["failure"]>): void =>
      resolve(exchangeOf(draft, { failure, startedAt, durationMs: performance.now() - began }));
    const leave = (when: string): void => {
      end({ kind: "abandoned", message: `the client disconnected ${when}` });
      sent.destroy();
    };
    const { request } = url.startsWith("https:") ? https : http;
    // Uses a separate connection, because closing a shared connection would abort other requests.
    const sent = request(url, { method, headers, agent: false });
    sent.on("error", (error) => end(failureOf(error, new URL(url).origin)));
    sent.on("response", () => leave("after the answer"));
    // The server receives the written data before the end of the connection.
    sent.end(draft.bytes, () => leave("before the answer"));
  });
