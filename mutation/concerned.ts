/** Tells which trials and operations a fault concerns. */
import type { Contract } from "../helpers/contract/contract.ts";
import type { Trial } from "../helpers/trials/trial.ts";
import type { Fault } from "../mocks/engine/deviations/deviation.ts";
import type { Workbench } from "./workbench.ts";

/** Returns the trials of the violated requirement. */
export const namingOf = ({ trials }: Workbench, { violates }: Fault): Trial[] =>
  trials.filter(({ requirements }) => requirements.includes(violates));

/**
 * Returns the operations that the fault affects or that its id names, or else the operations of the violated
 * requirement.
 */
export const operationsOf = ({ id, violates, effects }: Fault, contract: Contract): Set<string> => {
  const faulty = effects.flatMap((effect) => {
    if (effect.kind === "request") return [effect.of.split("?")[0] ?? ""];
    return "when" in effect ? (effect.when.operationId ?? []) : [];
  });
  const spoken = (operationId: string): boolean =>
    id.split(".").some((segment) => segment === operationId || segment.startsWith(`${operationId}-`));
  const own = contract.operations
    .map(({ operationId }) => operationId)
    .filter((operationId) => faulty.includes(operationId) || spoken(operationId));
  if (own.length > 0) return new Set(own);
  return new Set(contract.requirements.find((requirement) => requirement.id === violates)?.operations);
};
