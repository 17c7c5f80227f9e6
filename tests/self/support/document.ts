/** Opens the sandbox of a document in the process of the test. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { contractFiles } from "../../../extensions/document/reading/contract-files.ts";
import { convert } from "../../../extensions/document/reading/convert.ts";
import type { Contract } from "../../../helpers/contract/contract.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { DOCUMENT_FOLDER } from "../../../helpers/contract/services.ts";
import { startSandbox } from "../../../mocks/engine/server.ts";

/**
 * Nothing else may read the services of the process meanwhile: it would keep this one.
 * @param root a folder for its files
 * @param text of an OpenAPI document in YAML
 * @param use gets the base URL of the sandbox
 */
export const onDocument = async <Value>(
  root: string,
  service: string,
  text: string,
  use: (contract: Contract, baseUrl: string) => Promise<Value>,
): Promise<Value> => {
  const [document, folder] = [join(root, `${service}.yaml`), join(root, "schemas", service)];
  mkdirSync(folder, { recursive: true });
  writeFileSync(document, text);
  for (const [name, content] of Object.entries(contractFiles(service, convert(service, document))))
    writeFileSync(join(folder, name), content);
  process.env[DOCUMENT_FOLDER] = join(root, "schemas");
  try {
    const contract = await loadContract(service, { folder });
    const sandbox = await startSandbox({ contracts: [contract] });
    return await use(contract, sandbox.baseUrls[service] ?? "").finally(sandbox.close);
  } finally {
    delete process.env[DOCUMENT_FOLDER];
  }
};
