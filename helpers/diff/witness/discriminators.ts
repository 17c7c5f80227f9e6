/** Discriminators as validators can judge them: each alternative names the values that lead to it. */

import { isObject, type Json } from "../../contract/json.ts";
import { componentNamed } from "../../contract/pointer.ts";

/** The same object where no discriminator lists its values. */
export const withDiscriminators = <Node>(node: Node): Node => enforce(node) as Node;

const enforce = (node: unknown): unknown => {
  if (Array.isArray(node)) {
    const items = node.map(enforce);
    return items.some((item, index) => item !== node[index]) ? items : node;
  }
  if (!isObject(node)) return node;
  const entries = Object.entries(node).map(([key, value]) => [key, enforce(value)] as const);
  const copy = entries.some(([key, value]) => node[key] !== value) ? Object.fromEntries(entries) : node;
  return withNames(copy);
};

const withNames = (node: Json): Json => {
  const { discriminator } = node;
  const keyword = ["oneOf", "anyOf"].find((one) => Array.isArray(node[one]));
  if (keyword === undefined || !isObject(discriminator) || !isObject(discriminator.mapping)) return node;
  const { propertyName, mapping } = discriminator;
  if (typeof propertyName !== "string") return node;
  const branches = (node[keyword] as unknown[]).map((branch) => named(branch, propertyName, mapping as Json));
  return { ...node, [keyword]: branches };
};

/** A value leads to the component that it is mapped to or, unmapped, to the one of that name. */
const named = (branch: unknown, property: string, mapping: Json): unknown => {
  const name = isObject(branch) ? componentNamed(branch.$ref) : undefined;
  if (name === undefined) return branch;
  const values = Object.entries(mapping)
    .filter(([, target]) => (componentNamed(target) ?? target) === name)
    .map(([value]) => value);
  const names = values.length > 0 ? values : [name];
  return { allOf: [branch, { required: [property], properties: { [property]: { enum: names } } }] };
};
