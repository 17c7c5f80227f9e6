/** Compares the requirements of a contract with the old and the new version of a provider's document. */
import type { Contract, Rule } from "../../helpers/contract/contract.ts";
import type { RequirementChanges } from "../../helpers/contract/documents/upgrade.ts";
import { canonical } from "../../helpers/contract/json.ts";
import { groupBy } from "../../helpers/contract/memoize.ts";

/** @param base the contract with the old document; `revision` has the new one */
export const requirementChanges = (base: Contract, revision: Contract): RequirementChanges => {
  const [before, now] = [meanings(base), meanings(revision)];
  const ids = (contract: Contract): string[] => contract.requirements.map(({ id }) => id);
  return {
    added: ids(revision).filter((id) => !before.has(id)),
    gone: ids(base).filter((id) => !now.has(id)),
    changed: ids(revision).filter((id) => before.has(id) && before.get(id) !== now.get(id)),
  };
};

/** Returns each requirement and its rules as one text, by id. Its operations do not count, because they may become more. */
const meanings = ({ requirements, rules }: Contract): Map<string, string> => {
  const byRequirement = groupBy(rules, ({ requirement }) => requirement);
  return new Map(
    requirements.map(({ id, level, statement, subject }) => [
      id,
      canonical([[level, statement, subject], (byRequirement.get(id) ?? []).map(ruleText).sort()]),
    ]),
  );
};

const ruleText = (rule: Rule): string => {
  const { operationId, direction, status, place, parameter, pointer, keyword, value, within, alternative } =
    rule;
  const where = [operationId, direction, status, place, parameter, pointer, within, alternative];
  return canonical([where.map((part) => part ?? null), keyword, value]);
};
