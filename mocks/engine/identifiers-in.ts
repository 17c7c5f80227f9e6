/** Finds the identifiers of resources in a body: by its schema, by the places of its operation, and by names. */

import type { Contract, JsonSchema, Operation } from "../../helpers/contract/contract.ts";
import { getOrInsert, memoize } from "../../helpers/contract/memoize.ts";
import { loose } from "../../helpers/contract/names.ts";
import { referenced, segmentsOf } from "../../helpers/contract/pointer.ts";
import { resourceNamesOf } from "../../helpers/contract/provider/binding-resources.ts";
import { isObject } from "./values/fields.ts";
import type { FlatSchema, Flatten } from "./values/flat-schema.ts";

export interface Identifier {
  readonly resource: string;
  readonly value: string | number;
}

/** Calls a function for each identifier in an answer. */
export type FindIdentifiers = (
  operation: Pick<Operation, "produces" | "finds">,
  schema: JsonSchema | undefined,
  json: unknown,
  found: (resource: string, value: string | number) => void,
) => void;

/** Only parts whose schema has identifiers are visited: most parts of a large answer have none. */
export const identifierFinder = (flatten: Flatten, schemas: Contract["schemas"]): FindIdentifiers => {
  const hasIdentifiers = mentioning(schemas);
  const placesOf = memoize(({ properties, items }: FlatSchema) => ({
    properties: [...(properties ?? [])].filter(([, schema]) => hasIdentifiers(schema)),
    items: items !== undefined && hasIdentifiers(items) ? items : undefined,
  }));
  const visit = (schema: JsonSchema, json: unknown, found: Parameters<FindIdentifiers>[3]): void => {
    const flat = flatten(schema, json);
    if (flat.resource !== undefined && isScalar(json)) found(flat.resource, json);
    const { properties, items } = placesOf(flat);
    if (Array.isArray(json)) {
      if (items !== undefined) for (const item of json) visit(items, item, found);
    } else if (isObject(json))
      for (const [name, property] of properties)
        if (json[name] !== undefined) visit(property, json[name], found);
  };
  return ({ produces, finds }, schema, json, found) => {
    for (const { resource, pointer } of [...produces, ...finds])
      for (const value of valuesAt(json, segmentsOf(pointer))) found(resource, value);
    if (schema !== undefined && hasIdentifiers(schema)) visit(schema, json, found);
  };
};

/** Returns a function that tells whether a schema, or one that it refers to, names the resource of an identifier. */
const mentioning = (schemas: Contract["schemas"]): ((schema: JsonSchema) => boolean) => {
  const known = new WeakMap<object, boolean>();
  const search = (node: unknown, entered: Set<object>): boolean => {
    if (typeof node !== "object" || node === null || entered.has(node)) return false;
    const before = known.get(node);
    if (before !== undefined) return before;
    entered.add(node);
    const { "x-resource": resource, $ref } = node as JsonSchema;
    return (
      resource !== undefined ||
      search(referenced($ref, schemas), entered) ||
      Object.values(node).some((inner) => search(inner, entered))
    );
  };
  return (schema) =>
    getOrInsert(known, schema, () => {
      const entered = new Set<object>();
      const isFound = search(schema, entered);
      if (!isFound) for (const node of entered) known.set(node, false);
      return isFound;
    });
};

function* valuesAt(json: unknown, [segment, ...rest]: readonly string[]): Generator<string | number> {
  if (segment === undefined) {
    if (isScalar(json)) yield json;
  } else if (isObject(json)) yield* valuesAt(json[segment], rest);
  else if (segment === "*" && Array.isArray(json)) for (const item of json) yield* valuesAt(item, rest);
}

/** Yields the identifiers in a body without a schema. */
export function* identifiersByName(contract: Contract, json: unknown): Generator<Identifier> {
  if (Array.isArray(json)) for (const item of json) yield* identifiersByName(contract, item);
  if (!isObject(json)) return;
  for (const [name, value] of Object.entries(json)) {
    const resource = namesOf(contract).get(loose(name));
    if (resource !== undefined && isScalar(value)) yield { resource, value };
    else yield* identifiersByName(contract, value);
  }
}

const namesOf = memoize(({ schemas, operations }: Contract) => resourceNamesOf(schemas, operations));

export const isScalar = (value: unknown): value is string | number =>
  typeof value === "string" || typeof value === "number";
