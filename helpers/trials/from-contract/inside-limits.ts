/**
 * Moves the values of a body off the limits that a probe tests, so that the control differs from the probe: a server that
 * refuses the value at a limit refuses every body that contains it.
 */
import fc from "fast-check";
import { instancesAt } from "../../checks/rules.ts";
import type { Rule } from "../../contract/contract.ts";
import { applyEdit, type ProbePair } from "../../generate/edit.ts";
import type { Requests } from "./policy.ts";

/**
 * Returns the pairs with the values of the control inside the limits, or `undefined` if no control has a value at a limit.
 * @param rules all rules of the requirement: a body may contain the limits of several
 */
export const pairsInside = (
  rule: Rule,
  rules: readonly Rule[],
  { schemaOf, generation: { validator } }: Requests,
  pairs: readonly ProbePair[],
): fc.Arbitrary<ProbePair> | undefined => {
  const schema = schemaOf(rule);
  const isValid = (body: unknown): boolean => validator.validate(schema, body).length === 0;
  const alike = rule.parameter === undefined ? rules.filter((other) => isAlike(rule, other)) : [rule];
  const moved = pairs.flatMap(({ base, edit }) => {
    const inside = insideLimits(base, alike, isValid);
    return inside === base ? [] : { base: inside, edit, edited: applyEdit(inside, edit) };
  });
  return moved.length === 0 ? undefined : fc.constantFrom(...moved);
};

const isAlike = (rule: Rule, { keyword, parameter, within }: Rule): boolean =>
  keyword === rule.keyword && parameter === undefined && within === rule.within;

/**
 * @param rules the rules whose limits the values leave if they can
 * @param isValid whether the whole body is valid
 * @returns the body in which each value at a limit is replaced by a value inside; the same body if there is none
 */
const insideLimits = (
  body: unknown,
  rules: readonly Rule[],
  isValid: (body: unknown) => boolean,
): unknown => {
  let moved = body;
  for (const rule of rules) {
    for (const { pointer, value } of instancesAt(moved, rule.pointer)) {
      const other = INSIDE[rule.keyword]?.(value, rule);
      const edited = other === undefined ? moved : applyEdit(moved, { pointer, value: other });
      if (edited !== moved && isValid(edited)) moved = edited;
    }
  }
  return moved;
};

type Inside = (value: unknown, rule: Rule) => unknown;

const longer: Inside = (value, rule) => {
  if (sizeOf(value) !== rule.value) return undefined;
  return typeof value === "string"
    ? value + (value.at(-1) ?? "a")
    : [...(value as []), ...(value as []).slice(-1)];
};

const shorter: Inside = (value, rule) =>
  sizeOf(value) === rule.value ? (value as string | unknown[]).slice(0, -1) : undefined;

const sizeOf = (value: unknown): number | undefined => {
  if (typeof value === "string") return [...value].length;
  return Array.isArray(value) ? value.length : undefined;
};

const INSIDE: Readonly<Record<string, Inside>> = {
  minLength: longer,
  minItems: longer,
  maxLength: shorter,
  maxItems: shorter,
  minimum: (value, rule) => (value === rule.value ? Number(value) + 1 : undefined),
  maximum: (value, rule) => (value === rule.value ? Number(value) - 1 : undefined),
  "enum-value": (value, { value: tested, schema }) =>
    value === tested ? (schema.enum as unknown[]).find((other) => other !== tested) : undefined,
};
