/** Finds the parts of a service's contract that a new version of a provider's document affects. */
import { documentOf } from "../../helpers/contract/changes.ts";
import type { Contract } from "../../helpers/contract/contract.ts";
import type { BreakingChange, EntryClass, Upgrade } from "../../helpers/contract/documents/upgrade.ts";
import { defined } from "../../helpers/contract/json.ts";
import { getOrInsert } from "../../helpers/contract/memoize.ts";
import { dependentOperations } from "../../helpers/trials/dependents.ts";
import { diffDocuments } from "./diff.ts";
import { readApiDocument } from "./document/read.ts";
import type { Diff } from "./entry.ts";
import { requirementChanges } from "./requirement-changes.ts";
import { touchedOperations, touchedRequirements } from "./touched.ts";

/**
 * @param base the contract with the old document; `revision` has the new one
 * @throws ContractError when a document is invalid
 */
export const upgradeOf = (base: Contract, revision: Contract): Upgrade => {
  const diff = diffOfContracts(base, revision);
  const requirements = requirementChanges(base, revision);
  const touched = new Set([
    ...touchedOperations(diff, revision),
    ...operationsOf(revision, Object.values(requirements).flat()),
  ]);
  const operations = revision.operations
    .map(({ operationId }) => operationId)
    .filter((operationId) => touched.has(operationId));
  return {
    old: diff.old,
    new: diff.new,
    changes: diff.summary,
    touched: operations,
    breaking: breakingIn(diff, revision),
    worst: worstOf(diff, revision),
    hanging: dependentOperations(operations, revision),
    requirements,
    share: { touched: touchedRequirements(diff, revision, requirements), all: revision.requirements.length },
  };
};

/** Compares the documents of two contracts once in a process. @throws ContractError when one is invalid */
export const diffOfContracts = (base: Contract, revision: Contract): Diff => {
  const [before = "", after = ""] = [base, revision].map((one) => documentOf(one)?.file);
  return getOrInsert(diffs, JSON.stringify([before, after]), () =>
    diffDocuments(readApiDocument(before), readApiDocument(after)),
  );
};

const diffs = new Map<string, Diff>();

const breakingIn = ({ entries }: Diff, contract: Contract): BreakingChange[] =>
  entries.flatMap((entry) => {
    const operations = touchedOperations({ entries: [entry] }, contract);
    if (entry.class !== "breaking" || operations.length === 0) return [];
    const { fingerprint, rule, action, owner, part, pointer, subject } = entry;
    const place = { fingerprint, rule, action, owner, part, pointer, ...defined({ subject }) };
    const messages = entry.judged
      .flatMap((one) => (one.class === "breaking" ? one.reach : []))
      .map(({ message }) => (message === "request" ? "request" : "response"));
    return [{ ...place, operations, messages: [...new Set(messages)] }];
  });

const worstOf = (diff: Diff, contract: Contract): Record<string, EntryClass> => {
  const worst: Record<string, EntryClass> = {};
  // The entries are sorted, with the most severe first.
  for (const entry of diff.entries)
    for (const operationId of touchedOperations({ entries: [entry] }, contract))
      worst[operationId] ??= entry.class;
  return worst;
};

const operationsOf = ({ requirements }: Contract, ids: readonly string[]): string[] => {
  const wanted = new Set(ids);
  return requirements.filter(({ id }) => wanted.has(id)).flatMap(({ operations }) => operations);
};
