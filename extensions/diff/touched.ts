/** Applies a diff of a provider's documents to the contract of a service. */
import type { Contract } from "../../helpers/contract/contract.ts";
import type { RequirementChanges } from "../../helpers/contract/documents/upgrade.ts";
import { countsOf, type Diff, type Entry, type Reach } from "./entry.ts";

/** Returns the diff without the entries that reach no operation of the contract. */
export const ofContract = (diff: Diff, contract: Contract): Diff => {
  const find = finder(contract);
  const entries = diff.entries.filter((entry) => reachesOf(entry).some((reach) => find(reach) !== undefined));
  return { ...diff, entries, summary: { ...diff.summary, ...countsOf(entries) } };
};

/** Returns the operationIds of the contract that the diff reaches, in the order of the contract. */
export const touchedOperations = ({ entries }: Pick<Diff, "entries">, contract: Contract): string[] =>
  reachedOperations(entries.flatMap(reachesOf), contract);

/** Returns the operationIds of the contract whose messages are among these, in the order of the contract. */
export const reachedOperations = (reach: readonly Reach[], contract: Contract): string[] => {
  const touched = new Set(reach.map(finder(contract)));
  return contract.operations.map(({ operationId }) => operationId).filter((id) => touched.has(id));
};

const reachesOf = ({ judged }: Entry): readonly Reach[] => judged.flatMap(({ reach }) => reach);

/** Finds an operation by operationId, then by method and path, ignoring the names of path parameters. */
const finder = ({ operations, basePath }: Contract): ((reach: Reach) => string | undefined) => {
  const byId = new Map(operations.map(({ operationId }) => [operationId, operationId]));
  const byPlace = new Map(
    operations.flatMap(({ method, path, operationId }) => [
      [plain(`${method} ${path}`), operationId],
      [plain(`${method} ${basePath}${path}`), operationId],
    ]),
  );
  return ({ operation, operationId }) => byId.get(operationId ?? "") ?? byPlace.get(plain(operation));
};

const plain = (label: string): string => label.replaceAll(/\{[^}]*\}/g, "{}");

/**
 * Returns the ids of new and changed requirements, and of requirements that name an operation which an undecided or
 * breaking entry reaches. A run tries them with the reached operations only.
 */
export const touchedRequirements = (
  { entries }: Pick<Diff, "entries">,
  contract: Contract,
  { added, changed }: RequirementChanges,
): string[] => {
  const stricter = entries.filter((entry) => entry.class !== "compatible");
  const operations = new Set(touchedOperations({ entries: stricter }, contract));
  const ids = new Set([...added, ...changed]);
  return contract.requirements
    .filter(
      ({ id, operations: named }) => ids.has(id) || named.some((operationId) => operations.has(operationId)),
    )
    .map(({ id }) => id);
};
