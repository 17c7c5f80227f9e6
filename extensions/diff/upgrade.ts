/** Finds the parts of a service's contract that a new version of a provider's document affects. */
import type { Contract } from "../../helpers/contract/contract.ts";
import { defined } from "../../helpers/contract/json.ts";
import { getOrInsert } from "../../helpers/contract/memoize.ts";
import { dependentOperations } from "../../helpers/trials/dependents.ts";
import { diffDocuments } from "./diff.ts";
import { readApiDocument } from "./document/read.ts";
import type { Diff, Entry, EntryClass, Reach } from "./entry.ts";
import { type RequirementChanges, requirementChanges } from "./requirement-changes.ts";
import { touchedOperations, touchedRequirements } from "./touched.ts";

export interface Upgrade {
  readonly old: Diff["old"];
  readonly new: Diff["new"];
  readonly changes: Diff["summary"];
  /** operationIds that a change reaches, or that a new, removed or changed requirement names. */
  readonly touched: readonly string[];
  /** Breaking changes that reach an operation of the contract. */
  readonly breaking: readonly BreakingChange[];
  /** The most severe class of change for each affected operation, by operationId. */
  readonly worst: Readonly<Record<string, EntryClass>>;
  /** operationIds that depend on resources which only touched operations provide. */
  readonly hanging: readonly string[];
  readonly requirements: RequirementChanges;
  /** The requirements that the changes touch, and the number of all requirements of the contract. */
  readonly share: { readonly touched: readonly string[]; readonly all: number };
}

interface BreakingChange
  extends Pick<Entry, "fingerprint" | "rule" | "action" | "owner" | "part" | "pointer" | "subject"> {
  /** operationIds of the contract that the change reaches. */
  readonly operations: readonly string[];
  /** The messages that it breaks. */
  readonly messages: readonly Direction[];
}

type Direction = "request" | "response";

export interface UpgradedContracts {
  readonly oldFile: string;
  readonly newFile: string;
  /** The contract with the old document; `revision` has the new one. */
  readonly base: Contract;
  readonly revision: Contract;
}

/** @throws ContractError when a document is invalid */
export const upgradeOf = ({ oldFile, newFile, base, revision }: UpgradedContracts): Upgrade => {
  const diff = diffOfFiles(oldFile, newFile);
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
    share: {
      touched: touchedRequirements(diff, revision, requirements),
      all: revision.requirements.length,
    },
  };
};

/** Compares two documents once in a process. @throws ContractError when one is invalid */
export const diffOfFiles = (oldFile: string, newFile: string): Diff =>
  getOrInsert(diffs, JSON.stringify([oldFile, newFile]), () =>
    diffDocuments(readApiDocument(oldFile), readApiDocument(newFile)),
  );

const diffs = new Map<string, Diff>();

const breakingIn = ({ entries }: Diff, contract: Contract): BreakingChange[] =>
  entries.flatMap((entry) => {
    const operations = touchedOperations({ entries: [entry] }, contract);
    if (entry.class !== "breaking" || operations.length === 0) return [];
    const { fingerprint, rule, action, owner, part, pointer, subject } = entry;
    const place = { fingerprint, rule, action, owner, part, pointer, ...defined({ subject }) };
    const messages = entry.judged
      .flatMap((one) => (one.class === "breaking" ? one.reach : []))
      .map(directionOf);
    return [{ ...place, operations, messages: [...new Set(messages)] }];
  });

const directionOf = ({ message }: Reach): Direction => (message === "request" ? "request" : "response");

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
