/** Where the time of a run goes: against a bare HTTP pool with the same requests, the sandbox against a bare route. */
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Pool } from "undici";
import { loadContract } from "../helpers/contract/load.ts";
import { type Sandbox, startSandbox } from "../mocks/server.ts";
import {
  ANY_PORT,
  bareRoute,
  type Recorded,
  type Row,
  ratio,
  replay,
  tableRow,
  timed,
} from "./bench-tools.ts";

const SERVICE = "card-enrollment";
export const benchRun = async (): Promise<void> => {
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
