/** Derives faults from the relations of a contract: a parameter is accepted and ignored, or a page is longer than it may be. */
import type { Contract, JsonSchema, Operation } from "../../../helpers/contract/contract.ts";
import { parameterNamed, resourceNamed } from "../../../helpers/contract/lookups.ts";
import type { Relation } from "../../../helpers/contract/relations.ts";
import { changesShownBy, partViewOf, viewsOf } from "../../../helpers/contract/views.ts";
import type { GeneralBehaviour } from "../call.ts";
import { parametersOf } from "../parameters.ts";
import type { Fields } from "../values/fields.ts";
import type { Fault } from "./deviation.ts";
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
  validating,
  violating,
} from "./rows.ts";
import { siblingChangedToo } from "./siblings.ts";

export const faultsOfRelations = (contract: Contract): Fault[] =>
  relationPairs(contract).flatMap(({ faults }) => faults);

/** Returns each relation on each of its operations, with the faults that are derived from it. */
export const relationPairs = (contract: Contract) => {
  const { relations, operations } = contract;
  const known = new Map(operations.map((operation) => [operation.operationId, operation]));
  return relations.flatMap((relation) =>
    relation.operations.flatMap((operationId) => {
      const operation = known.get(operationId);
      if (operation === undefined) return [];
      const derive = FAULTS[relation.kind] ?? ignoredParameters;
      const fault = violating(contract.service, `${contract.service}.${relation.requirement}`);
      return [{ relation, operationId, faults: derive(fault, operation, contract, relation) }];
    }),
  );
};

type Derive = (
  fault: ReturnType<typeof violating>,
  operation: Operation,
  contract: Contract,
  relation: Relation,
) => Fault[];

/** Returns the faults that the tag of a read does not tell the states of its resource apart. */
const sameForStates: Derive = (fault, operation, contract) => [
  ignoredBy(fault, operation, "every"),
  ...(changesShownBy(contract, operation).length > 0 ? [ignoredBy(fault, operation, "change")] : []),
];

const ignoredBy = (
  fault: ReturnType<typeof violating>,
  { operationId }: Operation,
  what: Parameters<typeof conditionIgnored>[1],
): Fault => fault(`ignores-${what}`, conditionIgnored(operationId, what));

/** Returns the fault that a call also changes the last other resource. */
const changedTooOf: Derive = (fault, operation, contract, { parameter }) => {
  const { operationId } = operation;
  const resource = resourceNamed(contract, operation, parameter);
  return resource === undefined
    ? []
    : [fault(`${operationId}-of-sibling-too`, siblingChangedToo(operationId, resource))];
};

/** Returns a fault for each read that does not show what a call gave, and one for a change that stores only one field. */
const notGivenOf: Derive = (make, operation, contract) => {
  const { operationId } = operation;
  const fault: typeof make = (name, behaviour) => make(`${operationId}-${name}`, behaviour);
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
const restDroppedBy: Derive = (fault, operation, contract) => {
  const { optional = [] } = partViewOf(contract, operation) ?? {};
  return optional.length > 1 ? [fault("rest-dropped", restDropped(operation.operationId))] : [];
};

/** Returns the faults that the address of a created resource leads to nothing, or to another one if identifiers tell it. */
const addressesOfOthers: Derive = (fault, { operationId, produces: [made] }, { rules }) => {
  const isShown = rules.some(
    (one) => one.operationId === operationId && one.direction === "response" && one.pointer === made?.pointer,
  );
  return [
    fault("nothing", addressOf(operationId, "nothing")),
    ...(isShown ? [fault("first", addressOf(operationId, "first"))] : []),
  ];
};

/** Returns a fault for each read, and for each way to search, that still shows what was deleted. */
const staleViewsOf: Derive = (fault, deletion, contract, { parameter }) => {
  const resource = resourceNamed(contract, deletion, parameter) ?? "";
  return viewsOf(contract, resource).flatMap(({ operation: { operationId }, isList }) => {
    const searches = contract.relations.filter(
      ({ kind, operations }) => kind === "find" && operations.includes(operationId),
    );
    const names = isList && searches.length > 0 ? searches.map((one) => one.parameter) : [undefined];
    return names.map((name) => {
      const by = name === undefined ? "" : `-by-${name}`;
      return fault(`${operationId}${by}-shows-deleted`, shownAfterDeletion(operationId, name));
    });
  });
};

const ignoredParameters: Derive = (make, operation, { relations }, relation) => {
  const { operationId } = operation;
  if (relation.kind === "start" && relation.parameter === undefined)
    return relation.beside?.length === 0 ? [] : [make("next-ignored", ignores(operationId, UNNAMED))];
  return [relation.parameter, relation.until].flatMap((ours): Fault[] => {
    const parameter = parameterNamed(operation, ours);
    // What else such a parameter finds is open.
    if (ours === undefined || parameter === undefined || relation.kind === "find") return [];
    // The sandbox lists several items only of resources that calls create.
    if (relation.guessed && relation.beside?.length === 0) return [];
    const fault: typeof make = (name, effects) => make(`${operationId}-${ours}-${name}`, effects);
    const ofList = relations.filter(({ operations }) => operations.includes(operationId));
    const isFirst = ofList.find(({ kind }) => kind === "filter") === relation;
    if (isFirst && ofList.some(({ kind }) => kind === "size"))
      return [fault("ignored", ignores(operationId, ours)), fault("in-page", filteringPage(operationId))];
    if (relation.kind !== "most") return [fault("ignored", ignores(operationId, ours))];
    return [fault("unlimited", withoutMaximum(parametersOf(operationId, "query"), `/${parameter.name}`))];
  });
};

const withoutMaximum = validating({ drop: "maximum" });

/** The faults of relations that no parameter of a list has. */
const FAULTS: Partial<Record<Relation["kind"], Derive>> = {
  gone: staleViewsOf,
  apart: changedTooOf,
  given: notGivenOf,
  kept: restDroppedBy,
  owned: (fault, { operationId }) => [fault(`${operationId}-below-any-parent`, belowAnyParent(operationId))],
  located: addressesOfOthers,
  once: (fault, { operationId }) => [fault("key-ignored", keyIgnored(operationId))],
  fresh: sameForStates,
  current: (fault, operation) => [ignoredBy(fault, operation, "present")],
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
