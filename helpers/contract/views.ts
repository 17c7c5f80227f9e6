/** The reads that show a resource: by itself, or in a list. */
import type { Contract, JsonSchema, Operation, Rule } from "./contract.ts";
import { requestRulesOf } from "./lookups.ts";
import { loose } from "./names.ts";
import { grouped, keptIn, oncePer } from "./once.ts";

export interface View {
  readonly operation: Operation;
  /** Whether the resource is an item of a list. */
  readonly isList: boolean;
}

/** Returns the reads whose answers are about the resource. Those that do harm or cost money are left out. */
export const viewsOf = (contract: Contract, resource: string): readonly View[] =>
  keptIn(viewsBy(contract), resource, () =>
    contract.operations.flatMap((operation): View[] => {
      if (operation.method !== "GET" || operation.hazards.length > 0 || !operation.repeatable) return [];
      const places = placesIn(contract, operation);
      const shows = (pointer: string) =>
        places.some((place) => place.pointer === pointer && place.schema["x-resource"] === resource);
      const { list, parameters } = operation;
      if (list !== undefined) return shows(`${list.items}/*/id`) ? [{ operation, isList: true }] : [];
      const own = parameters.findLast(({ in: place }) => place === "path");
      // An answer about another resource, such as a part of it, may name it too.
      const isAbout = shows("/id") || !places.some(({ pointer }) => pointer === "/id");
      const isOwn =
        isAbout && own?.resource === resource && [own.name, "id"].some((name) => shows(`/${name}`));
      return isOwn ? [{ operation, isList: false }] : [];
    }),
  );

const viewsBy = oncePer((_: Contract) => new Map<string, readonly View[]>());

const placesIn = (contract: Contract, { operationId }: Operation): readonly Rule[] =>
  placesBy(contract).get(operationId) ?? [];

/** The places of resources in successful answers, by operation. */
const placesBy = oncePer(({ rules }: Contract) =>
  grouped(
    rules.filter(
      ({ direction, status = 0, schema }) =>
        direction === "response" && status < 300 && schema["x-resource"] !== undefined,
    ),
    ({ operationId }) => operationId,
  ),
);

/** Returns the kind of the resource that a call creates, or else of the last one in its path, which it changes. */
export const givenResource = ({ produces, parameters }: Operation): string =>
  produces[0]?.resource ?? parameters.findLast(({ in: place }) => place === "path")?.resource ?? "";

/** A read that shows a resource after a change, and where it shows the fields that the change names. */
export interface ChangedView {
  readonly operation: Operation;
  readonly fields: readonly string[];
  /** The place of the object that is about the resource, with `*` for the items of a list; empty for the whole body. */
  readonly at: string;
}

/**
 * Returns the reads that show what a call gives to a resource: fields of the same name and type as in its body or path.
 * @param resource the kind of the resource that the call changes or creates
 */
export const changedViewsOf = (
  contract: Contract,
  change: Operation,
  resource: string,
): readonly ChangedView[] => {
  const given = givenBy(contract, change, resource);
  const related = contract.operations.filter(
    (one) => one === change || one.produces.some((place) => place.resource === resource),
  );
  const known = new Set([resource, ...related.flatMap(pathResources)]);
  return contract.operations.flatMap((operation) => {
    const isRead = operation.method === "GET" && operation.hazards.length === 0 && operation.repeatable;
    if (!isRead || pathResources(operation).some((one) => !known.has(one))) return [];
    const at = placeOf(contract, operation, resource);
    const shown = (successesBy(contract).get(operation.operationId) ?? []).flatMap(({ pointer, schema }) => {
      const name = pointer.slice((at ?? "").length + 1);
      return parentOf(pointer) === at && given.get(name) === typeOf(schema) ? [name] : [];
    });
    return at === undefined || shown.length === 0 ? [] : [{ operation, at, fields: [...new Set(shown)] }];
  });
};

const pathResources = ({ parameters }: Operation): string[] =>
  parameters.flatMap(({ in: place, resource = "" }) => (place === "path" ? [resource] : []));

/** Returns the names and types of the fields that a call names, without the identifier of the resource itself. */
const givenBy = (
  contract: Contract,
  { operationId, parameters }: Operation,
  resource: string,
): ReadonlyMap<string, string> => {
  const fields = requestRulesOf(contract, operationId).filter(
    ({ pointer, place }) => place === undefined && parentOf(pointer) === "" && pointer !== "",
  );
  const named = parameters.filter((one) => one.in === "path");
  return new Map(
    [
      ...named.map(({ name, schema, resource: of }) => [name, typeOf(schema), of] as const),
      ...fields.map(
        ({ pointer, schema }) => [pointer.slice(1), typeOf(schema), schema["x-resource"]] as const,
      ),
    ].flatMap(([name, type, of]) => (of === resource ? [] : [[name, type]])),
  );
};

const typeOf = ({ type }: JsonSchema): string => JSON.stringify(type ?? null);

/** Returns the place of the objects that are about the resource: those with its identifier, and without one of another. */
const placeOf = (contract: Contract, operation: Operation, resource: string): string | undefined => {
  const places = placesIn(contract, operation);
  const names = namesOf(contract, resource);
  return places
    .filter(({ pointer, schema }) => {
      const own = pointer.slice(parentOf(pointer).length + 1);
      const hasOther = own !== "id" && places.some((one) => one.pointer === `${parentOf(pointer)}/id`);
      return schema["x-resource"] === resource && !hasOther && names.includes(loose(own));
    })
    .map(({ pointer }) => parentOf(pointer))[0];
};

/** Returns the names of the identifier of a resource. */
const namesOf = ({ operations }: Contract, resource: string): readonly string[] => [
  "id",
  loose(`${resource}id`),
  ...operations.flatMap(({ parameters }) =>
    parameters.flatMap((one) => (one.in === "path" && one.resource === resource ? [loose(one.name)] : [])),
  ),
];

const parentOf = (pointer: string): string => pointer.slice(0, Math.max(0, pointer.lastIndexOf("/")));

const successesBy = oncePer(({ rules }: Contract) =>
  grouped(
    rules.filter(({ direction, status = 0 }) => direction === "response" && status < 300),
    ({ operationId }) => operationId,
  ),
);
