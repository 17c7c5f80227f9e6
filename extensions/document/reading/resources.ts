/** Finds resources by the conventions of paths: `/rooms/{roomId}` has the resource `room`, which `POST /rooms` creates. */
import { isObject, type Json } from "../../../helpers/contract/json.ts";
import { jsonTypeIn } from "../../../helpers/contract/media-type.ts";
import { groupBy, memoize } from "../../../helpers/contract/memoize.ts";
import { loose } from "../../../helpers/contract/names.ts";
import { inPlace, partsOf, propertiesOf, typesOf } from "../../../helpers/contract/schemas/schema-visitor.ts";
import { successIn } from "../../../helpers/contract/statuses.ts";
import { otherBodyIn } from "../../../helpers/trials/other-body.ts";

export type Schemas = Parameters<typeof partsOf>[0];

export interface Resource {
  readonly name: string;
  /** The path that ends with the identifier. */
  readonly path: string;
  readonly parameter: string;
  /** The path without the identifier. */
  readonly collection: string;
}

export const METHODS: readonly string[] = ["get", "post", "put", "delete", "patch", "head", "options"];

const PARAMETER = /\{([^}]+)\}/g;

/** Returns the paths that have a method of another path that is the same but for the names of its parameters. */
export const alikeIn = (paths: Readonly<Record<string, unknown>>): ReadonlySet<string> => {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(isObject(item) ? item : {}).flatMap((method) =>
      METHODS.includes(method) ? [{ path, method }] : [],
    ),
  );
  const all = groupBy(operations, ({ path, method }) => `${method} ${path.replaceAll(PARAMETER, "{}")}`);
  return new Set(
    [...all.values()].flatMap((group) => (group.length > 1 ? group.map(({ path }) => path) : [])),
  );
};

/**
 * Returns the resources of a path, outermost first.
 * @param alike the paths whose resources only the names of their parameters tell apart
 */
export const resourcesOf = (path: string, alike: ReadonlySet<string> = NONE): Resource[] =>
  [...path.matchAll(PARAMETER)].map(({ index, 0: text, 1: parameter = "" }) => {
    const collection = path.slice(0, index).replace(/\/$/, "");
    const segment = collection.split("/").findLast((one) => one !== "" && !one.startsWith("{"));
    const whole = `${path.slice(0, index)}${text}`;
    const isAlone = !collection.endsWith("}") && !path.slice(index + text.length).startsWith("/{");
    return {
      name:
        segment !== undefined && isAlone && !alike.has(whole)
          ? nameOf(segment, plainParameter(parameter))
          : singular(plainParameter(parameter)),
      path: whole,
      parameter,
      collection,
    };
  });

const NONE: ReadonlySet<string> = new Set();

/** The resources of the paths of a document, each with those above it, in groups: a document may have thousands. */
export const indexOf = memoize((all: readonly (readonly Resource[])[]) => {
  const placed = all
    .flatMap((one) => one.map((resource, index) => ({ resource, parents: one.slice(0, index) })))
    .map((one, at) => ({ ...one, at }));
  return {
    byName: groupBy(placed, ({ resource }) => resource.name),
    byPath: groupBy(placed, ({ resource }) => resource.path),
    byCollection: groupBy(placed, ({ resource }) => resource.collection),
    byParameter: groupBy(placed, ({ resource }) => loose(resource.parameter)),
  };
});

/** Identifiers that follow each other, as in `/repos/{owner}/{repo}`, have the names of their parameters. */
const plainParameter = (parameter: string): string => parameter.replace(/(?<=.)[-_]?id$/i, "");

/** Returns the singular of a collection. A parameter may show an irregular one: `/shelves/{shelfId}`. */
const nameOf = (segment: string, parameter: string): string => {
  const isIrregular =
    /ves$/i.test(segment) && parameter.slice(0, 3).toLowerCase() === segment.slice(0, 3).toLowerCase();
  // The parameter tells the singular: `/warehouses/{warehouseId}`, `/statuses/{statusId}`.
  const plurals = [`${parameter}s`, `${parameter}es`].map((plural) => plural.toLowerCase());
  if (plurals.includes(segment.toLowerCase())) return wordOf(parameter);
  return singular(isIrregular ? parameter : segment);
};

const singular = (segment: string): string =>
  wordOf(segment.replace(/ies$/, "y").replace(/(x|z|ss|ch|sh)es$|(?<=[^s])s$/, "$1"));

const wordOf = (text: string): string => text.replaceAll(/[^A-Za-z0-9]+/g, "-").toLowerCase();

/**
 * Returns the resource that a call starts without waiting for its end (RFC 9110, 15.3.3): the only one whose read answers
 * with the component of the call's own answer.
 * @param paths whose `get` reads the resource
 */
export const startedBy = (
  responses: Json,
  all: readonly Resource[],
  paths: Readonly<Record<string, Json>>,
): Resource | undefined => {
  const started = Object.keys(responses).includes("202") ? componentOf(responses) : undefined;
  if (started === undefined) return undefined;
  const alike = all.filter(({ path }) => componentOf((paths[path]?.get as Json)?.responses) === started);
  const isOwn = ({ collection }: Resource): boolean =>
    !collection.includes("{") && paths[collection]?.post === undefined;
  return alike.length === 1 ? alike.find(isOwn) : undefined;
};

const componentOf = (responses: unknown): unknown => {
  const { schema } = successIn((responses ?? {}) as Json);
  return isObject(schema) ? schema.$ref : undefined;
};

/** Returns the pointer of the identifier in the answer to a creation; `undefined` if it shows none. */
export const identifierIn = (schemas: Schemas, schema: unknown, resource: Resource): string | undefined => {
  const name = identifierName(schemas, schema, resource);
  return name === undefined ? undefined : `/${name}`;
};

/** Returns the property of an item that identifies it. */
export const identifierName = (schemas: Schemas, item: unknown, resource: Resource): string | undefined => {
  const names = new Set(inPlace(schemas, item, "always").flatMap((part) => Object.keys(propertiesOf(part))));
  const { parameter, name } = resource;
  return [parameter, "id", `${name}Id`, `${name}_id`, "uuid"].find((one) => names.has(one));
};

export const isScalar = (schemas: Schemas, schema: unknown): boolean => {
  const types = typesOf(schemas, schema);
  return types.length > 0 && types.every((type) => SCALARS.includes(type));
};

const SCALARS: readonly string[] = ["string", "integer", "number"];

/** Whether a parameter identifies nothing: the document lists its values or their range, or it is a list or an object. */
export const isChosen = (schemas: Schemas, schema: unknown): boolean =>
  partsOf(schemas, schema).some(
    ({ enum: values, const: value, type, properties, minimum, maximum }) =>
      [values, value, properties].some((one) => one !== undefined) ||
      type === "array" ||
      type === "object" ||
      Number(maximum) - Number(minimum) <= LARGEST_RANGE,
  );

/** The largest difference between the limits of a day, a year or a place. Identifiers have no such limits. */
const LARGEST_RANGE = 1_000;

/** Whether the suite writes the body: it makes no files. */
export const isWritable = (schemas: Schemas, { content = {} }: Json): boolean => {
  const contents = Object.entries(content as Record<string, Json>).map(([type, { schema }]) => [
    type,
    schema ?? {},
  ]);
  const types = contents.map(([type]) => String(type));
  return (
    types.length === 0 ||
    jsonTypeIn(types) !== undefined ||
    otherBodyIn(Object.fromEntries(contents), schemas) !== undefined
  );
};
