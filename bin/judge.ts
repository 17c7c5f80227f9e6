/** `npm run judge`: judges recorded traffic, both the requests of the callers and the answers of the server. */
import { Command } from "commander";
import { ContractError } from "../helpers/contract/source-file.ts";
import { ConfigurationError, loadTarget } from "../helpers/target/load-target.ts";
import { judgeFiles } from "../runner/caller/judge-files.ts";
import {
  addBaselineOptions,
  BASELINE_HELP,
  type BaselineFlags,
  readBaselineOptions,
} from "../runner/command/baseline-options.ts";
import { loadContracts, type ProviderFiles, providerFiles } from "../runner/command/contracts.ts";
import { contractOption, serviceOption } from "../runner/command/options.ts";
import { runCommand } from "../runner/command/run-command.ts";

interface Flags extends BaselineFlags {
  readonly target?: string;
  readonly service: readonly string[];
  readonly contract: ProviderFiles;
  readonly out: string;
}

const main = async (): Promise<number> => {
  const command = commandLine().parse();
  const flags = command.opts<Flags>();
  const baseline = await readBaselineOptions(flags);
  const target = flags.target === undefined ? undefined : loadTarget(flags.target, process.env);
  const files = providerFiles(flags.service, flags.contract, target?.values ?? process.env);
  const contracts = await loadContracts(flags.service, files);
  const { exitCode, text } = await judgeFiles({
    files: command.args,
    contracts,
    target,
    out: flags.out,
    baseline,
  });
  process.stdout.write(text);
  return exitCode;
};

const commandLine = (): Command =>
  addBaselineOptions(new Command("judge"))
    .description(
      "Judges recorded traffic: logs of npm run proxy, and HTTP archives (HAR) of any tool, also compressed with gzip.\n" +
        "Writes a certificate of the callers to --out, and one of the server to its folder service.",
    )
    .argument("<traffic...>", "files of recorded traffic")
    .option(
      "--target <name>",
      "the server whose base URLs the traffic uses; by default they are found in the traffic",
    )
    .addOption(serviceOption("services to judge", "tests"))
    .addOption(contractOption())
    .option("--out <dir>", "folder for the results", "reports/out")
    .option("--accept <file>", "findings that are known and accepted, by fingerprint")
    .addHelpText(
      "after",
      `${BASELINE_HELP}\n\nExit code: 0 certified, 1 violations, 2 bad arguments or configuration, 3 nothing was judged.`,
    )
    .exitOverride();

await runCommand(main, [ConfigurationError, ContractError]);
