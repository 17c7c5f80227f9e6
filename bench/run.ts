/**
 * Compares a run with an HTTP client pool that only sends the same requests, and the sandbox with a route that always
 * gives the same answer.
 */
import { execFile, spawn } from "node:child_process";
import { generateKeyPair } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Pool } from "undici";
import type { Service } from "../helpers/contract/contract.ts";
import { baseUrlName } from "../helpers/target/names.ts";
import type { Replay, Replayed, Seen } from "./replay.ts";
import { ANY_PORT, bareRoute, type Measurement, type Recorded, ratio, tableRow, timed } from "./tools.ts";

/**
 * Measures one run of the services at standard depth.
 * @throws when the run does not certify the sandbox, because the measured time is then meaningless
 */
export const benchRun = async (services: readonly Service[]): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "assay-bench-"));
  const key = join(folder, "key.pem");
  const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: 2048 });
  await writeFile(key, privateKey.export({ type: "pkcs8", format: "pem" }));
  const fresh = () => standUp(services, key);
  const { requests, answer } = await on(await fresh(), (sandbox) => recordRun(sandbox, services));
  const stages = lanesOf(requests);
  const row = (what: string, seconds: number): Measurement => ({ what, requests: requests.length, seconds });
  const run = await on(await fresh(), async (sandbox) =>
    row("certify", await timed(() => certify(sandbox, services, sandbox.origin))),
  );
  const again = await on(await fresh(), (sandbox) => replayed(sandbox.origin, stages));
  const pool = row("bare pool", again.seconds);
  const bare = await bareRoute(answer);
  const route = row("bare route", (await replayed(bare.origin, stages)).seconds);
  await bare.close();
  await rm(folder, { recursive: true, force: true });
  const [all, alike] = [requests.length, again.same].map((count) => count.toLocaleString("en-US"));
  process.stdout.write(
    [
      `${services.join(", ")}: standard depth, the same ${all} requests each time, in ${LANES} lanes`,
      "",
      ...[run, pool, route].map(tableRow),
      "",
      `  ${alike} responses to the bare pool had the same status as in the run`,
      ratio("certify takes", run, pool, "bare pool"),
      ratio("the sandbox takes", pool, route, "bare route"),
      "",
      "",
    ].join("\n"),
  );
};

/** The number of workers of a run. */
const LANES = 2;

interface BaselineOptions {
  readonly origin: string;
  readonly baseUrls: Readonly<Record<Service, string>>;
  /** Configuration values by environment name. */
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/**
 * Starts a sandbox in its own process. Each measurement uses a new one, so that no measurement benefits from an earlier
 * one.
 */
const standUp = async (services: readonly Service[], key: string): Promise<BaselineOptions> => {
  const script = fileURLToPath(new URL("target.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", script, services.join(","), key], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const close = async (): Promise<void> => {
    child.kill();
    await ended;
  };
  for await (const line of createInterface(child.stdout)) {
    const ready = JSON.parse(line) as Pick<BaselineOptions, "baseUrls" | "environment">;
    const [first = ""] = Object.values(ready.baseUrls);
    return { ...ready, origin: new URL(first).origin, close };
  }
  throw new Error("The sandbox for the benchmark did not start: see above.");
};

const on = async <Value>(
  sandbox: BaselineOptions,
  use: (sandbox: BaselineOptions) => Promise<Value>,
): Promise<Value> => {
  try {
    return await use(sandbox);
  } finally {
    await sandbox.close();
  }
};

const certify = async (
  sandbox: BaselineOptions,
  services: readonly Service[],
  origin: string,
): Promise<void> => {
  const out = await mkdtemp(join(tmpdir(), "assay-bench-"));
  const script = fileURLToPath(new URL("../bin/certify.ts", import.meta.url));
  const args = ["--target", "bench", "--service", services.join(","), "--out", out];
  const addresses = services.map((service) => {
    const { pathname } = new URL(sandbox.baseUrls[service] ?? "");
    return [baseUrlName(service), `${origin}${pathname}`];
  });
  const child = spawn(process.execPath, ["--import", "tsx", script, ...args], {
    env: { ...process.env, ...sandbox.environment, ...Object.fromEntries(addresses), ...EVERYTHING_ALLOWED },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  await rm(out, { recursive: true, force: true });
  if (code !== 0) throw new Error(`The measured run ended with exit code ${code}: see npm run certify.`);
};

const EVERYTHING_ALLOWED = {
  ALLOW_DESTRUCTIVE: "true",
  ALLOW_LOCKING: "true",
  MAX_BILLABLE_CALLS: "1000000",
};

/** Makes one unmeasured run through a proxy that records its requests. */
const recordRun = async (
  sandbox: BaselineOptions,
  services: readonly Service[],
): Promise<{ readonly requests: readonly Seen[]; readonly answer: Buffer }> => {
  const { origin } = sandbox;
  const requests: Seen[] = [];
  const pending = new Set<{ held: boolean }>();
  const pool = new Pool(origin, { connections: 8 });
  let answer: Buffer = Buffer.from("{}");
  const pass = async (incoming: http.IncomingMessage, outgoing: http.ServerResponse): Promise<void> => {
    const request = {
      method: incoming.method as Recorded["method"],
      path: incoming.url ?? "/",
      headers: endToEnd(incoming.headers),
      body: Buffer.concat(await incoming.toArray()).toString("latin1"),
    };
    const sending = { held: false };
    if (request.path === CLOCK) for (const other of pending) other.held = true;
    pending.add(sending);
    const { statusCode, headers, body } = await pool
      .request({ ...request, body: Buffer.from(request.body, "latin1") })
      .finally(() => pending.delete(sending));
    if (!sending.held) requests.push({ ...request, status: statusCode });
    const bytes = Buffer.from(await body.arrayBuffer());
    if (statusCode === 200) answer = bytes;
    // Requests to the tenants that the run opens must also pass through this proxy.
    const sent =
      request.path === TENANTS
        ? bytes.toString().replaceAll(origin, `http://${incoming.headers.host}`)
        : bytes;
    outgoing.writeHead(statusCode, endToEnd(headers)).end(sent);
  };
  const server = http.createServer((incoming, outgoing) => {
    // The run aborts some requests on purpose; they are not replayed.
    pass(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((done) => server.listen(ANY_PORT, "127.0.0.1", done));
  await certify(sandbox, services, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  server.closeAllConnections();
  server.close();
  await pool.close();
  return { requests, answer };
};

/** Moves the sandbox's clock. Requests that wait for the clock are not replayed, because they would block a lane. */
const CLOCK = "/__sandbox/clock";

const TENANTS = "/__sandbox/tenants";

/** Replays the requests from a separate process, as a run does. */
const replayed = async (origin: string, stages: readonly Seen[][][]): Promise<Replayed> => {
  const folder = await mkdtemp(join(tmpdir(), "assay-bench-"));
  const file = join(folder, "requests.json");
  try {
    await writeFile(file, JSON.stringify({ origin, stages } satisfies Replay));
    const script = fileURLToPath(new URL("replay.ts", import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", script, file]);
    return JSON.parse(stdout) as Replayed;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/**
 * Divides the requests into two stages: first the requests that open tenants, then the requests of the tenants, in
 * order.
 */
const lanesOf = (requests: readonly Seen[]): Seen[][][] => {
  const opening = requests.filter(({ path }) => path === TENANTS);
  const rest = requests.filter(({ path }) => !path.startsWith(TENANTS));
  const lanes = Array.from({ length: LANES }, (_, lane) =>
    rest.filter((request) => tenantOf(request) % LANES === lane),
  );
  return [[opening], lanes];
};

/** Returns the number of the tenant, such as 2 for `t2`, from the path or from the body of an admin request. */
const tenantOf = ({ path, body }: Seen): number =>
  Number(/^\/t\/t(\d+)\//.exec(path)?.[1] ?? /"tenant":"t(\d+)"/.exec(body)?.[1] ?? 0);

/** Headers that a proxy does not forward (RFC 9110, 7.6.1), and the length, which the client computes from the body. */
const HOP_BY_HOP = ["connection", "keep-alive", "transfer-encoding", "content-length", "host"];

const endToEnd = (headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !HOP_BY_HOP.includes(name))
      .map(([name, value]) => [name, String(value)]),
  );
