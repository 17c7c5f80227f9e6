/** Faults that follow from the operations of a contract: calls answered with another status than they should be. */
import type { Contract, Operation } from "../../../helpers/contract/contract.ts";
import type { Bend, Fault } from "./fault.ts";

export const faultsOfOperations = (contract: Contract): Fault[] => {
  const known = new Set(contract.requirements.map(({ id }) => id));
  return contract.operations.flatMap((operation) =>
    violationsOf(contract, operation)
      .filter(({ violates }) => known.has(violates))
      .map(({ violates, name, bends }) => ({
        id: `${violates}.${name}`,
        violates,
        service: contract.service,
        bends,
      })),
  );
};

interface Violation {
  readonly violates: string;
  readonly name: string;
  readonly bends: readonly Bend[];
}

const violationsOf = ({ service, generalStatuses }: Contract, operation: Operation): Violation[] => {
  const { operationId, responses, requestBody, parameters } = operation;
  const other = SUCCESSES.find(
    (status) => responses[status] === undefined && !generalStatuses.includes(status),
  );
  const own = (requirement: string) => `${service}.${operationId}.${requirement}`;
  const row = (violates: string | undefined, name: string, bends: readonly Bend[]): Violation[] =>
    violates === undefined ? [] : [{ violates, name, bends }];
  const unknown = { operationId, status: 404 };
  return [
    ...(other === undefined
      ? []
      : row(own("documented-statuses"), "other-success", becomes(operation, other))),
    ...row(own("success"), "refused", becomes(operation, 400)),
    ...row(own("success"), "failing", becomes(operation, 500)),
    ...row(own("unauthenticated"), "open", [{ kind: "behaviour", name: `open-${operationId}` }]),
    ...row(own("unauthenticated"), "forbidden", [
      { kind: "status", when: { operationId, status: 401 }, to: 403 },
    ]),
    ...parameters
      .filter(({ in: place }) => place === "path")
      .flatMap(({ name }) => [
        ...row(own(`unknown-${name}`), "accepted", accepts(operation)),
        ...row(own(`unknown-${name}`), "failing", [{ kind: "status", when: unknown, to: 500 }]),
      ]),
    ...row(requestBody?.schemaRequirement, `${operationId}-refused`, becomes(operation, 400)),
    ...row(requestBody?.optionalRequirement, `${operationId}-demanded`, [
      { kind: "behaviour", name: `body-demanded-${operationId}` },
    ]),
  ];
};

/** What does not exist is answered as if it did. */
export const accepts = ({ operationId, responses }: Operation): Bend[] => {
  const when = { operationId, status: 404 };
  const to = Math.min(...Object.keys(responses).map(Number));
  return [
    { kind: "status", when, to },
    { kind: "json", when, pointer: "", edit: { set: {} } },
  ];
};

/** At least one of them is documented nowhere. */
const SUCCESSES = [202, 203, 206, 226];

const becomes = ({ operationId, responses }: Operation, to: number): Bend[] =>
  Object.values(responses)
    .filter(({ status }) => status < 300)
    .map(({ status }) => ({ kind: "status", when: { operationId, status }, to }));
