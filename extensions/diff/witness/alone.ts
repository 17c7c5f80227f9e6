/** Finds the rules that a refused message breaks besides the one that it shows. */
import type { Refusal } from "./message.ts";

/** Keywords whose error follows the errors of the schemas inside them. */
const AROUND_OTHERS: ReadonlySet<string> = new Set(["anyOf", "oneOf", "if", "contains", "propertyNames"]);

/** Whether a refusal or a message names a parameter or a header. */
export const isParameter = (place: string): boolean => /^(query|path|header|cookie) /.test(place);

/** @param refusals in the order of the validator @returns one refusal for each other rule */
export const otherRules = (
  refusals: readonly Refusal[],
  shows: (refusal: Refusal) => boolean,
): readonly Refusal[] =>
  rulesIn(refusals)
    .filter((rule) => !rule.some(shows))
    .map((rule) => rule.at(-1) as Refusal);

/**
 * Groups the refusals that one rule causes: the errors of all alternatives of a union, and the errors of all readings of
 * a parameter.
 */
const rulesIn = (refusals: readonly Refusal[]): Refusal[][] => {
  const rules: Refusal[][] = [];
  for (const refusal of refusals) {
    const before = rules.at(-1)?.at(-1);
    if (isParameter(refusal.place) && before?.place === refusal.place) rules.at(-1)?.push(refusal);
    else rules.push([...(AROUND_OTHERS.has(refusal.keyword) ? within(rules, refusal) : []), refusal]);
  }
  return rules;
};

/** Takes the last rules that lie within the place of the refusal. */
const within = (rules: Refusal[][], { place, pointer }: Refusal): Refusal[] => {
  const first = rules.findLastIndex(
    (rule) => !rule.every((one) => one.place === place && `${one.pointer}/`.startsWith(`${pointer}/`)),
  );
  return rules.splice(first + 1).flat();
};
