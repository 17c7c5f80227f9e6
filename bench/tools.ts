/**
 * Shared tools of the benchmarks: table rows, parallel lanes of requests, and goals.
 */
import { createHash } from "node:crypto";

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

/** The limits for a measured value. A value without limits is only shown. */
export interface Goal {
  readonly most?: number;
  readonly least?: number;
  readonly unit: string;
  /** What keeps the value from the goal. It is shown if the goal is missed. */
  readonly floor?: string;
}

/** Formats a measured value with its goal, and a mark if it is missed. */
const goalLine = (words: string, value: number, goal: Goal): string =>
  `  ${words.padEnd(76)}${shortened(value).padStart(8)} ${goal.unit}${limitOf(value, goal)}`;

const limitOf = (value: number, goal: Goal): string => {
  const { most, least, unit } = goal;
  const missed = isMissed(value, goal) ? "  missed" : "";
  if (most !== undefined) return `  goal: at most ${most} ${unit}${missed}`;
  return least === undefined ? "" : `  goal: at least ${least} ${unit}${missed}`;
};

const shortened = (value: number): string => value.toFixed(value < 10 ? 1 : 0);

/**
 * Shows the median of the values from several rounds next to its goal, the values, and the speed of the machine at this
 * moment: two lines compare only if their speeds are alike.
 */
export const showRounds = (words: string, values: readonly number[], goal: Goal): void => {
  const shown = values.map(shortened).join(", ");
  const value = median(values);
  process.stdout.write(`${goalLine(words, value, goal)}  (${shown})  at ${machineSpeed()} MB/s\n`);
  if (goal.floor !== undefined && isMissed(value, goal)) process.stdout.write(`    ${goal.floor}\n`);
};

const isMissed = (value: number, { most = value, least = value }: Goal): boolean =>
  value > most || value < least;

const HASHED = Buffer.alloc(20_000_000);

/** Returns how many megabytes a second one processor hashes with SHA-256. */
const machineSpeed = (): number => {
  const started = performance.now();
  createHash("sha256").update(HASHED).digest();
  return Math.round(HASHED.length / 1_000 / (performance.now() - started));
};

/** Returns the middle one of the sorted values. */
const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Measures in several rounds, one after another. */
export const inRounds = async <Value>(
  rounds: number,
  measure: (round: number) => Promise<Value>,
): Promise<Value[]> => {
  const values: Value[] = [];
  for (let round = 0; round < rounds; round += 1) values.push(await measure(round));
  return values;
};

/** Returns the duration of `work` in seconds. */
export const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
};
