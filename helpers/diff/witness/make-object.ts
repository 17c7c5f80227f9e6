/** Objects that are meant to fit. */
import type { Json } from "../../contract/json.ts";
import type { Expansion } from "./expand.ts";
import { least, most } from "./make-scalar.ts";
import { type Making, NONE, SHALLOW, schemasIn } from "./making.ts";

const MOST_PROPERTIES = 500;

export const makeObject = ({ parts }: Expansion, making: Making): unknown => {
  const { random, generosity, depth } = making;
  const needed = requiredOf(parts);
  const known = new Set([...needed, ...parts.flatMap((part) => Object.keys(schemasIn(part, "properties")))]);
  const fewest = most(parts, "minProperties", 0);
  const longest = least(parts, "maxProperties");
  if (needed.size > longest || fewest > MOST_PROPERTIES) return NONE;
  const result: Json = {};
  for (const name of known) {
    const isNeeded = needed.has(name);
    const room = Object.keys(result).length < longest - [...needed].filter((one) => !(one in result)).length;
    const wanted = isNeeded || known.size <= fewest || (depth < SHALLOW && room && random.chance(generosity));
    if (!wanted) continue;
    const value = propertyOf(parts, name, making);
    if (value !== NONE) result[name] = value;
    else if (isNeeded) return NONE;
  }
  return filled(result, fewest, [...known], parts, making);
};

/** What is required, and what that requires. */
const requiredOf = (parts: readonly Json[]): Set<string> => {
  const needed = new Set(
    parts.flatMap(({ required }) => (Array.isArray(required) ? required.map(String) : [])),
  );
  for (const name of needed) {
    for (const part of parts) {
      const more = schemasIn(part, "dependentRequired")[name];
      for (const one of Array.isArray(more) ? more : []) needed.add(String(one));
    }
  }
  return needed;
};

const propertyOf = (parts: readonly Json[], name: string, making: Making): unknown =>
  making.make(
    parts.flatMap((part) => schemasOf(part, name)),
    { ...making, depth: making.depth + 1 },
  );

const schemasOf = (part: Json, name: string): unknown[] => {
  const named = schemasIn(part, "properties");
  const byPattern = Object.entries(schemasIn(part, "patternProperties"))
    .filter(([pattern]) => new RegExp(pattern, "u").test(name))
    .map(([, schema]) => schema);
  if (name in named) return [named[name], ...byPattern];
  if (byPattern.length > 0) return byPattern;
  return part.additionalProperties === undefined ? [] : [part.additionalProperties];
};

/** Adds properties until there are enough: optional ones first, then unnamed ones. */
const filled = (
  result: Json,
  fewest: number,
  known: readonly string[],
  parts: readonly Json[],
  making: Making,
): unknown => {
  const spare = [...known, ...Array.from({ length: fewest }, (_, at) => `other${at + 1}`)];
  for (const name of spare) {
    if (Object.keys(result).length >= fewest) break;
    if (name in result) continue;
    const value = propertyOf(parts, name, making);
    if (value !== NONE) result[name] = value;
  }
  return Object.keys(result).length < fewest ? NONE : result;
};
