/** Derives faults from the relations of a contract: a parameter is accepted and ignored, or a page is longer than it may be. */
import type { Contract, Operation } from "../../../helpers/contract/contract.ts";
import { parameterNamed } from "../../../helpers/contract/lookups.ts";
import type { Relation } from "../../../helpers/contract/relations.ts";
import type { GeneralBehaviour } from "../call.ts";
import { parametersOf } from "../parameters.ts";
import type { Fields } from "../values/fields.ts";
import type { Effect, Fault } from "./deviation.ts";

export const faultsOfRelations = ({ service, relations, operations }: Contract): Fault[] => {
  const known = new Map(operations.map((operation) => [operation.operationId, operation]));
  return relations.flatMap((relation) =>
    relation.operations.flatMap((operationId) => {
      const operation = known.get(operationId);
      return operation === undefined ? [] : faultsOf(service, relation, operation);
    }),
  );
};

const faultsOf = (service: string, relation: Relation, operation: Operation): Fault[] => {
  const violates = `${service}.${relation.requirement}`;
  const { operationId } = operation;
  return [relation.parameter, relation.until].flatMap((ours): Fault[] => {
    const parameter = parameterNamed(operation, ours);
    if (ours === undefined || parameter === undefined) return [];
    const fault = (name: string, effects: readonly Effect[]): Fault => ({
      id: `${violates}.${operationId}-${ours}-${name}`,
      ...{ violates, service, effects },
    });
    if (relation.kind !== "most") return [fault("ignored", ignoring(operationId, parameter.name))];
    const of = parametersOf(operationId, "query");
    return [
      fault("unlimited", [{ kind: "request", of, pointer: `/${parameter.name}`, edit: { drop: "maximum" } }]),
    ];
  });
};

/** Accepts a parameter of the operation, and ignores it. */
export const ignoring = (operationId: string, parameter: string): Effect[] => [
  { kind: "behaviour", name: ignored(operationId, parameter) },
];

const ignored = (operationId: string, parameter: string): GeneralBehaviour =>
  `ignored-${operationId}-${parameter}`;

/** Returns the parameters without those that a fault ignores. */
export const withoutIgnored = (
  { operationId }: Operation,
  query: Fields,
  faulty: (name: GeneralBehaviour) => boolean,
): Fields =>
  Object.fromEntries(Object.entries(query).filter(([name]) => !faulty(ignored(operationId, name))));
