/**
 * Certifies a correct server in a loop, while signals, restarts of the server and network faults disturb the runs.
 * Counts wrong verdicts and unlisted resources, and shows the growth of memory and files.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Contract } from "../helpers/contract/contract.ts";
import { loadContract } from "../helpers/contract/load.ts";
import { services } from "../helpers/contract/services.ts";
import { readLeftovers } from "../helpers/run/leftovers.ts";
import { baseUrlName } from "../helpers/target/names.ts";
import { type Sandbox, startSandbox } from "../mocks/engine/server.ts";
import { readCertificate } from "../reports/certificate-file.ts";
import { LAUNCHER } from "./recording.ts";
import { ANY_PORT } from "./tools.ts";

/** The share of requests whose connection is reset. */
const NETWORK_FAULTS = 0.02;

/** A disturbance of a run; most runs have one. */
const DISTURBANCES = ["none", "SIGINT", "restart", "SIGTERM", "none", "SIGKILL"] as const;
type Disturbance = (typeof DISTURBANCES)[number];

/** The latest moment of a disturbance after the start of its run. */
const LATEST_MS = 15_000;

interface Sample {
  readonly disturbance: Disturbance;
  readonly outcome: string;
  readonly failed: number;
  readonly unlisted: number;
  readonly megabytes: number;
  readonly files: number;
}

/** @returns whether no verdict was wrong and no resource was unlisted */
export const benchSoak = async (minutes: number): Promise<boolean> => {
  const folder = await mkdtemp(join(tmpdir(), "assay-soak-"));
  const contracts = await Promise.all(services().map((service) => loadContract(service)));
  const until = performance.now() + minutes * 60_000;
  const samples: Sample[] = [];
  try {
    while (performance.now() < until) {
      const at = samples.length % contracts.length;
      const round = Math.floor(samples.length / contracts.length);
      const contract = contracts[at] as Contract;
      // Each service meets each disturbance.
      const disturbance = DISTURBANCES[(round + at) % DISTURBANCES.length] as Disturbance;
      samples.push(await oneRun(contract, join(folder, contract.service), disturbance));
      process.stderr.write(`${contract.service}: ${lineOf(samples.at(-1) as Sample)}\n`);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  process.stdout.write(summaryOf(samples));
  return samples.every(isFine);
};

const isFine = ({ failed, unlisted, outcome }: Sample): boolean =>
  failed === 0 && unlisted === 0 && outcome !== "violations" && outcome !== "unreadable";

const lineOf = ({ disturbance, outcome, failed, unlisted, megabytes, files }: Sample): string =>
  `${disturbance}, ${outcome}, ${failed} failed, ${unlisted} unlisted, ${megabytes} MB, ${files} files`;

const summaryOf = (samples: readonly Sample[]): string => {
  const count = (matches: (sample: Sample) => boolean): number => samples.filter(matches).length;
  const half = Math.ceil(samples.length / 2);
  const most = (key: "megabytes" | "files", part: readonly Sample[]): number =>
    Math.max(0, ...part.map((sample) => sample[key]));
  const growth = (key: "megabytes" | "files"): string =>
    `${most(key, samples.slice(0, half))} in the first half, ${most(key, samples.slice(half))} in the second`;
  return [
    `${samples.length} runs: ${count(({ outcome }) => outcome === "certified")} certified, ${count(({ outcome }) => outcome === "incomplete")} incomplete`,
    `  ${count(({ failed }) => failed > 0)} with wrong verdicts`,
    `  ${count(({ unlisted }) => unlisted > 0)} with unlisted resources`,
    `  ${count(({ outcome }) => outcome === "unreadable")} with an unreadable certificate`,
    `  most memory of a command in MB: ${growth("megabytes")}`,
    `  most files in a folder: ${growth("files")}`,
    "",
  ].join("\n");
};

const oneRun = async (contract: Contract, out: string, disturbance: Disturbance): Promise<Sample> => {
  const { service } = contract;
  const options = { services: [service], seed: 1, faults: [], contracts: [contract], plain: true };
  let sandbox = await startSandbox({ ...options, port: ANY_PORT });
  const { port, environment } = sandbox;
  const requests = new Map<string, number>();
  const proxy = await faultyProxy(port, requests);
  const child = certify(out, service, { ...environment, ...addressAt(proxy.port, service, sandbox) });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  let most = 0;
  const watch = setInterval(async () => {
    most = Math.max(most, await megabytesOf(child));
  }, 200);
  const moment = sleep(Math.random() * LATEST_MS).then(async () => {
    if (disturbance === "none" || child.exitCode !== null) return;
    if (disturbance === "restart") {
      await sandbox.close();
      sandbox = await startSandbox({ ...options, port });
    } else if (child.signalCode === null) process.kill(-(child.pid ?? Number.NaN), disturbance);
  });
  await Promise.all([ended, Promise.race([moment, ended])]);
  await moment;
  clearInterval(watch);
  await proxy.close();
  await sandbox.close();
  return { disturbance, megabytes: most, ...(await judged(out, disturbance, requests)) };
};

const judged = async (
  out: string,
  disturbance: Disturbance,
  requests: ReadonlyMap<string, number>,
): Promise<Pick<Sample, "outcome" | "failed" | "unlisted" | "files">> => {
  const files = (await readdir(out, { recursive: true }).catch(() => [])).length;
  const left = readLeftovers(out).reduce((sum, entry) => sum + entry.left.length + entry.unclear.length, 0);
  // A restarted sandbox has forgotten what was made.
  const made = (requests.get("made") ?? 0) - (requests.get("removed") ?? 0);
  const unlisted = disturbance === "restart" ? 0 : Math.max(0, made - left);
  try {
    const certificate = readCertificate(out);
    const { outcome = "none", summary } = certificate ?? {};
    return { outcome, failed: summary?.failed ?? 0, unlisted, files };
  } catch {
    return { outcome: "unreadable", failed: 0, unlisted, files };
  }
};

const addressAt = (port: number, service: string, sandbox: Sandbox): Record<string, string> => {
  const { pathname } = new URL(sandbox.baseUrls[service] ?? "");
  return { [baseUrlName(service)]: `http://127.0.0.1:${port}${pathname}` };
};

const certify = (out: string, service: string, environment: Record<string, string>): ChildProcess => {
  const args = ["--target", "soak", "--service", service, "--depth", "quick", "--out", out];
  return spawn(process.execPath, [LAUNCHER, "certify", ...args], {
    env: { ...process.env, ...environment, MAX_REQUESTS_PER_SECOND: "1000", REQUEST_TIMEOUT_SECONDS: "5" },
    // A group of its own gets the signals, as in a terminal.
    detached: true,
    stdio: "ignore",
  });
};

interface FaultyProxy {
  readonly port: number;
  close(): Promise<void>;
}

/** Forwards requests, and resets some connections. Counts the customers that are made and removed in `counts`. */
const faultyProxy = async (target: number, counts: Map<string, number>): Promise<FaultyProxy> => {
  const count = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
  const server = http.createServer((request, response) => {
    const isCut = Math.random() < NETWORK_FAULTS;
    if (isCut && Math.random() < 0.5) return void request.socket.resetAndDestroy();
    const { method = "GET", url = "/", headers } = request;
    const onwards = http.request(
      { host: "127.0.0.1", port: target, method, path: url, headers },
      (answer) => {
        const isSuccess = (answer.statusCode ?? 500) < 300;
        if (isSuccess && method === "POST" && /\/customers(\/\w+)?$/.test(url)) count("made");
        if (isSuccess && method === "DELETE" && /\/customers\/[^/]+$/.test(url)) count("removed");
        if (isCut) return void request.socket.resetAndDestroy();
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      },
    );
    onwards.once("error", () => request.socket.destroy());
    request.pipe(onwards);
  });
  await new Promise<void>((done) => server.listen(ANY_PORT, "127.0.0.1", done));
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
};

/** Returns the resident memory of a process; 0 after its end, and on systems without /proc. */
const megabytesOf = async ({ pid }: ChildProcess): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
};
