/** Requests of other machines and of pages of other origins, which may not command a server of ours. */
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";

/** Sends a request as a page of another origin does, or one whose name has changed to a loopback address. */
export const statusOf = async (
  at: string,
  method: string,
  headers: Record<string, string>,
): Promise<number> => {
  const call = request(at, { method, headers: { "content-type": "text/plain", ...headers } });
  call.end(method === "GET" ? undefined : "{}");
  const [response] = (await once(call, "response")) as [IncomingMessage];
  return response.resume().statusCode ?? 0;
};

/** The status of a command, and of a request that only reads; `-` for a request that was sent by no page. */
export const OUTSIDERS: readonly [origin: string, host: string, command: number, read: number][] = [
  ["-", "127.0.0.1", 201, 200],
  ["http://localhost:5173", "localhost", 201, 200],
  ["http://[::1]:5173", "[::1]", 201, 200],
  ["https://shop.example.com", "127.0.0.1", 403, 200],
  ["null", "127.0.0.1", 403, 200],
  ["http://127.0.0.1.example.com", "127.0.0.1", 403, 200],
  ["-", "shop.example.com", 403, 403],
  ["http://shop.example.com", "shop.example.com", 403, 403],
  ["http://admin.example.com", "admin.example.com", 201, 200],
  ["http://shop.example.com", "admin.example.com", 403, 200],
];
