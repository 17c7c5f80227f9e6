/** The reads that show a resource: by itself, or in a list. */
import type { Contract, JsonSchema, Operation, ResourcePlace } from "./contract.ts";
import { lastOfPath, placesIn, requestRulesOf, successRulesOf } from "./lookups.ts";
import { getOrInsert, groupBy, memoize } from "./memoize.ts";
import { loose } from "./names.ts";
import { parentOf } from "./pointer.ts";

export interface View {
  readonly operation: Operation;
  /** Whether the resource is an item of a list. */
  readonly isList: boolean;
}

/** Returns the reads whose answers are about the resource. Those that do harm or cost money are left out. */
export const viewsOf = (contract: Contract, resource: string): readonly View[] =>
  getOrInsert(viewsBy(contract), resource, () =>
    contract.operations.flatMap((operation): View[] => {
      if (!isHarmlessRead(operation)) return [];
      const { list } = operation;
      const told = operation.shows.filter((place) => place.resource === resource);
      if (operation.shows.length > 0)
        return told.length > 0 ? [{ operation, isList: told.every(isItem) }] : [];
      const places = placesIn(contract, operation);
      const shows = (pointer: string) =>
        places.some((place) => place.pointer === pointer && place.resource === resource);
      if (list !== undefined) return shows(`${list.items}/*/id`) ? [{ operation, isList: true }] : [];
      const own = lastOfPath(operation);
      // An answer about another resource, such as a part of it, may name it too.
      const isAbout = shows("/id") || !places.some(({ pointer }) => pointer === "/id");
      const isOwn =
        isAbout && own?.resource === resource && [own.name, "id"].some((name) => shows(`/${name}`));
      return isOwn ? [{ operation, isList: false }] : [];
    }),
  );

const isHarmlessRead = ({ method, hazards, repeatable }: Operation): boolean =>
  method === "GET" && hazards.length === 0 && repeatable;

/** Returns the read of one resource of the kind at a path, if there is one. */
export const memberReadOf = (
  { operations }: Contract,
  resource: string,
  path: string,
): Operation | undefined =>
  operations.find(
    (one) =>
      one.method === "GET" &&
      one.path === path &&
      one.list === undefined &&
      lastOfPath(one)?.resource === resource,
  );

const isItem = ({ pointer }: ResourcePlace): boolean => pointer.includes("/*");

const viewsBy = memoize((_: Contract) => new Map<string, readonly View[]>());

/** Returns the kind of the resource that a call creates, or else of the last one in its path, which it changes. */
export const givenResource = (operation: Operation): string =>
  operation.produces[0]?.resource ?? lastOfPath(operation)?.resource ?? "";

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
    if (!isHarmlessRead(operation) || pathResources(operation).some((one) => !known.has(one))) return [];
    const views = placesOf(contract, operation, resource).map((at) => {
      const shown = successRulesOf(contract.rules, operation.operationId)
        // An identifier says which resource it is.
        .filter(({ pointer }) => !operation.shows.some((place) => place.pointer === pointer))
        .flatMap(({ pointer, schema }) => {
          const name = pointer.slice(at.length + 1);
          return parentOf(pointer) === at && given.get(name) === typeOf(schema) ? [name] : [];
        });
      return { operation, at, fields: [...new Set(shown)] };
    });
    return views.filter(({ fields }) => fields.length > 0).slice(0, 1);
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
  const typed = new Set(
    fields.flatMap(({ pointer, schema }) => (schema.type === undefined ? [] : [pointer])),
  );
  return new Map(
    [
      ...named.map(({ name, schema, resource: of }) => [name, typeOf(schema), of] as const),
      ...fields
        // A part of a schema may add only what a field names.
        .filter(({ pointer, schema }) => schema.type !== undefined || !typed.has(pointer))
        .map(({ pointer, schema }) => [pointer.slice(1), typeOf(schema), schema["x-resource"]] as const),
    ].flatMap(([name, type, of]) => (of === resource ? [] : [[name, type]])),
  );
};

const typeOf = ({ type }: JsonSchema): string => JSON.stringify(type ?? null);

/**
 * Returns the places of the objects that are about the resource: of the first ones with its identifier, and without one of
 * another. Where paths tell what a read is about, its answer may have the object inside another one.
 */
const placesOf = (contract: Contract, operation: Operation, resource: string): readonly string[] => {
  const places = placesIn(contract, operation);
  const names = namesOf(contract, resource);
  const found = places.filter(({ pointer, resource: of }) => {
    const own = pointer.slice(parentOf(pointer).length + 1);
    const hasOther = own !== "id" && places.some((one) => one.pointer === `${parentOf(pointer)}/id`);
    return of === resource && !hasOther && names.includes(loose(own));
  });
  const all = found.map(({ pointer }) => parentOf(pointer));
  return operation.shows.length > 0 ? all : all.slice(0, 1);
};

/** Returns the names of the identifier of a resource. */
const namesOf = (contract: Contract, resource: string): readonly string[] => [
  "id",
  loose(`${resource}id`),
  ...(namesInPaths(contract).get(resource) ?? []).map(({ name }) => loose(name)),
];

/** The parameters of paths, by the resource that they name. */
const namesInPaths = memoize(({ operations }: Contract) =>
  groupBy(
    operations.flatMap(({ parameters }) => parameters.filter((one) => one.in === "path")),
    ({ resource = "" }) => resource,
  ),
);

/** Returns the calls that change what is at the path of a read, each with what the read shows of it. */
export const changesShownBy = (contract: Contract, read: Operation) =>
  contract.operations
    .filter(({ method, path }) => /^(?:PUT|PATCH)$/.test(method) && path === read.path)
    .flatMap((change) =>
      changedViewsOf(contract, change, givenResource(change))
        .filter(({ operation }) => operation === read)
        .map((view) => ({ change, view })),
    );

/** Whether a client may ask an operation for what it does not have yet (RFC 9110, 13.1.2). */
export const isConditional = ({ method, parameters, responses }: Operation): boolean =>
  method === "GET" &&
  responses[304] !== undefined &&
  parameters.some(({ in: place, name }) => place === "header" && /^if-none-match$/i.test(name));

/** Returns the read at the path of an operation whose answers have an entity tag, if the document describes one. */
export const taggedReadOf = ({ operations }: Contract, { path }: Operation): Operation | undefined =>
  operations.find(
    (one) =>
      one.method === "GET" &&
      one.path === path &&
      Object.values(one.responses).some(
        ({ status, headers = {} }) =>
          status < 300 && Object.keys(headers).some((name) => /^etag$/i.test(name)),
      ),
  );

/** A read of the resource that a call changes in part, and the fields that both name. */
export interface PartView {
  readonly operation: Operation;
  /** The pointers of the fields, in the body of the call and in the answer of the read. */
  readonly fields: readonly string[];
  /** The pointers of the fields that a body and an answer may leave out. */
  readonly optional: readonly string[];
}

/** Returns what a call names at the top of its body, or in the attributes of JSON:API, and the read at its path shows there. */
export const partViewOf = (contract: Contract, { operationId, path }: Operation): PartView | undefined => {
  const operation = contract.operations.find(
    (one) => one.method === "GET" && one.path === path && one.shows.length > 0,
  );
  const sent = requestRulesOf(contract, operationId).filter(({ place }) => place === undefined);
  const shown = successRulesOf(contract.rules, operation?.operationId);
  const tops = new Set(sent.map(({ pointer }) => pointer).filter((one) => /^\/[^/]+$/.test(one)));
  const isWrapped = tops.size === 1 && tops.has("/data");
  const top = isWrapped ? (sent.some(({ pointer }) => pointer === ATTRIBUTES) ? ATTRIBUTES : "/data") : "";
  const types = new Map(shown.map(({ pointer, schema }) => [pointer, typeOf(schema)]));
  const fields = sent.flatMap(({ pointer, schema }) =>
    pointer !== top && parentOf(pointer) === top && types.get(pointer) === typeOf(schema) ? [pointer] : [],
  );
  const required = new Set(
    [...sent, ...shown].flatMap(({ keyword, pointer }) => (keyword === "required" ? [pointer] : [])),
  );
  const all = [...new Set(fields)];
  return operation && { operation, fields: all, optional: all.filter((one) => !required.has(one)) };
};

const ATTRIBUTES = "/data/attributes";
