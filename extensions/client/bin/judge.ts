/** `npm run judge`: judges recorded traffic, both the requests of the callers and the answers of the server. */
import type { Command } from "commander";
import { commandName } from "../../../helpers/contract/code.ts";
import { print } from "../../../reports/print.ts";
import { createCommand } from "../../../runner/command/command.ts";
import { providerFiles } from "../../../runner/command/contracts.ts";
import { runCommand } from "../../../runner/command/run-command.ts";
import { upgradedService } from "../../../runner/command/since.ts";
import { extended, versionAt } from "../../../runner/extensions.ts";
import { addCallerOptions, type CallerFlags, readCallerOptions } from "../certifying/caller-options.ts";
import { judgeFiles } from "../certifying/judge-files.ts";

const main = async (): Promise<number> => {
  const command = (await extended(commandLine, "address")).parse();
  const flags = command.opts<Flags>();
  const options = await readCallerOptions(flags);
  const service = upgradedService(flags, providerFiles(flags.service, flags.contract, process.env));
  const contract = options.contracts.find((one) => one.service === service);
  const since = contract && flags.since !== undefined ? await versionAt(contract, flags.since) : undefined;
  const { exitCode, text } = await judgeFiles({ ...options, files: command.args, since });
  print(text);
  return exitCode;
};

interface Flags extends CallerFlags {
  readonly since?: string;
}

const commandLine = (): Command =>
  addCallerOptions(createCommand("judge"), {
    target: "the server whose base URLs the traffic uses; by default they are found in the traffic",
    service: "services to judge",
    out: "folder for the results",
  })
    .description(
      `Judges recorded traffic: logs of ${commandName("proxy")}, and HTTP archives (HAR) of any tool, also compressed with gzip.\n` +
        "Writes a certificate of the callers to --out, and one of the server to its folder service.",
    )
    .option(
      "--since <file>",
      "the document that --contract replaces, to name the changes that refuse calls; by default the document of the recording, which a log names",
    )
    .argument("<traffic...>", "files of recorded traffic");

await runCommand(main);
