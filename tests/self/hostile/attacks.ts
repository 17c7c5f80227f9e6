/** Tests of a server of the product itself against hostile clients. */
import http from "node:http";
import net from "node:net";
import { expect, test } from "@playwright/test";
import { LONG } from "../support/lanes.ts";

export interface Server {
  /** An address at which the server answers, with this status for a good request. */
  readonly url: string;
  readonly status: number;
  close(): Promise<unknown>;
}

export const ask = (
  url: string,
  method = "GET",
  body: Iterable<Buffer | string> = [],
): Promise<http.IncomingMessage> =>
  new Promise((resolve, reject) => {
    const request = http.request(url, { method, agent: false }, (response) => {
      response.resume().once("end", () => resolve(response));
    });
    request.once("error", reject);
    const parts = body[Symbol.iterator]();
    const more = (): void => {
      for (let part = parts.next(); !part.done; part = parts.next()) {
        if (!request.write(part.value)) return void request.once("drain", more);
      }
      request.end();
    };
    more();
  });

/** Sends bytes and leaves. @returns what the server sent */
const sendBytes = async (url: string, bytes: string | Buffer): Promise<string> => {
  const { port } = new URL(url);
  const socket = net.connect(Number(port), "127.0.0.1");
  const chunks: Buffer[] = [];
  // A server may reset the connection after its answer. `once` of node:events would reject then.
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", () => {});
  socket.end(bytes);
  await closed;
  return Buffer.concat(chunks).toString("latin1");
};

const GARBAGE: readonly (string | Buffer)[] = [
  "What do you want?\r\n\r\n",
  Buffer.from([22, 3, 1, 0, 200, 1, 0, 0]),
  `GET / HTTP/1.1\r\nhost: a\r\nx-a: ${"x".repeat(100_000)}\r\n\r\n`,
  "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: -1\r\n\r\n",
  "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
  "GET / HTTP/1.1\r\nhost: a\r\nx-\0a: b\r\n\r\n",
];

/** Requests that are cut off. */
const HALVES: readonly string[] = [
  "POST / HT",
  "POST / HTTP/1.1\r\nhost: a\r\ncontent-le",
  'POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{"a":',
];

/** Starts a server, and checks that it still answers after `attack`. */
const attacked = async (
  start: () => Promise<Server>,
  attack: (server: Server) => Promise<void>,
): Promise<void> => {
  const server = await start();
  try {
    await attack(server);
    expect((await ask(server.url)).statusCode).toBe(server.status);
  } finally {
    await server.close();
  }
};

export const attack = (name: string, start: () => Promise<Server>): void => {
  test(`the ${name} refuses garbage and outlives it`, () =>
    attacked(start, async ({ url }) => {
      for (const bytes of GARBAGE) expect(await sendBytes(url, bytes)).toMatch(/^HTTP\/1\.1 4\d\d /);
      for (const bytes of HALVES) await sendBytes(url, bytes);
    }));

  test(`the ${name} answers 500 clients at once`, () =>
    attacked(start, async ({ url, status }) => {
      const answers = await Promise.all(Array.from({ length: 500 }, () => ask(url)));
      expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([status]));
    }));

  test(`the ${name} answers HEAD and OPTIONS without a body`, () =>
    attacked(start, async ({ url }) => {
      for (const method of ["HEAD", "OPTIONS"]) {
        const { statusCode = 0 } = await ask(url, method);
        expect([200, 204, 401, 404, 405]).toContain(statusCode);
      }
    }));

  test(`the ${name} takes or refuses 1 GB without keeping it`, LONG, () =>
    attacked(start, async ({ url }) => {
      const megabyte = Buffer.alloc(1 << 20, "x");
      const before = process.memoryUsage().rss;
      await ask(url, "POST", Array<Buffer>(1024).fill(megabyte)).catch(() => undefined);
      expect(process.memoryUsage().rss - before).toBeLessThan(300 << 20);
    }),
  );
};
