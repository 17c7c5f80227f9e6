/** Requirement sets: the ids that a version of a contract was frozen with, and the ids added or removed since. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { checkedFile } from "./documents/checked-file.ts";
import { ContractError, digestOf, readSource, type SourceFile } from "./documents/source-file.ts";

/** The frozen set against which a contract is judged. */
export interface RequirementSet {
  /** The version of the contract. */
  readonly version: string;
  /** `sha256-…` of the ids. */
  readonly digest: string;
  /** The number of requirements in the set. */
  readonly requirements: number;
  /** Ids that were added to the register after the set was frozen. They can't fail a certificate. */
  readonly later: readonly string[];
  /** Ids of the set that the contract no longer states. */
  readonly gone: readonly string[];
}

/** Returns the path of the set of a version, in the folder of its service. */
export const requirementSetPath = (folder: string, version: string): string =>
  join(folder, "requirement-sets", `${version}.yaml`);

/**
 * @param own ids of the built-in register
 * @param all ids of the run's register, including those that a provider's document adds
 * @returns `null` if the version is not frozen yet
 * @throws ContractError when the set was edited
 */
export const readRequirementSet = (
  folder: string,
  version: string,
  own: readonly string[],
  all: readonly string[],
): RequirementSet | null => {
  const path = requirementSetPath(folder, version);
  if (!existsSync(path)) return null;
  const ids = frozenIds(readSource(path));
  const [frozen, stated] = [new Set(ids), new Set(all)];
  return {
    version,
    digest: digestOf(ids),
    requirements: ids.length,
    later: own.filter((id) => !frozen.has(id)),
    gone: ids.filter((id) => !stated.has(id)),
  };
};

/** Returns the text of a set. The ids are sorted, so that the same ids give the same text. */
export const requirementSetText = (version: string, ids: readonly string[]): string => {
  const sorted = [...ids].sort();
  return [
    `# The requirements of version ${version}, frozen: never edited. A requirement that is added later belongs to a later version.`,
    `digest: ${digestOf(sorted)}`,
    "requirements:",
    ...sorted.map((id) => `- ${id}`),
    "",
  ].join("\n");
};

/** Reads the ids of a set. @throws ContractError when they do not match the digest */
export const frozenIds = (source: SourceFile): string[] => {
  const { digest, requirements } = checkedFile<{
    readonly digest: string;
    readonly requirements: readonly string[];
  }>(source, "requirement-set").content;
  if (digest === digestOf(requirements)) return [...requirements];
  throw new ContractError(
    `${source.name}: the requirements do not match the digest. A frozen set is never edited: ` +
      "restore it, and raise the version of the contract for another set.",
  );
};
