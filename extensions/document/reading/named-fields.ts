/** Finds the fields of request bodies that name a resource of another path: `customerId` names `/customers/{id}`. */
import { isObject, type Json } from "../../../helpers/contract/json.ts";
import { jsonTypeIn } from "../../../helpers/contract/media-type.ts";
import { groupBy } from "../../../helpers/contract/memoize.ts";
import { inPlace, propertiesOf, typesOf } from "../../../helpers/contract/schemas/schema-visitor.ts";
import { isChosen, METHODS, type Schemas } from "./resources.ts";

/** Names of parameters that fields of other resources have too, with another meaning. */
const COMMON =
  /^(?:id|uuid|name|title|slug|type|kind|status|version|code|key|value|date|day|month|year|path|format|locale|language|currency|country)$/i;

/** Matches the path of a member, and the path of its collection. */
const MEMBER = /^(.*)\/\{[^/]+\}$/;

/** Levels of a body that are searched: deeper fields describe other resources, and seldom choose one. */
const LEVELS = 2;

/** Adds `x-names` to the bodies of a document whose parameters have their resources (`x-resource`). */
export const addNamedFields = (schemas: Schemas, paths: Readonly<Record<string, Json>>): void => {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => (isObject(item[method]) ? [{ path, method, node: item[method] }] : [])),
  );
  const named = namesIn(operations.flatMap(({ node }) => identifiersOf(node)));
  for (const { path, method, node } of operations) {
    const content =
      isObject(node.requestBody) && isObject(node.requestBody.content) ? node.requestBody.content : {};
    const json = content[jsonTypeIn(Object.keys(content)) ?? ""];
    if (!isObject(json)) continue;
    // A member of the collection in the path is made, or gets the identifier that the client chooses.
    const members = operations.filter((one) => MEMBER.exec(one.path)?.[1] === path);
    const made = members.map((one) => identifiersOf(one.node).at(-1)?.resource);
    const own = /^(?:put|patch)$/.test(method) ? identifiersOf(node).at(-1) : undefined;
    const fields = namedIn(schemas, json.schema, (field) => {
      // A body that changes a resource repeats the identifier in its path under any name.
      if (own !== undefined && (field === own.name || field === `data/${own.name}`)) return own.resource;
      const resource = named.get(field.slice(field.lastIndexOf("/") + 1));
      return made.includes(resource) ? undefined : resource;
    });
    if (fields !== undefined) json.schema = { allOf: [json.schema, fields] };
  }
};

interface Identifier {
  readonly name: string;
  readonly resource: string;
}

/** Returns the path parameters of an operation that identify a resource, outermost first. */
const identifiersOf = ({ parameters }: Json): Identifier[] =>
  (parameters as Json[]).flatMap(({ in: place, name, "x-resource": resource }) =>
    place === "path" && typeof resource === "string" ? [{ name: String(name), resource }] : [],
  );

/** Returns the resources that fields of any body name. A name with several meanings is left out. */
const namesIn = (identifiers: readonly Identifier[]): ReadonlyMap<string, string> => {
  const names = identifiers.flatMap(({ name, resource }) =>
    [
      ...(COMMON.test(name) ? [] : [name]),
      `${resource.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}Id`,
      `${resource.replaceAll("-", "_")}_id`,
    ].map((one) => [one, resource] as const),
  );
  const meanings = groupBy(names, ([name]) => name);
  return new Map(
    [...meanings].flatMap(([name, all]) => {
      const resources = new Set(all.map(([, resource]) => resource));
      return resources.size === 1 ? [[name, [...resources][0] ?? ""] as const] : [];
    }),
  );
};

/**
 * Returns a schema with only the fields that name a resource; `undefined` if there are none.
 * @param resourceOf finds the resource by the path of a field, such as `lines/sku`
 */
const namedIn = (
  schemas: Schemas,
  schema: unknown,
  resourceOf: (path: string) => string | undefined,
  path: readonly string[] = [],
): Json | undefined => {
  if (path.length >= LEVELS) return undefined;
  const parts = inPlace(schemas, schema, "always");
  const properties = parts.flatMap((part) =>
    Object.entries(propertiesOf(part)).flatMap(([name, inner]) => {
      const within = [...path, name];
      const resource = isIdentifier(schemas, inner) ? resourceOf(within.join("/")) : undefined;
      const named =
        resource === undefined ? namedIn(schemas, inner, resourceOf, within) : { "x-names": resource };
      return named === undefined ? [] : [[name, named] as const];
    }),
  );
  if (properties.length > 0) return { properties: Object.fromEntries(properties) };
  const items = parts.map((part) => namedIn(schemas, part.items, resourceOf, path)).find(isObject);
  return items === undefined ? undefined : { items };
};

/** Whether a field is a text or a number that the document does not list. */
const isIdentifier = (schemas: Schemas, schema: unknown): boolean => {
  const types = typesOf(schemas, schema);
  return (
    types.length > 0 && types.every((type) => /^(?:string|integer)$/.test(type)) && !isChosen(schemas, schema)
  );
};
