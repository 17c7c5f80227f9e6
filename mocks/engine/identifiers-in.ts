/** Finds the identifiers of resources in a body: by its schema, by the places of its operation, and by names. */

import { resourceNamesOf } from "../../helpers/contract/binding-resources.ts";
import type { Contract, JsonSchema, Operation } from "../../helpers/contract/contract.ts";
import { loose } from "../../helpers/contract/names.ts";
import { oncePer } from "../../helpers/contract/once.ts";
import { segmentsOf } from "../../helpers/contract/pointer.ts";
import { isObject } from "./values/fields.ts";
import type { Flatten } from "./values/flat-schema.ts";
import { partsOf } from "./values/visit.ts";

export interface Identifier {
  readonly resource: string;
  readonly value: string | number;
}

/** Yields the identifiers in an answer. */
export function* identifiersIn(
  flatten: Flatten,
  { produces, finds }: Operation,
  schema: JsonSchema | undefined,
  json: unknown,
): Generator<Identifier> {
  for (const { resource, pointer } of [...produces, ...finds])
    for (const value of valuesAt(json, segmentsOf(pointer))) yield { resource, value };
  if (schema !== undefined) yield* bySchema(flatten, schema, json);
}

function* bySchema(flatten: Flatten, schema: JsonSchema, json: unknown): Generator<Identifier> {
  const flat = flatten(schema, json);
  if (flat.resource !== undefined && isScalar(json)) yield { resource: flat.resource, value: json };
  for (const [part, inner] of partsOf(flat, json)) yield* bySchema(flatten, inner, part);
}

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

const namesOf = oncePer(({ schemas, operations }: Contract) => resourceNamesOf(schemas, operations));

export const isScalar = (value: unknown): value is string | number =>
  typeof value === "string" || typeof value === "number";
