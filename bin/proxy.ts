/** `npm run proxy`: records a caller in front of the embedded sandbox or a target, and judges it. */
import { Command, InvalidArgumentError } from "commander";
import { ContractError } from "../helpers/contract/source-file.ts";
import { ConfigurationError, loadTarget } from "../helpers/target/load-target.ts";
import {
  addBaselineOptions,
  BASELINE_HELP,
  type BaselineFlags,
  readBaselineOptions,
} from "../runner/command/baseline-options.ts";
import { loadContracts, type ProviderFiles, providerFiles } from "../runner/command/contracts.ts";
import { contractOption, parseList, parseWhole, serviceOption } from "../runner/command/options.ts";
import { runCommand } from "../runner/command/run-command.ts";
import { runProxy } from "../runner/proxy/run-proxy.ts";

interface Flags extends BaselineFlags {
  readonly target?: string;
  readonly port: number;
  readonly service: readonly string[];
  readonly contract: ProviderFiles;
  readonly until?: number;
  readonly out: string;
  readonly har?: true;
  readonly exercise: readonly string[];
  readonly slow?: true;
}

const main = async (): Promise<number> => {
  const command = commandLine().parse();
  const flags = command.opts<Flags>();
  const baseline = await readBaselineOptions(flags);
  const configured = flags.target === undefined ? undefined : loadTarget(flags.target, process.env);
  const files = providerFiles(flags.service, flags.contract, configured?.values ?? process.env);
  const contracts = await loadContracts(flags.service, files);
  const sandbox =
    configured === undefined ? await (await import("../runner/embedded.ts")).embedded(contracts) : undefined;
  const target = configured ?? sandbox?.target;
  if (target === undefined) throw new ConfigurationError("There is no target.");
  try {
    return await runProxy({
      target,
      contracts,
      port: flags.port,
      out: flags.out,
      har: flags.har === true,
      exercises: flags.exercise,
      slow: flags.slow === true,
      command: command.args,
      baseline,
      ...(flags.until !== undefined && { idleSeconds: flags.until }),
    });
  } finally {
    await sandbox?.close();
  }
};

const commandLine = (): Command =>
  addBaselineOptions(new Command("proxy"))
    .description(
      "Records a caller: a reverse proxy in front of the embedded sandbox, or of the target. Its first line on standard\n" +
        "output is one line of JSON with the base URLs and credentials to use. It ends with Ctrl-C, after a time without\n" +
        "requests (--until), or with the command after --, and then writes a certificate of the caller.",
    )
    .argument(
      "[command...]",
      "a command that contains the caller; it gets base URLs and credentials as environment variables",
    )
    .option("--target <name>", "the server configured in .env.<name> and the environment")
    .option("--port <n>", "port on 127.0.0.1; 0 takes a free one", parseWhole(0, 65_535), 0)
    .addOption(serviceOption("services to record", "tests"))
    .addOption(contractOption())
    .option("--until <idle=SECONDSs>", "end after this time without a request, as in idle=60s", parseIdle)
    .option(
      "--exercise <all|id,…>",
      "situations to make, so that the caller shows how it behaves",
      parseList,
      [],
    )
    .option("--slow", "let exercises wait in real time, for callers that do not use the clock of the proxy")
    .option("--har", "write the log as an HTTP archive (HAR 1.2) as well")
    .option("--out <dir>", "folder for the log and the results", "reports/out")
    .option("--accept <file>", "findings that are known and accepted, by fingerprint")
    .addHelpText(
      "after",
      `${BASELINE_HELP}\n\nExit code: 0 certified, 1 violations, 2 bad arguments or configuration, 3 nothing was judged.`,
    )
    .exitOverride();

const parseIdle = (text: string): number => {
  const [, seconds] = /^idle=(\d+)s$/.exec(text) ?? [];
  if (seconds === undefined) throw new InvalidArgumentError("Write it as idle=60s.");
  return Number(seconds);
};

await runCommand(main, [ConfigurationError, ContractError]);
