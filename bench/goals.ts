/** Measures what users wait for next to the goals: counts, and ratios of commands that run in the same minutes. */
import { services } from "../helpers/contract/services.ts";
import type { RankedTrial } from "../helpers/trials/trial-order.ts";
import { classesOf, trialOrder } from "../reports/certificate/trial-order.ts";
import { type MeasuredRun, measured, measuredRun } from "./commands.ts";
import { type Goal, inRounds, showRounds } from "./tools.ts";

/** Shares of the classes of faults in percent, by the number of requests that find them. */
const SHARES = [
  [400, 70],
  [1_500, 90],
  [4_000, 92],
] as const;

const SHARDS = 4;

export const benchGoals = async (rounds: number): Promise<void> => {
  process.stdout.write("\nWhat users wait for\n\n");
  const measurements = await inRounds(rounds, async () => ({
    runner: await measured(["exec", "--", "playwright", "--version"]),
    help: await measured(["run", "--silent", "certify", "--", "--help"]),
    quick: await measuredRun(["--depth", "quick"]),
    run: await measuredRun([]),
    shards: await inRounds(SHARDS, (index) => measuredRun(["--shard", `${index + 1}/${SHARDS}`])),
  }));
  const show = (words: string, goal: Goal, of: (one: (typeof measurements)[number]) => number): void =>
    showRounds(words, measurements.map(of), goal);
  show("requests of a run of everything", { most: 14_000, unit: "requests" }, ({ run }) => run.exchanges);
  show("requests at quick depth", { most: 4_000, unit: "requests" }, ({ quick }) => quick.exchanges);
  const all = services();
  for (const [budget, least] of SHARES) {
    const share = (100 * classesFoundWithin(trialOrder(all), budget)) / classesOf(all);
    const goal = { least, unit: "%", floor: SINGLE };
    showRounds(`classes of faults found with ${budget.toLocaleString("en-US")} requests`, [share], goal);
  }
  const loading = "compared with loading the test runner";
  show(
    `the first verdict, ${loading}`,
    { most: 3, unit: "×", floor: PROCESSES },
    ({ run, runner }) => run.firstVerdict / runner.seconds,
  );
  show(
    `certify --help, ${loading}`,
    { most: 1.1, unit: "×" },
    ({ help, runner }) => help.seconds / runner.seconds,
  );
  const cpuSeconds = (runs: readonly MeasuredRun[]): number =>
    runs.reduce((sum, run) => sum + run.cpuSeconds, 0);
  show(
    `CPU time of ${SHARDS} shards, compared with one run`,
    { most: 1.25, unit: "×", floor: STARTS },
    ({ run, shards }) => cpuSeconds(shards) / run.cpuSeconds,
  );
  show(
    "requests of the shards, compared with one run",
    { unit: "×" },
    ({ run, shards }) => shards.reduce((sum, { exchanges }) => sum + exchanges, 0) / run.exchanges,
  );
};

/** Returns how many classes of faults the first trials of an order find with a number of requests. */
const classesFoundWithin = (order: readonly RankedTrial[], budget: number): number => {
  let sent = 0;
  return order.reduce((sum, { requests, classes }) => {
    sent += requests;
    return sent <= budget ? sum + classes : sum;
  }, 0);
};

const SINGLE =
  "a refused request carries one error, and most other classes show only after calls that arrange a state";
const PROCESSES =
  "the command, the test runner and its worker start one after another, and each loads its code";
const STARTS =
  "each shard starts, and each process compiles its code anew; each shard also arranges what its trials share";
