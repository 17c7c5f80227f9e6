/** Finds the operations that depend on resources or tokens from other operations. */
import type { Contract, Operation } from "../contract/contract.ts";
import { groupBy } from "../contract/memoize.ts";
import { resourcesNamedBy } from "./named-resources.ts";
import { sentBy } from "./valid-call.ts";

/**
 * Returns the operations that need a resource, or the access token, that only the given operations provide.
 * @param operationIds operations of the contract
 * @returns other operationIds, in the order of the contract
 */
export const dependentOperations = (operationIds: readonly string[], contract: Contract): string[] => {
  const dependents = new Set(operationIds);
  const all = contract.operations.map((operation) => ({ operation, needs: needsOf(operation, contract) }));
  let before = -1;
  while (before < dependents.size) {
    before = dependents.size;
    const byLoss = groupBy(contract.operations, ({ operationId }) => dependents.has(operationId));
    const kept = new Set(byLoss.get(false)?.flatMap(givenBy));
    const lost = new Set(
      byLoss
        .get(true)
        ?.flatMap(givenBy)
        .filter((resource) => !kept.has(resource)),
    );
    for (const { operation, needs } of all)
      if (needs.some((resource) => lost.has(resource))) dependents.add(operation.operationId);
  }
  return all
    .map(({ operation }) => operation.operationId)
    .filter((id) => dependents.has(id) && !operationIds.includes(id));
};

/** The name of the access token among the resources. */
const TOKEN = "(access token)";

const givenBy = ({ produces, finds, token }: Operation): string[] => [
  ...[...produces, ...finds].map(({ resource }) => resource),
  ...(token === undefined ? [] : [TOKEN]),
];

const needsOf = (operation: Operation, contract: Contract): string[] => {
  const own = new Set(givenBy(operation));
  // A scheme that the user does not configure needs the token.
  const keys = contract.securitySchemes.filter(({ name }) => operation.security.includes(name));
  const named = [...resourcesNamedBy(operation, contract)];
  return [
    ...operation.needs,
    ...(keys.some(({ configuration }) => configuration === undefined) ? [TOKEN] : []),
    ...sentBy(operation).flatMap(({ resource }) => (resource === undefined ? [] : [resource])),
    ...named.flatMap(([resource, required]) => (required ? [resource] : [])),
  ].filter((resource) => !own.has(resource));
};
