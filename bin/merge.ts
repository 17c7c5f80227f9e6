/** `npm run merge -- DIR…`: the results of shards into one certificate. */
import { resolve } from "node:path";
import { Command, CommanderError } from "commander";
import { generateAllureReport } from "../reports/allure.ts";
import { BAD_ARGUMENTS, exitCodeOf } from "../reports/exit-code.ts";
import { MergeError, mergeShards } from "../reports/merge.ts";
import { allureReportDir, allureResultsDir } from "../reports/reporters.ts";

const merge = async (dirs: readonly string[], options: { out: string }): Promise<number> => {
  const out = resolve(options.out);
  const certificate = await mergeShards(
    dirs.map((dir) => resolve(dir)),
    out,
  );
  await generateAllureReport(allureResultsDir(out), allureReportDir(out)).catch((error: Error) =>
    console.error(error.message),
  );
  return exitCodeOf(certificate.outcome);
};

const command = new Command("merge")
  .description("Merges the results of shards into one certificate, the same as of an unsharded run.")
  .argument("<dir...>", "the --out directory of each shard")
  .option("--out <dir>", "where the certificate goes", "reports/out")
  .addHelpText("after", "\nExits 0 certified, 1 violations, 2 bad arguments, 3 incomplete.")
  .exitOverride()
  .action(async (dirs: string[], options: { out: string }) => {
    process.exitCode = await merge(dirs, options);
  });

try {
  await command.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : BAD_ARGUMENTS;
  else if (error instanceof MergeError) {
    console.error(error.message);
    process.exitCode = BAD_ARGUMENTS;
  } else throw error;
}
