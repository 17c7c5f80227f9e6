/** Derives faults from the relations of a contract: a parameter is accepted and ignored, or a page is longer than it may be. */
import type { Contract, JsonSchema, Operation } from "../../../helpers/contract/contract.ts";
import { parameterNamed, resourceNamed } from "../../../helpers/contract/lookups.ts";
import type { Relation } from "../../../helpers/contract/relations.ts";
import { changesShownBy, partViewOf, viewsOf } from "../../../helpers/contract/views.ts";
import type { GeneralBehaviour } from "../call.ts";
import { parametersOf } from "../parameters.ts";
import type { Fields } from "../values/fields.ts";
import type { Effect, Fault } from "./deviation.ts";
import {
  findsOf,
  givingOf,
  lettersLost,
  oldValuesShown,
  partStored,
  restDropped,
  searchKept,
  unindexed,
} from "./given-values.ts";
import { shownAfterDeletion } from "./mixed-answers.ts";
import {
  addressOf,
  belowAnyParent,
  conditionIgnored,
  filteringPage,
  ignores,
  ignoring,
  keyIgnored,
  UNNAMED,
} from "./rows.ts";
import { siblingChangedToo } from "./siblings.ts";

/** A relation on one of its operations, with the faults that are derived from it. */
export interface RelationPair {
  readonly relation: Relation;
  readonly operationId: string;
  readonly faults: readonly Fault[];
}

export const faultsOfRelations = (contract: Contract): Fault[] =>
  relationPairs(contract).flatMap(({ faults }) => faults);

export const relationPairs = (contract: Contract): RelationPair[] => {
  const { relations, operations } = contract;
  const known = new Map(operations.map((operation) => [operation.operationId, operation]));
  return relations.flatMap((relation) =>
    relation.operations.flatMap((operationId): RelationPair[] => {
      const operation = known.get(operationId);
      if (operation === undefined) return [];
      const derive = FAULTS[relation.kind];
      const faults = derive?.(contract, relation, operation) ?? faultsOf(contract, relation, operation);
      return [{ relation, operationId, faults }];
    }),
  );
};

/** Returns the faults that the tag of a read does not tell the states of its resource apart. */
const sameForStates = (contract: Contract, { requirement }: Relation, operation: Operation): Fault[] =>
  conditionFaults(contract.service, requirement, operation, [
    "every",
    ...(changesShownBy(contract, operation).length > 0 ? (["change"] as const) : []),
  ]);

const conditionFaults = (
  service: string,
  requirement: string,
  { operationId }: Operation,
  what: readonly Parameters<typeof conditionIgnored>[1][],
): Fault[] =>
  what.map((one) => ({
    id: `${service}.${requirement}.ignores-${one}`,
    violates: `${service}.${requirement}`,
    ...{ service, effects: [{ kind: "behaviour", name: conditionIgnored(operationId, one) }] },
  }));

/** Returns the fault that a call also changes the last other resource. */
const changedTooOf = (contract: Contract, relation: Relation, operation: Operation): Fault[] => {
  const { service } = contract;
  const { requirement, parameter } = relation;
  const { operationId } = operation;
  const resource = resourceNamed(contract, operation, parameter);
  if (resource === undefined) return [];
  const violates = `${service}.${requirement}`;
  const effects: Effect[] = [{ kind: "behaviour", name: siblingChangedToo(operationId, resource) }];
  return [{ id: `${violates}.${operationId}-of-sibling-too`, violates, service, effects }];
};

/** Returns a fault for each read that does not show what a call gave, and one for a change that stores only one field. */
const notGivenOf = (contract: Contract, relation: Relation, operation: Operation): Fault[] => {
  const { service } = contract;
  const { operationId } = operation;
  const violates = `${service}.${relation.requirement}`;
  const fault = (name: string, behaviour: GeneralBehaviour): Fault => ({
    id: `${violates}.${operationId}-${name}`,
    ...{ violates, service, effects: [{ kind: "behaviour", name: behaviour }] },
  });
  const { isNew, views } = givingOf(contract, operation);
  const isRequired = ({ operationId: of }: Operation, place: string): boolean =>
    contract.rules.some(
      (one) => one.operationId === of && one.keyword === "required" && one.pointer === place,
    );
  // Without a required field the call would be refused, and an optional one need not have a value before.
  const stored = views.flatMap((view) =>
    view.fields.filter(
      (field) => isRequired(view.operation, `${view.at}/${field}`) && !isRequired(operation, `/${field}`),
    ),
  );
  return [
    ...views.map(({ operation: { operationId: viewId } }) =>
      fault(`in-${viewId}-old`, oldValuesShown(operationId, viewId)),
    ),
    ...(isNew ? [] : findsOf(contract, operation)).flatMap(({ operation: { operationId: viewId }, name }) => [
      fault(`in-${viewId}-by-${name}-old`, unindexed(operationId, viewId)),
      fault(`in-${viewId}-by-${name}-kept`, searchKept(viewId)),
    ]),
    ...(!isNew && hasFreeText(contract, operation, views)
      ? [fault("letters-lost", lettersLost(operationId))]
      : []),
    ...(isNew || stored.length < 2 ? [] : [fault("part-stored", partStored(operationId))]),
  ];
};

/** Whether a read shows a text of a call that may have any letters. */
const hasFreeText = (
  { rules }: Contract,
  { operationId }: Operation,
  views: ReturnType<typeof givingOf>["views"],
): boolean => {
  const own = rules.filter((one) => one.operationId === operationId && one.direction === "request");
  const isFree = (field: string): boolean => {
    const [one, ...others] = own.filter(({ pointer }) => pointer === `/${field}`);
    return one !== undefined && [one, ...others].every(({ schema }) => isAnyText(schema));
  };
  return views.slice(0, 1).some(({ fields }) => fields.some(isFree));
};

const isAnyText = ({ type, pattern, format, enum: words, ...own }: JsonSchema): boolean =>
  type === "string" &&
  [pattern, format, words, own["x-resource"]].every((one) => one === undefined) &&
  own["x-data"] !== "uri";

/** Returns the fault that a partial change also removes what it does not name, if a read may leave that out. */
const restDroppedBy = (contract: Contract, { requirement }: Relation, operation: Operation): Fault[] => {
  const { service } = contract;
  const violates = `${service}.${requirement}`;
  const effects: Effect[] = [{ kind: "behaviour", name: restDropped(operation.operationId) }];
  const { optional = [] } = partViewOf(contract, operation) ?? {};
  return optional.length > 1 ? [{ id: `${violates}.rest-dropped`, violates, service, effects }] : [];
};

/** Returns the faults that the address of a created resource leads to nothing, or to another one if identifiers tell it. */
const addressesOfOthers = (
  { service, rules }: Contract,
  { requirement }: Relation,
  { operationId, produces: [made] }: Operation,
): Fault[] => {
  const violates = `${service}.${requirement}`;
  const fault = (what: "nothing" | "first"): Fault => ({
    id: `${violates}.${what}`,
    ...{ violates, service, effects: [{ kind: "behaviour", name: addressOf(operationId, what) }] },
  });
  const isShown = rules.some(
    (one) => one.operationId === operationId && one.direction === "response" && one.pointer === made?.pointer,
  );
  return [fault("nothing"), ...(isShown ? [fault("first")] : [])];
};

/** Returns a fault for each read, and for each way to search, that still shows what was deleted. */
const staleViewsOf = (
  contract: Contract,
  { requirement, parameter }: Relation,
  operation: Operation,
): Fault[] => {
  const { service, relations } = contract;
  const resource = resourceNamed(contract, operation, parameter) ?? "";
  const violates = `${service}.${requirement}`;
  return viewsOf(contract, resource).flatMap(({ operation: { operationId }, isList }) => {
    const searches = relations.filter(
      ({ kind, operations }) => kind === "find" && operations.includes(operationId),
    );
    const names = [...(isList && searches.length > 0 ? searches.map((one) => one.parameter) : [undefined])];
    return names.map((name): Fault => {
      const by = name === undefined ? "" : `-by-${name}`;
      const effects: Effect[] = [{ kind: "behaviour", name: shownAfterDeletion(operationId, name) }];
      return { id: `${violates}.${operationId}${by}-shows-deleted`, violates, service, effects };
    });
  });
};

const faultsOf = ({ service, relations }: Contract, relation: Relation, operation: Operation): Fault[] => {
  const violates = `${service}.${relation.requirement}`;
  const { operationId } = operation;
  if (relation.kind === "start" && relation.parameter === undefined)
    return relation.beside?.length === 0
      ? []
      : [{ id: `${violates}.next-ignored`, violates, service, effects: ignores(operationId, UNNAMED) }];
  return [relation.parameter, relation.until].flatMap((ours): Fault[] => {
    const parameter = parameterNamed(operation, ours);
    // What else such a parameter finds is open.
    if (ours === undefined || parameter === undefined || relation.kind === "find") return [];
    // The sandbox lists several items only of resources that calls create.
    if (relation.guessed && relation.beside?.length === 0) return [];
    const fault = (name: string, effects: readonly Effect[]): Fault => ({
      id: `${violates}.${operationId}-${ours}-${name}`,
      ...{ violates, service, effects },
    });
    const ofList = relations.filter(({ operations }) => operations.includes(operationId));
    const isFirst = ofList.find(({ kind }) => kind === "filter") === relation;
    if (isFirst && ofList.some(({ kind }) => kind === "size"))
      return [
        fault("ignored", ignores(operationId, ours)),
        fault("in-page", [{ kind: "behaviour", name: filteringPage(operationId) }]),
      ];
    if (relation.kind !== "most") return [fault("ignored", ignores(operationId, ours))];
    const of = parametersOf(operationId, "query");
    return [
      fault("unlimited", [{ kind: "request", of, pointer: `/${parameter.name}`, edit: { drop: "maximum" } }]),
    ];
  });
};

/** The faults of relations that no parameter of a list has. */
const FAULTS: Partial<
  Record<Relation["kind"], (contract: Contract, relation: Relation, operation: Operation) => Fault[]>
> = {
  gone: staleViewsOf,
  apart: changedTooOf,
  given: notGivenOf,
  kept: restDroppedBy,
  owned: ({ service }, { requirement }, { operationId }) => [
    {
      id: `${service}.${requirement}.${operationId}-below-any-parent`,
      ...{ violates: `${service}.${requirement}`, service },
      effects: [{ kind: "behaviour", name: belowAnyParent(operationId) }],
    },
  ],
  located: addressesOfOthers,
  once: ({ service }, { requirement }, { operationId }) => [
    {
      id: `${service}.${requirement}.key-ignored`,
      ...{ violates: `${service}.${requirement}`, service },
      effects: [{ kind: "behaviour", name: keyIgnored(operationId) }],
    },
  ],
  fresh: sameForStates,
  current: ({ service }, { requirement }, operation) =>
    conditionFaults(service, requirement, operation, ["present"]),
};

/** Returns the parameters without those that a fault ignores: see `ignores`. */
export const withoutIgnored = (
  { operationId, parameters }: Operation,
  query: Fields,
  faulty: (name: GeneralBehaviour) => boolean,
): Fields => {
  const names = parameters.flatMap(({ in: place, name, ours = name }) =>
    place === "query" && faulty(ignoring(operationId, ours)) ? [name] : [],
  );
  if (names.length === 0) return query;
  return Object.fromEntries(Object.entries(query).filter(([name]) => !names.includes(name)));
};
