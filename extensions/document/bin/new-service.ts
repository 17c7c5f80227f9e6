/**
 * `npm run new-service -- NAME --from openapi.yaml`: writes the folders of a service from any OpenAPI document, or updates
 * them from its next version. The package writes only the contract, in the folder of the user.
 */
import { fileURLToPath } from "node:url";
import { commandWith, IS_PACKAGED } from "../../../helpers/contract/code.ts";
import { ContractError } from "../../../helpers/contract/documents/source-file.ts";
import { hasOnlyContract, OWN_SERVICES, services } from "../../../helpers/contract/services.ts";
import { ConfigurationError } from "../../../helpers/target/load-target.ts";
import { print } from "../../../reports/print.ts";
import { createCommand } from "../../../runner/command/command.ts";
import { runCommand } from "../../../runner/command/run-command.ts";
import { filesOf } from "../new-service/folders.ts";
import { writeService } from "../new-service/write.ts";
import { convert } from "../reading/convert.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

const command = createCommand("new-service")
  .description(
    "Writes the folders of a service from any OpenAPI document (3.0 or 3.1): derived requirements, generated trials,\n" +
      "and a sandbox with state by the conventions of paths.\n" +
      "If the service exists, it is updated from the document, and what you changed stays.",
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
    if (IS_PACKAGED && services().includes(name) && !hasOnlyContract(name))
      throw new ConfigurationError(`${name} is a service of the package. Choose another name.`);
    const converted = convert(name, from);
    if (converted.operations.length === 0)
      throw new ConfigurationError(`${from} has no operations: give a document with paths.`);
    const { files, kept } = IS_PACKAGED
      ? writeService(".", filesOf(name, converted, OWN_SERVICES))
      : writeService(ROOT, filesOf(name, converted));
    for (const file of files) print(`${file}\n`);
    for (const place of kept) print(`Yours is kept, although the document changes it: ${place}\n`);
    print(`\nNext: ${commandWith("certify", "--service", name)}\n`);
  });

await runCommand(() => command.parseAsync(), [ConfigurationError, ContractError]);
