/** Measures the recording proxy: requests a second, time added at one connection, and memory over many requests. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { request } from "undici";
import { type Measurement, type Recorded, replay, tableRow, timed } from "./tools.ts";

const LANES = 16;
const WARM_UP = 3_000;
const THROUGHPUT = 20_000;
const SINGLE = 2_000;
const LONG = 200_000;
const PART = 40_000;

interface Started {
  readonly child: ChildProcess;
  readonly baseUrls: Readonly<Record<string, string>>;
  readonly credentials: Readonly<Record<string, string>>;
}

export const benchProxy = async (): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "assay-bench-"));
  const mock = await startCommand(
    ["bin/start.cjs", "mock", "--service", "financial-data", "--port", "0"],
    {},
  );
  const target = mock.baseUrls["financial-data"] ?? "";
  const environment = { ...mock.credentials, FINANCIAL_DATA_BASE_URL: target };
  const args = [
    "--import",
    "tsx",
    "bin/proxy.ts",
    "--service",
    "financial-data",
    "--target",
    "bench",
    "--out",
    folder,
  ];
  const proxy = await startCommand(args, environment);
  const base = proxy.baseUrls["financial-data"] ?? "";
  try {
    const headers = await logIn(base, mock.credentials);
    const read = (url: string): Recorded => ({
      method: "GET",
      path: `${new URL(url).pathname}/institution/v2/institutions/613734`,
      headers,
    });
    const send = (url: string, count: number, lanes: number): Promise<void> =>
      replay(
        new URL(url).origin,
        Array.from({ length: count }, () => read(url)),
        lanes,
      );
    const measured = measuring(send);
    await send(target, WARM_UP, LANES);
    await send(base, WARM_UP, LANES);
    const rows = [
      await measured(`proxy, ${LANES} at a time`, base, THROUGHPUT, LANES),
      await measured("  without it", target, THROUGHPUT, LANES),
      await measured("proxy, one at a time", base, SINGLE, 1),
      await measured("  without it", target, SINGLE, 1),
    ];
    const [, , one, none] = rows as [Measurement, Measurement, Measurement, Measurement];
    const added = ((one.seconds - none.seconds) / SINGLE) * 1000;
    process.stdout.write(`\nrecording proxy\n\n${rows.map(tableRow).join("\n")}\n`);
    process.stdout.write(`  adds ${added.toFixed(2)} ms to a request\n`);
    const sizes: number[] = [];
    for (let sent = 0; sent < LONG; sent += PART) {
      await send(base, PART, LANES);
      sizes.push(await megabytesOf(proxy.child));
    }
    process.stdout.write(`  memory after each ${PART} requests: ${sizes.join(", ")} MB\n`);
  } finally {
    for (const { child } of [proxy, mock]) {
      const ended = once(child, "close");
      child.kill("SIGTERM");
      await ended;
    }
    await rm(folder, { recursive: true, force: true });
  }
};

type SendMany = (url: string, count: number, lanes: number) => Promise<void>;

const measuring =
  (send: SendMany) =>
  async (what: string, url: string, count: number, lanes: number): Promise<Measurement> => ({
    what,
    requests: count,
    seconds: await timed(() => send(url, count, lanes)),
  });

/** Starts a command and reads the line of JSON that it prints when it is ready. */
const startCommand = async (
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Started> => {
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...environment },
  });
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  child.stdout.resume();
  return { child, ...(JSON.parse(line) as Omit<Started, "child">) };
};

const logIn = async (base: string, credentials: Started["credentials"]): Promise<Record<string, string>> => {
  const key = { "partner-app-key": credentials.FINANCIAL_DATA_APP_KEY ?? "" };
  const { body } = await request(`${base}/aggregation/v2/partners/authentication`, {
    method: "POST",
    headers: { ...key, "content-type": "application/json" },
    body: JSON.stringify({
      partnerId: credentials.FINANCIAL_DATA_PARTNER_ID,
      partnerSecret: credentials.FINANCIAL_DATA_PARTNER_SECRET,
    }),
  });
  const { token } = (await body.json()) as { readonly token: string };
  return { ...key, "partner-app-token": token, accept: "application/json" };
};

/** Returns the resident memory of a process; 0 on systems without /proc. */
const megabytesOf = async ({ pid }: ChildProcess): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
};
