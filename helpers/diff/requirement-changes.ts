/** What a new version of a provider's document does to the requirements of a contract. */

import type { Contract, Requirement, Rule } from "../contract/contract.ts";
import { canonical } from "../contract/json.ts";
import { grouped } from "../contract/once.ts";

/** Ids of requirements. */
export interface RequirementChanges {
  /** That only the contract with the new document states. */
  readonly added: readonly string[];
  /** That only the contract with the old document states. */
  readonly gone: readonly string[];
  /** That mean something else: a rule behind them, what they oblige to, how firmly they stand. */
  readonly changed: readonly string[];
}

/** @param old the contract with the old document, `fresh` with the new one */
export const requirementChanges = (old: Contract, fresh: Contract): RequirementChanges => {
  const [before, now] = [meanings(old), meanings(fresh)];
  const ids = (contract: Contract): string[] => contract.requirements.map(({ id }) => id);
  return {
    added: ids(fresh).filter((id) => !before.has(id)),
    gone: ids(old).filter((id) => !now.has(id)),
    changed: ids(fresh).filter((id) => before.has(id) && before.get(id) !== now.get(id)),
  };
};

/** By id: the requirement and its rules as one text. */
const meanings = ({ requirements, rules }: Contract): Map<string, string> => {
  const byRequirement = grouped(rules, ({ requirement }) => requirement);
  return new Map(
    requirements.map((requirement) => [
      requirement.id,
      canonical([ownMeaning(requirement), (byRequirement.get(requirement.id) ?? []).map(ruleText).sort()]),
    ]),
  );
};

/** One that speaks of all operations is the same when there are more of them. */
const ownMeaning = ({ level, statement, subject }: Requirement) => [level, statement, subject];

const ruleText = (rule: Rule): string => {
  const { operationId, direction, status, place, parameter, pointer, keyword, value, within, alternative } =
    rule;
  const where = [operationId, direction, status, place, parameter, pointer, within, alternative];
  return canonical([where.map((part) => part ?? null), keyword, value]);
};
