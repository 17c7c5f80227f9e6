/** Visits a value along its schema: the items of a list, and the fields that the schema of an object describes. */
import type { JsonSchema } from "../../../helpers/contract/contract.ts";
import { isObject } from "./fields.ts";
import type { FlatSchema } from "./flat-schema.ts";

/** Yields the parts of the value, each with its schema. */
export function* partsOf(
  { items, properties }: FlatSchema,
  value: unknown,
): Generator<readonly [part: unknown, schema: JsonSchema]> {
  if (Array.isArray(value) && items !== undefined) for (const item of value) yield [item, items];
  if (!isObject(value)) return;
  for (const [name, property] of properties ?? [])
    if (value[name] !== undefined) yield [value[name], property];
}

/** Returns a copy with changed parts. What the schema does not describe stays. */
export const withParts = (
  { items, properties }: FlatSchema,
  value: unknown,
  changed: (part: unknown, schema: JsonSchema) => unknown,
): unknown => {
  if (Array.isArray(value)) return items === undefined ? value : value.map((item) => changed(item, items));
  if (!isObject(value) || properties === undefined) return value;
  const entries = Object.entries(value).map(([name, part]) => {
    const property = properties.get(name);
    return [name, property === undefined ? part : changed(part, property)];
  });
  return Object.fromEntries(entries);
};
