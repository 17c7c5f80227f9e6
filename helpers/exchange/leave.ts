/** Sends a request and disconnects before the answer comes, as a client does that runs into its time limit. */
import http from "node:http";
import https from "node:https";
import { type Draft, exchangeOf } from "./draft.ts";
import type { Exchange } from "./exchange.ts";
import { failureOf } from "./failure.ts";

/** The exchange ends as `abandoned`, which says whether the server was quicker; or with why nothing could be sent. */
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
    // A connection of its own: closing a shared one would break off others' requests.
    const sent = request(url, { method, headers, agent: false });
    sent.on("error", (error) => end(failureOf(error, new URL(url).origin)));
    sent.on("response", () => leave("after the answer"));
    // What was handed over arrives before the end of the connection does.
    sent.end(draft.bytes, () => leave("before the answer"));
  });
