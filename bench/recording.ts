/** Records the requests of a whole run, with their answers, so that other servers can get the same requests. */
import { execFile, spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Dispatcher, Pool } from "undici";
import type { Service } from "../helpers/contract/contract.ts";
import { getOrInsert } from "../helpers/contract/memoize.ts";
import { temporaryFolder } from "../helpers/contract/process-end.ts";
import { baseUrlName } from "../helpers/target/names.ts";
import type { RecordedAnswer } from "./bare.ts";
import type { BenchFiles } from "./files.ts";
import type { RecordedRequest, Replay, Replayed } from "./replay.ts";
import { ANY_PORT } from "./tools.ts";

/** The number of workers of a run. */
export const LANES = 2;

export interface StandingSandbox {
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
export const standUp = (
  services: readonly Service[],
  key: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<StandingSandbox> => standing([...source("target.ts"), services.join(","), key], environment);

const LAUNCHER = fileURLToPath(new URL("../bin/start.cjs", import.meta.url));

/** Starts the server that gives each request its recorded answer. @param file of `RecordedAnswer[]` */
export const standBare = (file: string): Promise<StandingSandbox> => standing([...source("bare.ts"), file]);

const source = (name: string): readonly string[] => [
  "--import",
  "tsx",
  fileURLToPath(new URL(name, import.meta.url)),
];

const standing = async (
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<StandingSandbox> => {
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"], env });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const close = async (): Promise<void> => {
    child.kill();
    await ended;
  };
  for await (const line of createInterface(child.stdout)) {
    const { baseUrls, environment } = JSON.parse(line) as Omit<StandingSandbox, "close">;
    const [first = ""] = Object.values(baseUrls);
    return { baseUrls, environment, origin: new URL(first).origin, close };
  }
  throw new Error("The sandbox for the benchmark did not start: see above.");
};

export const on = async <Value>(
  sandbox: StandingSandbox,
  use: (sandbox: StandingSandbox) => Promise<Value>,
): Promise<Value> => {
  try {
    return await use(sandbox);
  } finally {
    await sandbox.close();
  }
};

export const certify = async (
  sandbox: StandingSandbox,
  services: readonly Service[],
  origin: string,
): Promise<void> => {
  const out = temporaryFolder("bench");
  const args = ["--target", "bench", "--service", services.join(","), "--out", out, "--depth", "standard"];
  const addresses = services.map((service) => {
    const { pathname } = new URL(sandbox.baseUrls[service] ?? "");
    return [baseUrlName(service), `${origin}${pathname}`];
  });
  const child = spawn(process.execPath, [LAUNCHER, "certify", ...args], {
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
  MAX_REQUESTS_PER_SECOND: "1000000",
};

/** Makes one unmeasured run through a proxy that records its requests, and the different answers. */
export const recordRun = async (sandbox: StandingSandbox, services: readonly Service[]) => {
  const { origin } = sandbox;
  const requests: RecordedRequest[] = [];
  const answers = new Map<string, number>();
  const pending = new Set<{ held: boolean }>();
  const pool = new Pool(origin, { connections: 8 });
  const pass = async (incoming: http.IncomingMessage, outgoing: http.ServerResponse): Promise<void> => {
    const request = {
      method: incoming.method as Dispatcher.HttpMethod,
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
    const bytes = Buffer.from(await body.arrayBuffer());
    if (!sending.held) {
      const type = String(headers["content-type"] ?? "");
      const answer = JSON.stringify({ status: statusCode, type, body: bytes.toString("latin1") });
      requests.push({
        ...request,
        status: statusCode,
        answer: getOrInsert(answers, answer, () => answers.size),
      });
    }
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
  return { requests, answers: [...answers.keys()].map((answer) => JSON.parse(answer) as RecordedAnswer) };
};

/** Moves the sandbox's clock. Requests that wait for the clock are not replayed, because they would block a lane. */
const CLOCK = "/__sandbox/clock";

const TENANTS = "/__sandbox/tenants";

/**
 * Divides the requests into two stages: first the requests that open tenants, then the requests of the tenants, in
 * order.
 */
export const lanesOf = (requests: readonly RecordedRequest[]): RecordedRequest[][][] => {
  const opening = requests.filter(({ path }) => path === TENANTS);
  const rest = requests.filter(({ path }) => !path.startsWith(TENANTS));
  const lanes = Array.from({ length: LANES }, (_, lane) =>
    rest.filter((request) => tenantOf(request) % LANES === lane),
  );
  return [[opening], lanes];
};

/** Returns the number of the tenant, such as 2 for `t2`, from the path or from the body of an admin request. */
const tenantOf = ({ path, body }: RecordedRequest): number =>
  Number(/^\/t\/t(\d+)\//.exec(path)?.[1] ?? /"tenant":"t(\d+)"/.exec(body)?.[1] ?? 0);

/** Headers that a proxy does not forward (RFC 9110, 7.6.1), and the length, which the client computes from the body. */
const HOP_BY_HOP = ["connection", "keep-alive", "transfer-encoding", "content-length", "host"];

const endToEnd = (headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !HOP_BY_HOP.includes(name))
      .map(([name, value]) => [name, String(value)]),
  );

/** Replays the requests from a separate process, as a run does. */
export const replayed = async (
  files: BenchFiles,
  origin: string,
  stages: readonly RecordedRequest[][][],
): Promise<Replayed> => {
  const file = await files.write("requests.json", { origin, stages } satisfies Replay);
  const script = fileURLToPath(new URL("replay.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", script, file], {
    maxBuffer: MOST_OUTPUT,
  });
  return JSON.parse(stdout) as Replayed;
};

const MOST_OUTPUT = 100_000_000;
