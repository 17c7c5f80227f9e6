/** Finds other schemas that name a property at its place: an alternative, a negated schema, `required`. */
import { isObject, type Json } from "../../../helpers/contract/json.ts";
import {
  inPlace,
  propertiesOf,
  requiredOf,
  schemasIn,
} from "../../../helpers/contract/schemas/schema-visitor.ts";
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
  const all = (nodes: readonly unknown[]): Json[] => [
    ...new Set(nodes.flatMap((node) => inPlace(schemas, node, "conditions"))),
  ];
  let nodes = all([schema]);
  for (const step of steps) if (step.kind !== "way") nodes = all(nodes.flatMap((node) => inside(node, step)));
  return nodes.flatMap((node) => sayings(node, name));
};

const inside = (node: Json, step: Exclude<SchemaStep, { kind: "way" }>): unknown[] => {
  const at = (...keywords: string[]) =>
    keywords.flatMap((keyword) => schemasIn(node, keyword).map(([one]) => one));
  if (step.kind === "item") {
    const first = at("prefixItems");
    return [...at("items", "contains"), ...(step.index === undefined ? first : [first[step.index]])];
  }
  const isNamed = step.kind === "property" && step.name in propertiesOf(node);
  return isNamed
    ? [propertiesOf(node)[step.name]]
    : at("additionalProperties", "unevaluatedProperties", "patternProperties");
};

const sayings = (node: Json, name: string): unknown[] => {
  if (name in propertiesOf(node)) return [propertiesOf(node)[name]];
  const dependent = isObject(node.dependentRequired) ? Object.entries(node.dependentRequired).flat(2) : [];
  return [...requiredOf(node), ...dependent].includes(name) ? [true] : [];
};
