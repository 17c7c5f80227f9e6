/** Faults that follow from the operations of a contract: an accepted call gets a status that is not documented. */
import type { Contract } from "../helpers/contract/contract.ts";
import type { Fault } from "./fault.ts";

export const faultsOfOperations = (contract: Contract): Fault[] => {
  const known = new Set(contract.requirements.map(({ id }) => id));
  return contract.operations.flatMap(({ operationId, responses }) => {
    const violates = `${contract.service}.${operationId}.documented-statuses`;
    const to = SUCCESSES.find((status) => responses[status] === undefined);
    if (!known.has(violates) || to === undefined) return [];
    const bends = Object.values(responses)
      .filter(({ status }) => status < 300)
      .map(({ status }) => ({ kind: "status", when: { operationId, status }, to }) as const);
    return [{ id: `${violates}.other-success`, violates, service: contract.service, bends }];
  });
};

const SUCCESSES = [202, 203, 206, 226];
