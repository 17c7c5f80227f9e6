/** The assumptions of the contract about a place, in addition to the keywords of the provider's document. */
import type { JsonSchema, Schemas } from "../contract.ts";
import type { Json } from "../json.ts";
import { inPlace, partsOf, requiredOf, typesOf } from "../schemas/schema-visitor.ts";

const VALUES = ["enum", "const"];
const TEXT = ["pattern", "format", "minLength", "maxLength"];
const RANGE = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
const SIZE = ["minItems", "maxItems", "uniqueItems"];

/** Groups of our keywords, each with the provider's keywords that might contradict them. */
const SUBJECTS: readonly (readonly [ours: readonly string[], theirs: readonly string[]])[] = [
  [VALUES, [...VALUES, ...TEXT, ...RANGE]],
  [TEXT, [...VALUES, ...TEXT]],
  [RANGE, [...VALUES, ...RANGE]],
  [SIZE, SIZE],
];

/**
 * Returns our keywords for a place if the provider's document states no keyword on the same subject. The provider's
 * server may accept only what we assume, so valid values satisfy both documents. These keywords are not used to judge a
 * server.
 * @returns `undefined` if there are none
 */
export const assumedBesides = (
  [ours, our]: readonly [Schemas, JsonSchema],
  [theirs, their]: readonly [Schemas, JsonSchema],
): Json | undefined => {
  const [type, ...otherTypes] = typesOf(theirs, their);
  if (type === undefined || otherTypes.length > 0 || !typesOf(ours, our).includes(type)) return undefined;
  const stated = new Set(partsOf(theirs, their).flatMap((part) => Object.keys(part)));
  const result: Json = {};
  const parts = inPlace(ours, our, "always");
  for (const [keywords, rivals] of SUBJECTS) {
    if (rivals.some((rival) => stated.has(rival))) continue;
    for (const keyword of keywords) {
      const value = parts.find((part) => part[keyword] !== undefined)?.[keyword];
      if (value !== undefined) result[keyword] = value;
    }
  }
  const required = requiredBesides(parts, partsOf(theirs, their));
  if (required.length > 0) result.required = required;
  return Object.keys(result).length === 0 ? undefined : result;
};

const requiredBesides = (ours: readonly JsonSchema[], theirs: readonly JsonSchema[]): string[] => {
  const known = new Set(theirs.flatMap(({ properties }) => Object.keys(properties ?? {})));
  const stated = new Set(theirs.flatMap(requiredOf));
  return [...new Set(ours.flatMap(requiredOf))].filter((name) => known.has(name) && !stated.has(name));
};
