/** Operations that take turns at quick depth: a server checks the bodies of alike operations alike. */
import type { Contract, Operation, Rule } from "../../contract/contract.ts";
import { requestRulesOf } from "../../contract/lookups.ts";
import { getOrInsert, memoize } from "../../contract/memoize.ts";
import type { Subject } from "./operation-trial.ts";
import { sortInBody } from "./rule-kinds.ts";

/** Returns the place of the operation among alike operations with such a rule. */
export const turnOf = (
  { contract, operation }: Subject,
  rule: Rule,
): { readonly index: number; readonly of: number } => {
  const alike = turns(contract).get(nameOf(operation, rule)) ?? [];
  return { index: Math.max(0, alike.indexOf(operation.operationId)), of: Math.max(1, alike.length) };
};

/** The operations by their kind and by what a rule of their bodies demands. */
const turns = memoize((contract: Contract): ReadonlyMap<string, readonly string[]> => {
  const operations = new Map<string, string[]>();
  for (const operation of contract.operations) {
    const rules = requestRulesOf(contract, operation.operationId).filter(
      (rule) => rule.parameter === undefined,
    );
    for (const name of new Set(rules.map((rule) => nameOf(operation, rule))))
      getOrInsert(operations, name, () => []).push(operation.operationId);
  }
  return operations;
});

const nameOf = (operation: Operation, rule: Rule): string => `${kindOf(operation)} ${sortInBody(rule)}`;

/** Operations of one method and the same hazards are alike. */
export const kindOf = ({ method, list, hazards }: Operation): string =>
  [method, ...(list ? ["list"] : []), ...hazards].join(" ");
