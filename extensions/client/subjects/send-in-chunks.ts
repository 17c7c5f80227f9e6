/** Sends requests over a pool of connections, with bodies in chunks and without their length. */
import { once } from "node:events";
import http from "node:http";
import type { Send } from "./setting.ts";

const agent = new http.Agent({ keepAlive: true, maxSockets: 2 });

export const sendInChunks: Send = async ({ url, method, headers, body, signal }) => {
  const request = http.request(url, { agent, method, headers, ...(signal && { signal }) });
  const answered = once(request, "response") as Promise<[http.IncomingMessage]>;
  if (body === undefined) request.end();
  else {
    request.write(body.slice(0, 10));
    request.end(body.slice(10));
  }
  const [response] = await answered;
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  const named = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(named),
    text: Buffer.concat(parts).toString("utf8"),
  };
};
