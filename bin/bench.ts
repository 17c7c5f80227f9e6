/**
 * `npm run bench`: measures where a run spends its time, and compares each result with a baseline from the same run on
 * the same machine. Quote the ratios, not the times.
 */
import { Command } from "commander";
import { benchProxy } from "../bench/proxy.ts";
import { benchRun } from "../bench/run.ts";
import { benchSandbox } from "../bench/sandbox.ts";
import { benchScale } from "../bench/scale.ts";
import { services } from "../helpers/contract/services.ts";

new Command("bench")
  .description(
    "Measures runs, the sandbox, and the sandbox with 100,000 customers and 1,000,000 transactions.",
  )
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
  .parse();

const all = services();

const MEASURED: readonly (readonly [what: string, measure: () => Promise<void>])[] = [
  [`a run of ${all[0]}, and its replay`, () => benchRun(all.slice(0, 1))],
  ["a run of all services, and its replay", () => benchRun(all)],
  ["single operations of the sandbox", benchSandbox],
  ["the sandbox at scale", benchScale],
  ["the recording proxy", benchProxy],
];

for (const [what, measure] of MEASURED) {
  process.stderr.write(`Measuring ${what} …\n`);
  await measure();
}
