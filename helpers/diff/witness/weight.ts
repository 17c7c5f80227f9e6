/** How much a validator has to compile for a schema. */

import { isObject } from "../../contract/json.ts";
import { componentNamed } from "../../contract/pointer.ts";
import type { Schemas } from "../document/model.ts";

/** The number of component schemas that it leads to. */
export const weightOf = (schema: unknown, schemas: Schemas): number => {
  const met = new Set<string>();
  const waiting = [...namesIn(schema)];
  while (waiting.length > 0) {
    const name = waiting.pop() as string;
    if (met.has(name)) continue;
    met.add(name);
    waiting.push(...namesIn(schemas[name]));
  }
  return met.size;
};

const known = new WeakMap<object, readonly string[]>();

const namesIn = (node: unknown): readonly string[] => {
  if (typeof node !== "object" || node === null) return [];
  const kept = known.get(node);
  if (kept !== undefined) return kept;
  const own = isObject(node) ? componentNamed(node.$ref) : undefined;
  const names = [...new Set([...(own === undefined ? [] : [own]), ...Object.values(node).flatMap(namesIn)])];
  known.set(node, names);
  return names;
};
