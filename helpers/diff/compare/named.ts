/** Finds other schemas that name a property at its place: an alternative, a negated schema, `required`. */

import { isObject, type Json } from "../../contract/json.ts";
import { referenced } from "../../contract/pointer.ts";
import type { Schemas } from "../document/model.ts";
import type { SchemaStep } from "./change.ts";

/**
 * Returns the schemas of the property from all schemas that name it; `true` from a schema that only requires it.
 * @param schema the schema of the whole message
 * @param steps the steps to the object that may have the property
 */
export const namedAt = (
  schema: unknown,
  steps: readonly SchemaStep[],
  name: string,
  schemas: Schemas,
): unknown[] => {
  let nodes = inPlace([schema], schemas);
  for (const step of steps) {
    if (step.kind !== "way")
      nodes = inPlace(
        nodes.flatMap((node) => inside(node, step)),
        schemas,
      );
  }
  return nodes.flatMap((node) => sayings(node, name));
};

const BRANCHES = ["allOf", "anyOf", "oneOf"] as const;
const SINGLE = ["not", "if", "then", "else"] as const;

/** Returns all schemas that apply to the same instance. */
const inPlace = (start: readonly unknown[], schemas: Schemas): Json[] => {
  const met = new Set<Json>();
  const waiting = [...start];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (!isObject(node) || met.has(node)) continue;
    met.add(node);
    if (node.$ref !== undefined) waiting.push(referenced(node.$ref, schemas) ?? true);
    for (const keyword of BRANCHES) if (Array.isArray(node[keyword])) waiting.push(...node[keyword]);
    for (const keyword of SINGLE) waiting.push(node[keyword]);
    waiting.push(...valuesOf(node.dependentSchemas));
  }
  return [...met];
};

const valuesOf = (named: unknown): unknown[] => (isObject(named) ? Object.values(named) : []);

const inside = (node: Json, step: Exclude<SchemaStep, { kind: "way" }>): unknown[] => {
  if (step.kind === "item") return [node.items, node.contains, ...listed(node.prefixItems, step.index)];
  const others = [node.additionalProperties, node.unevaluatedProperties, ...valuesOf(node.patternProperties)];
  if (step.kind === "other") return others;
  return isObject(node.properties) && step.name in node.properties ? [node.properties[step.name]] : others;
};

const listed = (prefix: unknown, index: number | undefined): unknown[] => {
  if (!Array.isArray(prefix)) return [];
  return index === undefined ? prefix : [prefix[index]];
};

const sayings = (node: Json, name: string): unknown[] => {
  if (isObject(node.properties) && name in node.properties) return [node.properties[name]];
  const dependent = isObject(node.dependentRequired) ? Object.entries(node.dependentRequired).flat(2) : [];
  const required = Array.isArray(node.required) ? node.required : [];
  return [...required, ...dependent].includes(name) ? [true] : [];
};
