/** The places of the provider's schema at which it has what the contract names (`x-ours`). */
import type { JsonSchema, Schemas } from "../contract.ts";
import { isObject, type Json } from "../json.ts";
import { hasPlace, type InnerSchema, innerSchemas } from "../schemas/schema-visitor.ts";

/** @param pointer in the contract's schema of the same body, with `*` for list items */
export const relocated = (schemas: Schemas, schema: JsonSchema, pointer: string): string | undefined =>
  hasPlace(schemas, schema, pointer)
    ? pointer
    : placesIn(schemas, schema).find(({ same, noted }) => [...same, ...noted].includes(pointer))?.pointer;

interface Place {
  readonly pointer: string;
  /** The contract's pointers to the same field: with the same last name, and as a note at the field states them. */
  readonly same: readonly string[];
  readonly noted: readonly string[];
  /** The contract's pointers to the body or the list item that contains it. */
  readonly scope: readonly string[];
}

const ROOT: Place = { pointer: "", same: [""], noted: [], scope: [""] };
const DEEPEST = 8;

/** Returns the places of the values that a schema of the provider describes. */
export const placesIn = (
  schemas: Schemas,
  schema: unknown,
  at = ROOT,
  within: readonly unknown[] = [],
): Place[] => {
  if (within.includes(schema) || within.length > DEEPEST) return [];
  return innerSchemas(schemas, schema).flatMap((inner) => {
    const place = placeOf(at, inner);
    return [place, ...placesIn(schemas, inner.schema, place, [...within, schema])];
  });
};

const placeOf = (at: Place, { segment, name, schema }: InnerSchema): Place => {
  const notes = isObject(schema) ? ((schema["x-ours"] ?? []) as readonly string[]) : [];
  const same = [...at.same, ...at.noted].map((one) => `${one}${segment}`);
  return {
    pointer: `${at.pointer}${segment}`,
    same,
    noted: at.scope.flatMap((one) => notes.map((note) => `${one}${note}`)),
    scope: name === undefined ? same : at.scope,
  };
};

/** Notes at a place which resource its value identifies. Changes the schema, unless it already names a resource there. */
export const identifyPlace = (
  schemas: Schemas,
  schema: unknown,
  [segment = "", ...rest]: readonly string[],
  resource: string,
): void => {
  for (const { part, name, schema: inner } of innerSchemas(schemas, schema)) {
    if ((name ?? "*") !== segment || !isObject(inner)) continue;
    const owner = (name === undefined ? part : part.properties) as Json;
    if (rest.length > 0) identifyPlace(schemas, inner, rest, resource);
    else owner[name ?? "items"] = { "x-resource": resource, ...inner };
  }
};
