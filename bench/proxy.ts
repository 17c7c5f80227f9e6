/** Measures the recording proxy: requests a second, time added at one connection, memory over many requests, and its log. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { createInterface } from "node:readline";
import { Pool, request } from "undici";
import { temporaryFolder } from "../helpers/contract/process-end.ts";
import { LAUNCHER } from "./recording.ts";
import { type Measurement, type Recorded, replay, tableRow, timed } from "./tools.ts";

const LANES = 16;
const WARM_UP = 3_000;
const THROUGHPUT = 20_000;
const SINGLE = 1_000;
const ROUNDS = 5;
const LONG = 200_000;
const PART = 40_000;
const KILLED_AFTER = 2_000;

/** What two processors must carry, with the client and the target beside the proxy. */
const PER_SECOND = 2_500;
/** Milliseconds: the proxy is one process, so one processor limits it. */
const CPU_GOAL = 1_000 / PER_SECOND;

interface Started {
  readonly child: ChildProcess;
  readonly baseUrls: Readonly<Record<string, string>>;
  readonly credentials: Readonly<Record<string, string>>;
  /** Path of the log of a proxy. */
  readonly log: string;
}

export const benchProxy = async (): Promise<void> => {
  const folder = temporaryFolder("bench");
  const mock = await startCommand(
    ["bin/start.cjs", "mock", "--service", "financial-data", "--port", "0"],
    {},
  );
  const proxy = await startProxy(mock, folder);
  try {
    await measure(mock, proxy);
  } finally {
    for (const { child } of [proxy, mock]) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = once(child, "close");
      child.kill("SIGTERM");
      await ended;
    }
    await rm(folder, { recursive: true, force: true });
  }
};

const startProxy = (mock: Started, folder: string): Promise<Started> =>
  startCommand(
    [...[LAUNCHER, "proxy"], ...["--service", "financial-data", "--target", "bench", "--out", folder]],
    { ...mock.credentials, FINANCIAL_DATA_BASE_URL: mock.baseUrls["financial-data"] ?? "" },
  );

const measure = async (mock: Started, proxy: Started): Promise<void> => {
  const [target, base] = [mock, proxy].map(({ baseUrls }) => baseUrls["financial-data"] ?? "") as [
    string,
    string,
  ];
  const headers = await logIn(base, mock.credentials);
  const read = (url: string): Recorded => ({
    method: "GET",
    path: `${new URL(url).pathname}/institution/v2/institutions/613734`,
    headers,
  });
  let recorded = 1;
  const send: SendMany = async (url, count, lanes) => {
    await replay(
      new URL(url).origin,
      Array.from({ length: count }, () => read(url)),
      lanes,
    );
    if (url === base) recorded += count;
  };
  const measured = measuring(send);
  await send(target, WARM_UP, LANES);
  await send(base, WARM_UP, LANES);
  const before = await cpuSecondsOf(proxy.child);
  const rows = [
    await measured(`proxy, ${LANES} at a time`, base, THROUGHPUT, LANES),
    await measured("  without it", target, THROUGHPUT, LANES),
  ];
  const used = ((await cpuSecondsOf(proxy.child)) - before) / THROUGHPUT;
  const [one, none] = await alternating(send, base, target);
  const added = ((one.seconds - none.seconds) / one.requests) * 1000;
  process.stdout.write(`\nrecording proxy\n\n${[...rows, one, none].map(tableRow).join("\n")}\n`);
  process.stdout.write(`  adds ${added.toFixed(2)} ms to a request (goal: less than 1 ms)\n`);
  process.stdout.write(
    `  uses ${(used * 1000).toFixed(2)} ms of one processor for a request (goal: at most ${CPU_GOAL} ms, ${PER_SECOND} requests/s)\n`,
  );
  const sizes: number[] = [];
  for (let sent = 0; sent < LONG; sent += PART) {
    await send(base, PART, LANES);
    sizes.push(await megabytesOf(proxy.child));
  }
  process.stdout.write(`  memory after each ${PART} requests: ${sizes.join(", ")} MB\n`);
  const answered = recorded + (await answersUntilKilled(proxy, () => read(base)));
  const lines = await exchangesIn(proxy.log);
  process.stdout.write(
    `  log after SIGKILL: ${lines} exchanges, ${answered} answered: ${lines >= answered ? "complete" : "INCOMPLETE"}\n`,
  );
  if (lines < answered) process.exitCode = 1;
};

/** Measures single requests with and without the proxy in turns, because other work on the machine comes and goes. */
const alternating = async (
  send: SendMany,
  base: string,
  target: string,
): Promise<readonly [Measurement, Measurement]> => {
  const seconds: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    seconds[0].push(await timed(() => send(base, SINGLE, 1)));
    seconds[1].push(await timed(() => send(target, SINGLE, 1)));
  }
  const [one, none] = seconds.map((all) => Math.min(...all)) as [number, number];
  return [
    { what: "proxy, one at a time", requests: SINGLE, seconds: one },
    { what: "  without it", requests: SINGLE, seconds: none },
  ];
};

/** Kills the proxy in the middle of requests. @returns the number of answers that the client got */
const answersUntilKilled = async ({ child, baseUrls }: Started, read: () => Recorded): Promise<number> => {
  const pool = new Pool(new URL(Object.values(baseUrls)[0] ?? "").origin, { connections: LANES });
  let answered = 0;
  const lane = async (): Promise<void> => {
    for (;;) {
      const { body } = await pool.request(read());
      await body.dump();
      answered += 1;
      if (answered === KILLED_AFTER) child.kill("SIGKILL");
    }
  };
  await Promise.allSettled(Array.from({ length: LANES }, lane));
  await pool.destroy();
  return answered;
};

/** Counts the exchanges in a log. Its first line describes the recording. */
const exchangesIn = async (log: string): Promise<number> => {
  let lines = 0;
  for await (const part of createReadStream(log))
    for (const byte of part as Buffer) if (byte === 10) lines += 1;
  return lines - 1;
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

/** Returns the processor time that a process has used; 0 on systems without /proc. */
const cpuSecondsOf = async ({ pid }: ChildProcess): Promise<number> => {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS_PER_SECOND;
};

const TICKS_PER_SECOND = 100;
