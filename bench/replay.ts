/** Sends the recorded requests of a run through an HTTP client pool: `node replay.ts FILE`, started by recording.ts. */
import { readFile } from "node:fs/promises";
import { type Dispatcher, Pool } from "undici";
import { ANSWER_HEADER, timed } from "./tools.ts";

export interface RecordedRequest {
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
  readonly stages: readonly (readonly (readonly RecordedRequest[])[])[];
}

export interface Replayed {
  readonly seconds: number;
  /** The CPU time, without the start of the process. */
  readonly cpuSeconds: number;
  /** The number of responses with the same status as in the recorded run. */
  readonly same: number;
}

const { origin, stages } = JSON.parse(await readFile(process.argv[2] ?? "", "utf8")) as Replay;
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
let same = 0;
const send = async (lane: (typeof ready)[number][number]): Promise<void> => {
  for (const { status, ...request } of lane) {
    const { statusCode, body } = await pool.request(request);
    await body.dump();
    if (statusCode === status) same += 1;
  }
};

const atStart = process.cpuUsage();
const seconds = await timed(async () => {
  for (const lanes of ready) await Promise.all(lanes.map(send));
});
await pool.close();
const { user, system } = process.cpuUsage(atStart);
const cpuSeconds = (user + system) / 1e6;
process.stdout.write(JSON.stringify({ seconds, cpuSeconds, same } satisfies Replayed));
