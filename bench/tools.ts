/**
 * Shared tools of the benchmarks: table rows, parallel lanes of requests, and goals.
 */
import { type Dispatcher, Pool } from "undici";

export interface Recorded {
  readonly method: Dispatcher.HttpMethod;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

export interface Measurement {
  readonly what: string;
  readonly requests: number;
  readonly seconds: number;
}

/** The header with the index of the recorded answer to a request. */
export const ANSWER_HEADER = "x-bench-answer";

/** Port 0: the system chooses a free port. */
export const ANY_PORT = 0;

export const tableRow = ({ what, requests, seconds }: Measurement): string =>
  `  ${what.padEnd(26)}${seconds.toFixed(2).padStart(8)} s${Math.round(requests / seconds)
    .toLocaleString("en-US")
    .padStart(10)} requests/s`;

/** Formats how many times longer `one` took than `other`. */
export const ratio = (words: string, one: Measurement, other: Measurement, what: string): string =>
  `  ${words} ${(one.seconds / other.seconds).toFixed(1)} × as long as the ${what}`;

/** A limit for a measured value. */
export interface Goal {
  /** Absent if there is none. */
  readonly most?: number;
  readonly unit: string;
}

/** Formats a measured value with its goal, and a mark if it is missed. */
export const goalLine = (words: string, value: number, { most, unit }: Goal): string => {
  const goal = most === undefined ? "" : `  goal: at most ${most} ${unit}${value > most ? "  missed" : ""}`;
  return `  ${words.padEnd(76)}${value.toFixed(value < 10 ? 1 : 0).padStart(8)} ${unit}${goal}`;
};

/** Returns the duration of `work` in seconds. */
export const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
};

/** Sends all requests. @param lanes how many run in parallel, each sending one request after the other */
export const replay = async (origin: string, requests: readonly Recorded[], lanes: number): Promise<void> => {
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
