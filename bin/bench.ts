/**
 * `npm run bench`: measures where a run spends its time, and compares each result with a baseline from the same run on
 * the same machine. Quote the ratios, not the times.
 */
import { Argument, Command } from "commander";
import { benchGoals } from "../bench/goals.ts";
import { benchGrowth } from "../bench/growth.ts";
import { benchProfile } from "../bench/profile.ts";
import { benchProxy } from "../bench/proxy.ts";
import { benchRun } from "../bench/run.ts";
import { benchSandbox } from "../bench/sandbox.ts";
import { benchSoak } from "../bench/soak.ts";
import { services } from "../helpers/contract/services.ts";
import { parseWhole } from "../runner/command/options.ts";

const command = new Command("bench")
  .description(
    "Measures what users wait for next to its goals, runs, the sandbox (each operation, a whole run, its start,\n" +
      "100,000 customers) and the proxy.\n" +
      "With `growth`, it certifies generated services of 10 to 1,000 operations, and opens a large certificate.\n" +
      "With `profile`, it shows the CPU time of a run by process and folder of the code.\n" +
      "With `soak`, it certifies in a loop instead, with signals, restarts of the target and network faults.",
  )
  .addArgument(
    new Argument("[what]", "what to measure; goals, run, sandbox and proxy by default").choices([
      "goals",
      "run",
      "sandbox",
      "proxy",
      "growth",
      "profile",
      "soak",
    ]),
  )
  .option("--minutes <n>", "duration of soak", parseWhole(1, 1440), 20)
  .addHelpText(
    "after",
    "\nExit code of soak: 0 fine, 1 a wrong verdict, an unlisted resource or an unreadable certificate.",
  )
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
  .parse();

const all = services();

const MEASURED: readonly (readonly [name: string, what: string, measure: () => Promise<void>])[] = [
  ["goals", "what users wait for", benchGoals],
  ["run", `a run of ${all[0]}, and its replay`, () => benchRun(all.slice(0, 1))],
  ["run", "a run of all services, and its replay", () => benchRun(all)],
  ["sandbox", "the sandbox", benchSandbox],
  ["proxy", "the recording proxy", benchProxy],
];

const [asked] = command.args;
if (asked === "soak") {
  process.exitCode = (await benchSoak(command.opts<{ minutes: number }>().minutes)) ? 0 : 1;
} else if (asked === "profile") {
  process.stderr.write("Profiling a run of all services …\n");
  await benchProfile();
} else if (asked === "growth") {
  process.stderr.write("Certifying generated services …\n");
  await benchGrowth();
} else {
  for (const [name, what, measure] of MEASURED) {
    if (asked !== undefined && asked !== name) continue;
    process.stderr.write(`Measuring ${what} …\n`);
    await measure();
  }
}
