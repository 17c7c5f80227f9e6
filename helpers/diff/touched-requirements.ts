/** Finds the requirements that the entries of a diff touch. */
import type { Contract } from "../contract/contract.ts";
import type { Diff } from "./entry.ts";
import type { RequirementChanges } from "./requirement-changes.ts";
import { touchedOperations } from "./touched.ts";

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
