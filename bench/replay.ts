/** Sends the recorded requests of a run through an HTTP client pool: `node replay.ts FILE`, started by recording.ts. */
import { readFile } from "node:fs/promises";
import { type Dispatcher, Pool } from "undici";
import { ANSWER_HEADER } from "./tools.ts";

export interface Seen {
  readonly method: Dispatcher.HttpMethod;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** One character for each octet. */
  readonly body: string;
  /** The status of the recorded response. */
  readonly status: number;
  /** The index of the recorded response. */
  readonly answer: number;
}

export interface Replay {
  readonly origin: string;
  /**
   * The stages run one after another, the lanes of a stage run in parallel, and the requests of a lane run in order.
   */
  readonly stages: readonly (readonly (readonly Seen[])[])[];
  /** How often the last stage runs. The tenants are in their first state at the start of each round. */
  readonly rounds: number;
}

export interface Replayed {
  /** Duration of the whole first round. */
  readonly seconds: number;
  /** The CPU time of all rounds, without the start of the process. */
  readonly cpuSeconds: number;
  /** Durations of the rounds of the last stage. */
  readonly rounds: readonly number[];
  /** The number of responses of the first round with the same status as in the recorded run. */
  readonly same: number;
  /** Milliseconds of each request of the last stage, by lane: the least of all rounds but the first, which compiles. */
  readonly least: readonly (readonly number[])[];
}

const { origin, stages, rounds } = JSON.parse(await readFile(process.argv[2] ?? "", "utf8")) as Replay;
const ready = stages.map((lanes) =>
  lanes.map((lane) =>
    lane.map(({ answer, ...seen }) => ({
      ...seen,
      headers: { ...seen.headers, [ANSWER_HEADER]: String(answer) },
      body: Buffer.from(seen.body, "latin1"),
    })),
  ),
);
const pool = new Pool(origin, { connections: Math.max(...ready.map((lanes) => lanes.length)) });
type Lane = (typeof ready)[number][number];
let alike = 0;
const send = async (lane: Lane): Promise<number[]> => {
  const times: number[] = [];
  for (const { status, ...request } of lane) {
    const started = performance.now();
    const { statusCode, body } = await pool.request(request);
    await body.dump();
    times.push(performance.now() - started);
    if (statusCode === status) alike += 1;
  }
  return times;
};

/** Opened tenants, and the tenant that is there from the start. The bare route ignores the requests. */
const reset = async (lanes: readonly Lane[]): Promise<void> => {
  const tenants = new Set(lanes.flat().map(({ path }) => /^\/t\/([^/]+)/.exec(path)?.[1] ?? ""));
  for (const tenant of tenants) {
    const { body } = await pool.request({
      method: "POST",
      path: "/__sandbox/reset",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ tenant }),
    });
    await body.dump();
  }
};

const atStart = process.cpuUsage();
const seconds: number[] = [];
let least: number[][] = [];
let first = 0;
let same = 0;
for (const [index, lanes] of ready.entries()) {
  const isLast = index === ready.length - 1;
  for (let round = 0; round < (isLast ? rounds : 1); round++) {
    if (round > 0) await reset(lanes);
    const started = performance.now();
    const times = await Promise.all(lanes.map(send));
    const passed = (performance.now() - started) / 1000;
    if (round === 0) {
      first += passed;
      same = alike;
    }
    if (!isLast) continue;
    seconds.push(passed);
    if (round <= 1) least = times;
    else least = least.map((lane, at) => lane.map((time, i) => Math.min(time, times[at]?.[i] ?? time)));
  }
}
await pool.close();
const { user, system } = process.cpuUsage(atStart);
const cpuSeconds = (user + system) / 1e6;
process.stdout.write(
  JSON.stringify({ seconds: first, cpuSeconds, rounds: seconds, same, least } satisfies Replayed),
);
