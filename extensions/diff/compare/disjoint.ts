/** Decides whether two schemas certainly have no value in common. */
import { canonical, isObject, type Json } from "../../../helpers/contract/json.ts";
import { inPlace, propertiesOf, requiredOf } from "../../../helpers/contract/schemas/schema-visitor.ts";
import type { Schemas } from "../document/model.ts";
import { listedValues, takes, typesOf } from "./types.ts";

/** The maximum depth of nested properties that are compared. Alternatives differ at a lower depth. */
const DEPTH = 4;

export const exclude = (one: unknown, other: unknown, schemas: Schemas, depth = DEPTH): boolean => {
  const [left, right] = [one, other].map((node) => inPlace(schemas, node, "always")) as [Json[], Json[]];
  return left.some((a) => right.some((b) => differ(a, b) || differInProperty(left, right, schemas, depth)));
};

const differ = (one: Json, other: Json): boolean => {
  if (!typesOf(one).some((type) => takes(other, type === "integer" ? "number" : type))) return true;
  const [left, right] = [listedValues(one), listedValues(other)];
  if (left === undefined || right === undefined) return closes(one, other) || closes(other, one);
  const values = new Set(left.map(canonical));
  return !right.some((value) => values.has(canonical(value)));
};

/** Whether one schema is a closed object that lacks a property required by the other. */
const closes = (one: Json, other: Json): boolean =>
  isOnlyObject(one) &&
  one.additionalProperties === false &&
  one.patternProperties === undefined &&
  Array.isArray(other.required) &&
  other.required.some((name) => !isObject(one.properties) || !(String(name) in one.properties));

const isOnlyObject = (node: Json): boolean => typesOf(node).every((type) => type === "object");

/** Whether both require a property with schemas that have no value in common. */
const differInProperty = (
  left: readonly Json[],
  right: readonly Json[],
  schemas: Schemas,
  depth: number,
): boolean => {
  if (depth === 0 || ![left, right].some((parts) => parts.some(isOnlyObject))) return false;
  const [needed, alsoNeeded] = [left, right].map((parts) => new Set(parts.flatMap(requiredOf)));
  return [...(needed ?? [])]
    .filter((name) => alsoNeeded?.has(name))
    .some((name) => {
      const [mine, theirs] = [left, right].map((parts) => ({
        allOf: parts.flatMap((part) => (name in propertiesOf(part) ? [propertiesOf(part)[name]] : [])),
      }));
      return exclude(mine, theirs, schemas, depth - 1);
    });
};
