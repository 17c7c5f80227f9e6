/** Opens the sandbox of a document in the process of the test. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Contract } from "../../../helpers/contract/contract.ts";
import { givenPart, missing } from "../../../helpers/contract/extension.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { DOCUMENT_FOLDER } from "../../../helpers/contract/services.ts";
import { startSandbox } from "../../../mocks/engine/server.ts";
import type { Source } from "../../../runner/extensions.ts";

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
  const document = join(root, `${service}.yaml`);
  mkdirSync(root, { recursive: true });
  writeFileSync(document, text);
  const schemas = await schemasOf(document);
  process.env[DOCUMENT_FOLDER] = schemas;
  try {
    const contract = await loadContract(service, { folder: join(schemas, service) });
    const sandbox = await startSandbox({ contracts: [contract] });
    return await use(contract, sandbox.baseUrls[service] ?? "").finally(sandbox.close);
  } finally {
    delete process.env[DOCUMENT_FOLDER];
  }
};

/** Returns the folder with the contract of a document, whose file has the name of the service. */
export const schemasOf = async (document: string): Promise<string> => {
  const source = await givenPart<Source>("source");
  if (source === undefined) throw missing(document);
  return (await source.open(["--document", document], "contract")).schemas;
};
