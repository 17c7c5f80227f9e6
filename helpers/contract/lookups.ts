/** Finds the parts of a contract by name. Each index is made once, because a document may have thousands of operations. */
import type { Contract, Requirement, Rule } from "./contract.ts";
import { grouped, oncePer } from "./once.ts";

export const requirementOf = (contract: Contract, id: string): Requirement | undefined =>
  requirementsById(contract).get(id);

const requirementsById = oncePer(
  ({ requirements }: Contract) => new Map(requirements.map((one) => [one.id, one] as const)),
);

/** Returns the rules of the requests of an operation, in the order of the document. */
export const requestRulesOf = (contract: Contract, operationId: string): readonly Rule[] =>
  requestRules(contract).get(operationId) ?? [];

const requestRules = oncePer(({ rules }: Contract) =>
  grouped(
    rules.filter(({ direction }) => direction === "request"),
    ({ operationId }) => operationId,
  ),
);
