/** `npm run judge`: judges recorded traffic, both the requests of the callers and the answers of the server. */

import type { Command } from "commander";
import { commandName } from "../helpers/contract/code.ts";
import { print } from "../reports/print.ts";
import { judgeFiles } from "../runner/client/judge-files.ts";
import { addCallerOptions, type CallerFlags, readCallerOptions } from "../runner/command/caller-options.ts";
import { createCommand } from "../runner/command/command.ts";
import { runCommand } from "../runner/command/run-command.ts";
import { addDocumentOptions, takeDocument } from "../runner/document/options.ts";

const main = async (): Promise<number> => {
  await takeDocument("server or sandbox");
  const command = commandLine().parse();
  const options = await readCallerOptions(command.opts<CallerFlags>());
  const { exitCode, text } = await judgeFiles({ ...options, files: command.args });
  print(text);
  return exitCode;
};

const commandLine = (): Command =>
  addCallerOptions(addDocumentOptions(createCommand("judge"), "server or sandbox"), {
    target: "the server whose base URLs the traffic uses; by default they are found in the traffic",
    service: "services to judge",
    out: "folder for the results",
  })
    .description(
      `Judges recorded traffic: logs of ${commandName("proxy")}, and HTTP archives (HAR) of any tool, also compressed with gzip.\n` +
        "Writes a certificate of the callers to --out, and one of the server to its folder service.",
    )
    .argument("<traffic...>", "files of recorded traffic");

await runCommand(main);
