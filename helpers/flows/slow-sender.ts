/** Sends a request in two parts, with an action in between. This simulates a slow sender without waiting. */
import http, { type IncomingMessage } from "node:http";
import https from "node:https";

/**
 * @param between runs after half of the body has been sent
 * @returns the status of the response, or the error
 */
export const sendSlowly = async (
  {
    url,
    headers,
    body,
    timeLimitMs,
  }: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly timeLimitMs: number;
  },
  between: () => Promise<void>,
): Promise<{ readonly status: number } | { readonly problem: string }> => {
  const bytes = Buffer.from(body);
  const half = bytes.length >> 1;
  const { request: open } = url.startsWith("https:") ? https : http;
  const request = open(url, {
    method: "POST",
    agent: false,
    signal: AbortSignal.timeout(timeLimitMs),
    headers: { ...headers, "content-type": "application/json", "content-length": bytes.length },
  });
  const answer = new Promise<{ status: number } | { problem: string }>((resolve) => {
    request.once("response", (response: IncomingMessage) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0 });
    });
    request.once("error", (error: Error) => resolve({ problem: error.message }));
  });
  await new Promise((sent) => request.write(bytes.subarray(0, half), sent));
  await between();
  request.end(bytes.subarray(half));
  return answer;
};
