/** `npm run requirements -- --freeze`: freezes the requirements of the current versions of the contracts. */
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Contract } from "../../helpers/contract/contract.ts";
import { ContractError, readSource } from "../../helpers/contract/documents/source-file.ts";
import { frozenIds, requirementSetPath, requirementSetText } from "../../helpers/contract/requirement-set.ts";

/**
 * @param folder the folder of the contract's service
 * @returns a line that reports the result
 * @throws ContractError when the version is frozen with other requirements
 */
export const freeze = async (
  { service, version, requirements }: Pick<Contract, "service" | "version" | "requirements">,
  folder: string,
): Promise<string> => {
  const path = requirementSetPath(folder, version);
  const ids = requirements.map(({ id }) => id);
  if (existsSync(path)) {
    refuseOthers(path, ids, service, version);
    return `${service} ${version} is already frozen with these ${ids.length} requirements.`;
  }
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, requirementSetText(version, ids));
  return `${service} ${version} is frozen with ${ids.length} requirements.`;
};

const refuseOthers = (path: string, ids: readonly string[], service: string, version: string): void => {
  const source = readSource(path);
  const frozen = frozenIds(source);
  const added = ids.filter((id) => !frozen.includes(id));
  const gone = frozen.filter((id) => !ids.includes(id));
  if (added.length + gone.length === 0) return;
  const changes = [listed("lacks", added), listed("contains, unlike the register,", gone)].filter(Boolean);
  throw new ContractError(
    `${source.name}: ${service} ${version} is frozen, and its set ${changes.join("; it ")}. A frozen set is never ` +
      `changed: raise info.version in the openapi.yaml of ${service}, and freeze that version.`,
  );
};

const SHOWN = 5;

const listed = (verb: string, ids: readonly string[]): string => {
  if (ids.length === 0) return "";
  const more = ids.length > SHOWN ? ` and ${ids.length - SHOWN} more` : "";
  return `${verb} ${ids.slice(0, SHOWN).join(", ")}${more}`;
};
