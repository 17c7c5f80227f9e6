/** Groups advisories by cause, because a server that differs in one schema deviates at each operation that uses it. */
import type { Contract, Rule } from "../../helpers/contract/contract.ts";
import { rulesOfRequirement } from "../../helpers/contract/lookups.ts";
import { groupBy } from "../../helpers/contract/memoize.ts";
import { byText, groupByTitle, largestFirst } from "../order.ts";
import type { AdvisoryCause, CertifiedRequirement, Finding } from "./certificate.ts";

export const advisoryCauses = (
  contracts: readonly Contract[],
  requirements: readonly CertifiedRequirement[],
  findings: readonly Finding[],
): AdvisoryCause[] => {
  const byRequirement = groupBy(findings, ({ requirement }) => requirement);
  const deviating = requirements
    .filter(({ verdict }) => verdict === "advisory")
    .map((requirement) => {
      const [finding] = byRequirement.get(requirement.id) ?? [];
      const contract = contracts.find(({ service }) => service === requirement.service);
      return { requirement, finding, cause: causeOf(requirement.id, contract, finding) };
    })
    .sort((a, b) => byText(a.requirement.id, b.requirement.id));
  return groupByTitle(deviating, ({ cause }) => cause)
    .sort(largestFirst)
    .map(({ title, items }, index) => {
      const shown = items.flatMap(({ finding }) => finding ?? []);
      return {
        id: `a-${index + 1}`,
        cause: title,
        requirements: items.map(({ requirement }) => requirement.id),
        operations: [...new Set(shown.map(({ operationId }) => operationId))],
        ...(shown[0] && { example: shown[0].id }),
      };
    });
};

const causeOf = (id: string, contract: Contract | undefined, finding: Finding | undefined): string => {
  const rules = contract === undefined ? [] : rulesOfRequirement(contract, id);
  const rule = contract && finding ? ruleOf(contract, finding) : rules[0];
  if (rule?.parameter !== undefined) return `parameter ${rule.parameter}`;
  if (rule?.schemaName !== undefined) return `schema ${rule.schemaName}`;
  return id;
};

/** Returns the rule at the place of the finding, or the one at the nearest place that contains it. */
export const ruleOf = (
  contract: Contract,
  { requirement, operationId, pointer }: Finding,
): Rule | undefined => {
  const place = `${pointer.replaceAll(/\/\d+(?=\/|$)/g, "/*")}/`;
  const rules = rulesOfRequirement(contract, requirement);
  const own = rules.filter((rule) => rule.operationId === operationId);
  const around = own.filter((rule) => place.startsWith(`${rule.pointer}/`));
  return around.sort((a, b) => b.pointer.length - a.pointer.length)[0] ?? own[0];
};
