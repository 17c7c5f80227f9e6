/** A bare HTTP pool that sends what a run has sent: `node bench-replay.ts FILE`, of which the benchmark of runs is told. */
import { readFile } from "node:fs/promises";
import { type Dispatcher, Pool } from "undici";
import { timed } from "./tools.ts";

export interface Seen {
  readonly method: Dispatcher.HttpMethod;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A character an octet. */
  readonly body: string;
  /** With which it was answered. */
  readonly status: number;
}

export interface Replay {
  readonly origin: string;
  /** One after the other; the lanes of a stage side by side, and what is in a lane in its order. */
  readonly stages: readonly (readonly (readonly Seen[])[])[];
}

export interface Replayed {
  readonly seconds: number;
  /** How many were answered with the status that was seen in the run. */
  readonly same: number;
}

const { origin, stages } = JSON.parse(await readFile(process.argv[2] ?? "", "utf8")) as Replay;
const ready = stages.map((lanes) =>
  lanes.map((lane) => lane.map((seen) => ({ ...seen, body: Buffer.from(seen.body, "latin1") }))),
);
const pool = new Pool(origin, { connections: Math.max(...ready.map((lanes) => lanes.length)) });
let same = 0;
const send = async (lane: (typeof ready)[number][number]): Promise<void> => {
  for (const { status, ...request } of lane) {
    const { statusCode, body } = await pool.request(request);
    if (statusCode === status) same += 1;
    await body.dump();
  }
};
const seconds = await timed(async () => {
  for (const lanes of ready) await Promise.all(lanes.map(send));
});
await pool.close();
process.stdout.write(JSON.stringify({ seconds, same } satisfies Replayed));
