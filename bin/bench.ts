/**
 * `npm run bench`: measures where a run spends its time, and compares each result with a baseline from the same run on
 * the same machine. Quote the ratios, not the times.
 */
import { Argument, Command } from "commander";
import { benchProxy } from "../bench/proxy.ts";
import { benchRun } from "../bench/run.ts";
import { benchSandbox } from "../bench/sandbox.ts";
import { benchScale } from "../bench/scale.ts";
import { benchSoak } from "../bench/soak.ts";
import { services } from "../helpers/contract/services.ts";
import { parseWhole } from "../runner/command/options.ts";

const PARTS = ["run", "runs", "sandbox", "scale", "proxy"] as const;

const command = new Command("bench")
  .description(
    "Measures runs, the sandbox, and the sandbox with 100,000 customers and 1,000,000 transactions.\n" +
      "With the name of a part, it measures only that. With `soak`, it certifies in a loop instead, with signals, restarts of the target and network faults.",
  )
  .addArgument(
    new Argument("[what]", "what to measure; everything but soak by default").choices([...PARTS, "soak"]),
  )
  .option("--minutes <n>", "duration of soak", parseWhole(1, 1440), 20)
  .addHelpText(
    "after",
    "\nExit code of soak: 0 fine, 1 a wrong verdict, an unlisted resource or an unreadable certificate.",
  )
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
  .parse();

const all = services();

const MEASURED: Readonly<
  Record<(typeof PARTS)[number], readonly [what: string, measure: () => Promise<void>]>
> = {
  run: [`a run of ${all[0]}, and its replay`, () => benchRun(all.slice(0, 1))],
  runs: ["a run of all services, and its replay", () => benchRun(all)],
  sandbox: ["single operations of the sandbox", benchSandbox],
  scale: ["the sandbox at scale", benchScale],
  proxy: ["the recording proxy", benchProxy],
};

const [named] = command.args;
if (named === "soak") {
  process.exitCode = (await benchSoak(command.opts<{ minutes: number }>().minutes)) ? 0 : 1;
} else {
  for (const part of PARTS) {
    if (named !== undefined && named !== part) continue;
    const [what, measure] = MEASURED[part];
    process.stderr.write(`Measuring ${what} …\n`);
    await measure();
  }
}
