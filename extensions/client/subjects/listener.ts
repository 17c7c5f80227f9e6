/** A listener of any kind: a server that holds the events of its messages. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { answerTo, type Manners, newHeld } from "./manners.ts";

/** @param tls key and certificate of an HTTPS listener */
export const startListener = async (
  manners: Manners,
  tls?: { readonly key: string; readonly cert: string },
) => {
  const held = newHeld();
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    held.reading += 1;
    const isFull = held.reading > manners.capacity;
    const timer = setTimeout(() => request.socket.destroy(), manners.bodyTimeoutMs);
    const body = await read(request, manners).finally(() => {
      clearTimeout(timer);
      held.reading -= 1;
    });
    if (body === undefined) return;
    if (manners.diesOf.test(body)) {
      server.closeAllConnections();
      server.close();
      return;
    }
    const { status, text = "" } =
      isFull || held.isBroken ? { status: 503 } : await answerTo(manners, held, request, body);
    response.writeHead(status).end(text);
  };
  const server = tls === undefined ? createServer(handle) : createSecureServer(tls, handle);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    host: "127.0.0.1",
    port,
    /** Returns what it holds. */
    effect: async () => String(held.count),
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
};

const read = async (request: IncomingMessage, { forms }: Manners): Promise<string | undefined> => {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  } catch {
    return undefined;
  }
  // A character of several bytes is lost if its bytes are decoded one by one.
  return forms === "one-part" ? chunks.join("") : Buffer.concat(chunks).toString("utf8");
};
