/**
 * Shared tools of the benchmarks: table rows, parallel lanes of requests, and a route that always gives the same
 * answer.
 */
import fastify from "fastify";
import { type Dispatcher, Pool } from "undici";

export interface Recorded {
  readonly method: Dispatcher.HttpMethod;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

export interface Measurement {
  readonly what: string;
  readonly requests: number;
  readonly seconds: number;
}

/** Port 0: the system chooses a free port. */
export const ANY_PORT = 0;

export const tableRow = ({ what, requests, seconds }: Measurement): string =>
  `  ${what.padEnd(26)}${seconds.toFixed(2).padStart(8)} s${Math.round(requests / seconds)
    .toLocaleString("en-US")
    .padStart(10)} requests/s`;

/** Formats how many times longer `one` took than `other`. */
export const ratio = (words: string, one: Measurement, other: Measurement, what: string): string =>
  `  ${words} ${(one.seconds / other.seconds).toFixed(1)} × as long as the ${what}`;

/** Returns the duration of `work` in seconds. */
export const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
};

/** Sends all requests. @param lanes how many run in parallel, each sending one request after the other */
export const replay = async (origin: string, requests: readonly Recorded[], lanes: number): Promise<void> => {
  const pool = new Pool(origin, { connections: lanes });
  const left = requests.values();
  const lane = async (): Promise<void> => {
    for (const request of left) {
      const { body } = await pool.request(request);
      await body.dump();
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  await pool.close();
};

/** Starts a server that gives every request the same answer. */
export const bareRoute = async (
  answer: Buffer,
  status = 200,
): Promise<{ readonly origin: string; readonly close: () => Promise<unknown> }> => {
  const app = fastify({ forceCloseConnections: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  app.all("/*", (_request, reply) => reply.code(status).type("application/json").send(answer));
  const origin = await app.listen({ host: "127.0.0.1", port: ANY_PORT });
  return { origin, close: () => app.close() };
};
