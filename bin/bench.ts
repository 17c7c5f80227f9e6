/**
 * `npm run bench`: measures where a run spends its time, and compares each result with a baseline from the same run on
 * the same machine. Quote the ratios, not the times.
 */
import { Argument } from "commander";
import { benchFloor } from "../bench/floor.ts";
import { benchGoals } from "../bench/goals.ts";
import { benchGrowth } from "../bench/growth.ts";
import { benchLanes } from "../bench/lanes.ts";
import { benchProfile } from "../bench/profile.ts";
import { benchProxy } from "../bench/proxy.ts";
import { benchRun } from "../bench/run.ts";
import { benchSandbox } from "../bench/sandbox.ts";
import { services } from "../helpers/contract/services.ts";
import { note } from "../reports/print.ts";
import { createCommand } from "../runner/command/command.ts";
import { parseWhole } from "../runner/command/options.ts";

const command = createCommand("bench")
  .description(
    "Measures the product next to its goals. Without an argument, it measures all but profile, for about an hour.\n\n" +
      "  goals    what users wait for\n" +
      "  floor    what a run costs at least: the test runner, the requests and the answers\n" +
      "  lanes    what developers wait for: the self tests, compared with a run\n" +
      "  growth   generated services of 10 to 1,000 operations, and 200,000 exchanges\n" +
      "  run      runs, compared with a client that only sends the same requests\n" +
      "  sandbox  its start, and 100,000 customers\n" +
      "  proxy    the recording proxy\n" +
      "  profile  the CPU time of a run by process and folder of the code",
  )
  .addArgument(
    new Argument("[what]", "what to measure").choices([
      "goals",
      "floor",
      "lanes",
      "growth",
      "run",
      "sandbox",
      "proxy",
      "profile",
    ]),
  )
  .option(
    "--rounds <n>",
    "rounds of goals, floor, lanes, growth and run; each line shows the median",
    parseWhole(1, 100),
    3,
  )
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
  .parse();

const { rounds } = command.opts<{ readonly rounds: number }>();

const all = services();

const MEASURED: readonly (readonly [name: string, what: string, measure: () => Promise<void>])[] = [
  ["goals", "what users wait for", () => benchGoals(rounds)],
  ["floor", "what a run costs at least", () => benchFloor(rounds)],
  ["lanes", "what developers wait for", () => benchLanes(rounds)],
  ["growth", "growth", () => benchGrowth(rounds)],
  ["run", `a run of ${all[0]}, and its replay`, () => benchRun(all.slice(0, 1), 2.5, rounds)],
  ["run", "a run of all services, and its replay", () => benchRun(all, 1.8, rounds)],
  ["sandbox", "the sandbox", benchSandbox],
  ["proxy", "the recording proxy", benchProxy],
];

const [asked] = command.args;
if (asked === "profile") {
  note("Profiling a run of all services …\n");
  await benchProfile();
} else {
  for (const [name, what, measure] of MEASURED) {
    if (asked !== undefined && asked !== name) continue;
    note(`Measuring ${what} …\n`);
    await measure();
  }
}
