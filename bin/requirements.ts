/** `npm run requirements`: prints the register: each requirement with id, level, source and how it is tried. */
import { type Command, Option } from "commander";
import { IS_PACKAGED } from "../helpers/contract/code.ts";
import type { Service } from "../helpers/contract/contract.ts";
import { loadContract } from "../helpers/contract/load.ts";
import { schemasFolder, services } from "../helpers/contract/services.ts";
import { jsonText } from "../helpers/exchange/visible.ts";
import { print } from "../reports/print.ts";
import { type RegisterRow, registerRows, registerTable } from "../reports/render/register.ts";
import { createCommand } from "../runner/command/command.ts";
import { freeze } from "../runner/command/freeze.ts";
import { parseServices } from "../runner/command/options.ts";
import {
  addRequirementFilters,
  documentOfCertificate,
  filtered,
  type RequirementFilters,
} from "../runner/command/requirement-filters.ts";
import { runCommand } from "../runner/command/run-command.ts";
import { writeSituationFiles } from "../runner/command/situation-files.ts";
import { extended } from "../runner/extensions.ts";
import { halfTrials } from "../runner/half-trials.ts";
import { isGiven } from "../runner/options-file.ts";

const FORMATS = ["table", "json"] as const;

interface Flags extends RequirementFilters {
  readonly service?: Service[];
  readonly format: (typeof FORMATS)[number];
  readonly freeze?: true;
  readonly situations?: true;
}

const render = (rows: readonly RegisterRow[], format: (typeof FORMATS)[number]): string =>
  format === "json"
    ? `${jsonText(rows, 2)}\n`
    : registerTable(rows, Math.max(80, process.stdout.columns ?? 80));

const commandLine = (): Command => {
  const command = addRequirementFilters(createCommand("requirements"))
    .description("Lists every requirement with id, level, source and how it is tried.")
    .option("--service <a,b>", "only these services", (list: string) => parseServices(list))
    .addOption(new Option("--format <format>", "output format").choices(FORMATS).default("table"))
    .exitOverride()
    .action(async (options: Flags) => {
      const contracts = await Promise.all(
        services()
          .filter((service) => options.service?.includes(service) ?? true)
          .map((service) => loadContract(service)),
      );
      if (options.freeze) {
        for (const contract of contracts)
          print(`${await freeze(contract, schemasFolder(contract.service))}\n`);
        return;
      }
      if (options.situations) {
        for (const file of writeSituationFiles()) print(`${file}\n`);
        return;
      }
      const rows = filtered(registerRows(contracts, await halfTrials(contracts)), options);
      print(render(rows, options.format));
    });

  // These options write to `schemas/`, which the installed package does not change.
  return IS_PACKAGED
    ? command
    : command
        .option("--freeze", "freeze the requirements as the set of the present contract version")
        .option("--situations", "write the JSON Schema and the template of situations files to schemas/");
};

await runCommand(async () => {
  if (!isGiven("--document")) process.argv.splice(2, 0, ...documentOfCertificate());
  await (await extended(commandLine, "contract")).parseAsync();
});
