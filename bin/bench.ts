/**
 * `npm run bench`: measures where a run spends its time, and compares each result with a baseline from the same run on
 * the same machine. Quote the ratios, not the times.
 */
import { Argument } from "commander";
import { benchGoals } from "../bench/goals.ts";
import { benchRun } from "../bench/run.ts";
import { services } from "../helpers/contract/services.ts";
import { note } from "../reports/print.ts";
import { createCommand } from "../runner/command/command.ts";
import { parseWhole } from "../runner/command/options.ts";

const command = createCommand("bench")
  .description(
    "Measures the product next to its goals. Without an argument, it measures both, for about half an hour.\n\n" +
      "  goals    what users wait for\n" +
      "  run      runs, compared with a client that only sends the same requests",
  )
  .addArgument(new Argument("[what]", "what to measure").choices(["goals", "run"]))
  .option("--rounds <n>", "rounds of goals and run; each line shows the median", parseWhole(1, 100), 3)
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
  .parse();

const { rounds } = command.opts<{ readonly rounds: number }>();

const all = services();

const MEASURED: readonly (readonly [name: string, what: string, measure: () => Promise<void>])[] = [
  ["goals", "what users wait for", () => benchGoals(rounds)],
  ["run", `a run of ${all[0]}, and its replay`, () => benchRun(all.slice(0, 1), 2.5, rounds)],
  ["run", "a run of all services, and its replay", () => benchRun(all, 1.8, rounds)],
];

const [asked] = command.args;
for (const [name, what, measure] of MEASURED) {
  if (asked !== undefined && asked !== name) continue;
  note(`Measuring ${what} …\n`);
  await measure();
}
