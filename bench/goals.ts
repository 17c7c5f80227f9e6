/** Measures what users wait for next to the goals: counts, and ratios of commands that run in the same minutes. */
import { type MeasuredRun, measured, measuredRun } from "./commands.ts";
import { inRounds, showRounds } from "./tools.ts";

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
  const show = (
    words: string,
    most: number,
    unit: string,
    of: (one: (typeof measurements)[number]) => number,
  ) => showRounds(words, measurements.map(of), { most, unit });
  show("requests of a run of everything", 14_000, "requests", ({ run }) => run.exchanges);
  show("requests at quick depth", 4_000, "requests", ({ quick }) => quick.exchanges);
  const loading = "compared with loading the test runner";
  show(`the first verdict, ${loading}`, 3, "×", ({ run, runner }) => run.firstVerdict / runner.seconds);
  show(`certify --help, ${loading}`, 1.1, "×", ({ help, runner }) => help.seconds / runner.seconds);
  const cpuSeconds = (runs: readonly MeasuredRun[]): number =>
    runs.reduce((sum, run) => sum + run.cpuSeconds, 0);
  show(
    `CPU time of ${SHARDS} shards, compared with one run`,
    1.25,
    "×",
    ({ run, shards }) => cpuSeconds(shards) / run.cpuSeconds,
  );
};
