/** `npm run new-service -- NAME --from openapi.yaml`: writes the folders of a service from any OpenAPI document. */
import { fileURLToPath } from "node:url";
import { commandWith } from "../helpers/contract/code.ts";
import { ContractError } from "../helpers/contract/source-file.ts";
import { ConfigurationError } from "../helpers/target/load-target.ts";
import { print } from "../reports/print.ts";
import { createCommand } from "../runner/command/command.ts";
import { runCommand } from "../runner/command/run-command.ts";
import { convert } from "../runner/document/convert.ts";
import { writeFolders } from "../runner/new-service/folders.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

const command = createCommand("new-service")
  .description(
    "Writes the folders of a service from any OpenAPI document (3.0 or 3.1): derived requirements, generated trials,\n" +
      "and a sandbox with state by the conventions of paths.",
  )
  .argument("<name>", "name of the service, for example parcel-pickup")
  .option("--from <file>", "the OpenAPI document")
  .addHelpText("after", "\nExit code: 0 written, 2 bad arguments or document.")
  .exitOverride()
  .action((name: string, { from }: { from?: string }) => {
    if (from === undefined) throw new ConfigurationError("Give the OpenAPI document with --from FILE.");
    if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
      throw new ConfigurationError(
        `"${name}" is no name of a service: use lower-case words joined by hyphens.`,
      );
    const converted = convert(name, from);
    if (converted.operations.length === 0)
      throw new ConfigurationError(`${from} has no operations: give a document with paths.`);
    const files = writeFolders(ROOT, name, converted);
    for (const file of files) print(`${file}\n`);
    print(`\nNext: ${commandWith("certify")} --service ${name}\n`);
  });

await runCommand(() => command.parseAsync(), [ConfigurationError, ContractError]);
