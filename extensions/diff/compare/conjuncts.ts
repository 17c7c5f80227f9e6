/** Splits a schema into parts that must all hold: references to component schemas, and its own keywords. */

import { isObject, isSame, type Json } from "../../../helpers/contract/json.ts";
import { referenced } from "../../../helpers/contract/pointer.ts";
import { STRICTEST } from "../../../helpers/contract/schemas/flatten.ts";
import type { Schemas } from "../document/model.ts";

/** A schema that allows no value. */
export const NOTHING: Json = { not: {} };

/** Collects references once each, and the other keywords of a schema and of its nested `allOf`, merged if possible. */
export const conjunctsOf = (node: unknown): { refs: readonly string[]; own: readonly Json[] } => {
  const refs = new Set<string>();
  const own: Json[] = [];
  const collect = (inner: unknown): void => {
    const { $ref, allOf, $defs: _, ...rest } = isObject(inner) ? inner : inner === false ? NOTHING : {};
    if (typeof $ref === "string") refs.add($ref);
    if (Object.keys(rest).length > 0) own.push(rest);
    for (const part of Array.isArray(allOf) ? allOf : []) collect(part);
  };
  collect(node);
  return { refs: [...refs], own: joined(own) };
};

/** Replaces references that only one side has by their targets, until both sides have the same references. */
export const aligned = (
  one: { readonly node: unknown; readonly schemas: Schemas },
  other: { readonly node: unknown; readonly schemas: Schemas },
): { readonly shared: readonly string[]; readonly one: readonly Json[]; readonly other: readonly Json[] } => {
  const sides = [one, other].map(({ node, schemas }) => ({ ...conjunctsOf(node), schemas, seen: new Set() }));
  const [left, right] = sides as [(typeof sides)[0], (typeof sides)[0]];
  for (;;) {
    const shared = left.refs.filter((ref) => right.refs.includes(ref));
    const lonely = sides.filter(({ refs }) => refs.some((ref) => !shared.includes(ref)));
    if (lonely.length === 0) return { shared, one: left.own, other: right.own };
    for (const side of lonely) {
      const leaving = side.refs.filter((ref) => !shared.includes(ref));
      const contents = leaving
        .filter((ref) => !side.seen.has(ref))
        .map((ref) => conjunctsOf(referenced(ref, side.schemas) ?? true));
      for (const ref of leaving) side.seen.add(ref);
      const kept = side.refs.filter((ref) => shared.includes(ref));
      side.refs = [...new Set([...kept, ...contents.flatMap(({ refs }) => refs)])].filter(
        (ref) => !side.seen.has(ref),
      );
      side.own = joined([...side.own, ...contents.flatMap(({ own }) => own)]);
    }
  }
};

const joined = (parts: readonly Json[]): readonly Json[] => {
  const result: Json[] = [];
  for (const part of parts) {
    const at = result.findIndex((one) => canJoin(one, part));
    if (at < 0) result.push(part);
    else result[at] = both(result[at] as Json, part);
  }
  return result.length === 0 ? [{}] : result;
};

const JOINS: typeof STRICTEST = {
  ...STRICTEST,
  properties: (one: Json, other: Json) => {
    const result: Json = { ...one };
    for (const [name, schema] of Object.entries(other))
      result[name] = result[name] === undefined ? schema : { allOf: [result[name], schema] };
    return result;
  },
};

const CHOICES = ["anyOf", "oneOf", "if", "not"];
const NAMED = ["properties", "patternProperties"];

/** Keywords that apply to the values that other keywords of the same schema do not cover. */
const LEFT_OVER: Readonly<Record<string, readonly string[]>> = {
  additionalProperties: NAMED,
  unevaluatedProperties: [...NAMED, "additionalProperties", ...CHOICES],
  items: ["prefixItems"],
  unevaluatedItems: ["prefixItems", "items", "contains", ...CHOICES],
};

/** Keywords that have a meaning only in combination. */
const GROUPS: readonly (readonly string[])[] = [
  ["if", "then", "else"],
  ["contains", "minContains", "maxContains"],
];

const canJoin = (one: Json, other: Json): boolean =>
  Object.keys(other).every(
    (keyword) =>
      one[keyword] === undefined || JOINS[keyword] !== undefined || isSame(one[keyword], other[keyword]),
  ) &&
  [one, other].every((part, index) => leavesAlone(part, index === 0 ? other : one)) &&
  GROUPS.every(
    (group) =>
      !group.some((keyword) => one[keyword] !== undefined) ||
      !group.some((keyword) => other[keyword] !== undefined),
  );

const leavesAlone = (part: Json, beside: Json): boolean =>
  Object.entries(LEFT_OVER).every(
    ([keyword, judged]) => part[keyword] === undefined || !judged.some((one) => beside[one] !== undefined),
  );

const both = (one: Json, other: Json): Json => {
  const result: Json = { ...one };
  for (const [keyword, value] of Object.entries(other)) {
    const join = JOINS[keyword];
    result[keyword] =
      join !== undefined && one[keyword] !== undefined ? join(one[keyword] as never, value as never) : value;
  }
  return result;
};
