/**
 * `npm run bench`: where the time of a run goes. Everything is measured in one go on one machine, as ratios: the run
 * against a bare HTTP pool that sends the same requests, and the sandbox against a bare route that answers the same.
 */
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fastify from "fastify";
import { Pool } from "undici";
import { loadContract } from "../helpers/contract/load.ts";
import { type Sandbox, startSandbox } from "../mocks/server.ts";

const SERVICE = "card-enrollment";
/** The system chooses one that is free. */
const ANY_PORT = 0;

interface Recorded {
  readonly method: "POST" | "GET";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

interface Row {
  readonly what: string;
  readonly requests: number;
  readonly seconds: number;
}

const main = async (): Promise<void> => {
  const contract = await loadContract(SERVICE);
  const options = {
    services: [SERVICE],
    port: ANY_PORT,
    seed: 1,
    faults: [],
    contracts: [contract],
  } as const;
  const sandbox = await startSandbox({ ...options, plain: true });
  const origin = `http://127.0.0.1:${sandbox.port}`;
  const { requests, answer } = await recordRun(sandbox, origin);
  const bare = await bareRoute(answer);
  try {
    const row = async (what: string, work: () => Promise<unknown>): Promise<Row> => ({
      what,
      requests: requests.length,
      seconds: await timed(work),
    });
    const run = await row("certify", () => certify(sandbox, origin));
    const lanes = await row("bare pool, 2 at a time", () => replay(origin, requests, 2));
    const flood = await row("bare pool, 64 at a time", () => replay(origin, requests, 64));
    const route = await row("bare route, 64 at a time", () => replay(bare.origin, requests, 64));
    process.stdout.write(
      [
        `${SERVICE}, standard depth, the same ${requests.length.toLocaleString("en-US")} requests each time`,
        "",
        ...[run, lanes, flood, route].map(tableRow),
        "",
        ratio("certify takes the time of", run, lanes, "bare pool with as many lanes"),
        ratio("the sandbox takes the time of", flood, route, "bare route"),
        "",
      ].join("\n"),
    );
  } finally {
    await bare.close();
    await sandbox.close();
  }
};

const tableRow = ({ what, requests, seconds }: Row): string =>
  `  ${what.padEnd(26)}${seconds.toFixed(2).padStart(8)} s${Math.round(requests / seconds)
    .toLocaleString("en-US")
    .padStart(10)} requests/s`;

const ratio = (words: string, one: Row, other: Row, what: string): string =>
  `  ${words} ${(one.seconds / other.seconds).toFixed(1)} × the ${what}`;

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
};

/** @throws when the run does not certify the sandbox: then there is nothing worth measuring */
const certify = async (sandbox: Sandbox, origin: string): Promise<void> => {
  const out = await mkdtemp(join(tmpdir(), "assay-bench-"));
  const script = fileURLToPath(new URL("certify.ts", import.meta.url));
  const address = new URL(sandbox.baseUrls[SERVICE] ?? "");
  const args = ["--import", "tsx", script, "--target", "bench", "--service", SERVICE, "--out", out];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...sandbox.environment, CARD_ENROLLMENT_BASE_URL: `${origin}${address.pathname}` },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  await rm(out, { recursive: true, force: true });
  if (code !== 0) throw new Error(`The run to measure ended with exit code ${code}: see npm run certify.`);
};

/** One run that is not measured, through a server that writes down what passes. */
const recordRun = async (
  sandbox: Sandbox,
  target: string,
): Promise<{ readonly requests: readonly Recorded[]; readonly answer: Buffer }> => {
  const requests: Recorded[] = [];
  const pool = new Pool(target, { connections: 2 });
  let answer: Buffer = Buffer.from("{}");
  const server = http.createServer(async (incoming, outgoing) => {
    const recorded = {
      method: incoming.method as Recorded["method"],
      path: incoming.url ?? "/",
      headers: endToEnd(incoming.headers),
      body: Buffer.concat(await incoming.toArray()),
    };
    requests.push(recorded);
    const { statusCode, headers, body } = await pool.request(recorded);
    const bytes = Buffer.from(await body.arrayBuffer());
    if (statusCode === 200) answer = bytes;
    outgoing.writeHead(statusCode, endToEnd(headers)).end(bytes);
  });
  await new Promise<void>((done) => server.listen(ANY_PORT, "127.0.0.1", done));
  await certify(sandbox, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  server.closeAllConnections();
  server.close();
  await pool.close();
  return { requests, answer };
};

/** What belongs to one connection is not passed on (RFC 9110, 7.6.1); the length follows from the body. */
const HOP_BY_HOP = ["connection", "keep-alive", "transfer-encoding", "content-length", "host"];

const endToEnd = (headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !HOP_BY_HOP.includes(name))
      .map(([name, value]) => [name, String(value)]),
  );

/** @param lanes each sends one request after the other */
const replay = async (origin: string, requests: readonly Recorded[], lanes: number): Promise<void> => {
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

const bareRoute = async (
  answer: Buffer,
): Promise<{ readonly origin: string; readonly close: () => Promise<unknown> }> => {
  const app = fastify({ forceCloseConnections: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  app.all("/*", (_request, reply) => reply.type("application/json").send(answer));
  const origin = await app.listen({ host: "127.0.0.1", port: ANY_PORT });
  return { origin, close: () => app.close() };
};

await main();
