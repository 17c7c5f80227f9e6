/** `npm run clean -- CERTIFICATE`: removes what a run left on its target, from the leftovers file beside the certificate. */
import { statSync } from "node:fs";
import { dirname } from "node:path";
import { fileProblem } from "../helpers/contract/documents/file-problem.ts";
import { leftoversPath, readLeftovers } from "../helpers/run/leftovers.ts";
import { ConfigurationError, loadTarget } from "../helpers/target/load-target.ts";
import { EXIT_INCOMPLETE } from "../reports/certificate/exit-code.ts";
import { claimFolder } from "../reports/folder/out-folder.ts";
import { print } from "../reports/print.ts";
import { cleanLater } from "../runner/clean-later.ts";
import { createCommand } from "../runner/command/command.ts";
import { loadContracts, providerFiles } from "../runner/command/contracts.ts";
import { runCommand } from "../runner/command/run-command.ts";

const command = createCommand("clean")
  .description(
    "Removes what a run left on its target: the resources in leftovers.ndjson beside the certificate. The removal needs no\n" +
      "permission, because the run created them itself. What remains stays in the file, with the calls that would remove it.",
  )
  .argument("<certificate>", "certificate.json of the run, or its folder")
  .option("--target <name>", "the server, if its settings have another name now")
  .addHelpText(
    "after",
    "\nExit code: 0 nothing remains, 2 bad arguments or configuration, 3 something remains.",
  )
  .exitOverride();

const main = async (): Promise<number> => {
  command.parse();
  const [given = ""] = command.args;
  const out = folderOf(given);
  const runs = readLeftovers(out);
  if (runs.length === 0) {
    print(`Nothing to remove: there is no ${leftoversPath(out)}.\n`);
    return 0;
  }
  claimFolder(out);
  const { target: named } = command.opts<{ target?: string }>();
  let remaining = 0;
  for (const name of new Set(runs.map(({ target }) => target))) {
    const target = { ...loadTarget(named ?? name, process.env), name };
    const services = Object.keys(target.baseUrls);
    const contracts = await loadContracts(services, providerFiles(services, {}, target.values), {
      bindings: target.values.BINDINGS,
    });
    remaining += await cleanLater(out, target, contracts);
  }
  return remaining === 0 ? 0 : EXIT_INCOMPLETE;
};

const folderOf = (given: string): string => {
  try {
    return statSync(given).isDirectory() ? given : dirname(given);
  } catch (error) {
    throw new ConfigurationError(`${given} can't be read: ${fileProblem(error)}.`);
  }
};

await runCommand(main);
