/** Finds the parts, places and types of the schemas of a contract. */

import type { Contract, JsonSchema } from "./contract.ts";
import { isObject } from "./json.ts";
import { once } from "./once.ts";
import { referenced, segmentsOf } from "./pointer.ts";

type Schemas = Contract["schemas"];

/** Returns the schema itself and all its parts at its own level: `$ref`, `allOf`, `anyOf`, `oneOf`. */
export const partsOf = (schemas: Schemas, schema: unknown): readonly JsonSchema[] =>
  isObject(schema) ? collected(schema, schemas) : [];

const collected = once((schema, schemas): readonly JsonSchema[] => collect(schemas, schema, new Set()));

const collect = (schemas: Schemas, schema: unknown, entered: ReadonlySet<unknown>): JsonSchema[] => {
  if (!isObject(schema) || entered.has(schema)) return [];
  const inner = new Set([...entered, schema]);
  const target = schema.$ref === undefined ? [] : [referenced(schema.$ref, schemas)];
  const composed = [schema.allOf, schema.anyOf, schema.oneOf].flatMap((list) =>
    Array.isArray(list) ? list : [],
  );
  return [schema, ...[...target, ...composed].flatMap((part) => collect(schemas, part, inner))];
};

/** Whether an instance of the schema may have a value at the JSON pointer; `*` matches every item. */
export const hasPlace = (schemas: Schemas, schema: unknown, pointer: string): boolean =>
  schemasAt(schemas, schema, pointer).length > 0;

/** Returns the schemas of the values at the JSON pointer, one for each alternative. */
export const schemasAt = (schemas: Schemas, schema: unknown, pointer: string): unknown[] => {
  let here: unknown[] = [schema];
  for (const segment of segmentsOf(pointer)) {
    here = here
      .flatMap((one) => partsOf(schemas, one))
      .flatMap((part) => [
        ...(isObject(part.properties) && segment in part.properties ? [part.properties[segment]] : []),
        ...(/^(\*|\d+)$/.test(segment) && part.items !== undefined ? [part.items] : []),
      ]);
  }
  return here;
};

/** Returns the JSON types that the schema names, without `null`. */
export const typesOf = (schemas: Schemas, schema: unknown): string[] => [
  ...new Set(
    partsOf(schemas, schema)
      .flatMap(({ type }) => (type === undefined ? [] : [type].flat()) as string[])
      .filter((type) => type !== "null"),
  ),
];
