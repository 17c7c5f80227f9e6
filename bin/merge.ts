/** `npm run merge -- DIR…`: merges the results of shards into one certificate. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { generateAllureReport } from "../reports/folder/allure.ts";
import { MergeError, mergeShards } from "../reports/folder/merge.ts";
import { allureReportDir, allureResultsDir } from "../reports/folder/reporters.ts";
import { note } from "../reports/print.ts";
import {
  addBaselineOptions,
  type BaselineFlags,
  conclude,
  readBaselineOptions,
} from "../runner/command/baseline-options.ts";
import { createCommand } from "../runner/command/command.ts";
import { runCommand } from "../runner/command/run-command.ts";
import { extended } from "../runner/extensions.ts";

interface Flags extends BaselineFlags {
  readonly out: string;
}

const merge = async (dirs: readonly string[], flags: Flags): Promise<number> => {
  const baselineOptions = await readBaselineOptions(flags);
  const out = resolve(flags.out);
  await mergeShards(
    dirs.map((dir) => resolve(dir)),
    out,
    baselineOptions.baseline,
  );
  const results = allureResultsDir(out);
  if (existsSync(results)) {
    await generateAllureReport(results, allureReportDir(out)).catch((error: Error) =>
      note(`${error.message}\n`),
    );
  }
  return conclude(out, baselineOptions);
};

const commandLine = () =>
  addBaselineOptions(createCommand("merge"))
    .description("Merges the results of shards into one certificate, the same as of an unsharded run.")
    .argument("<dir...>", "the --out directory of each shard")
    .option("--out <dir>", "folder for the certificate", "reports/out")
    .addHelpText(
      "after",
      "\nFindings that the shards accept (accept) stay accepted." +
        "\nExit code: 0 certified, 1 violations, 2 bad arguments, 3 incomplete.",
    )
    .exitOverride()
    .action(async (dirs: string[], flags: Flags) => {
      process.exitCode = await merge(dirs, flags);
    });

const main = async (): Promise<void> => {
  await (await extended(commandLine, "contract")).parseAsync();
};

await runCommand(main, [MergeError]);
