/** Boundary values by keyword: just inside the rule, so that they must be accepted. */
import fc from "fast-check";
import { change, type Draft, ofItems, only, type Place, removal } from "./place.ts";
import { typesOf } from "./schema.ts";

export const boundaries = (place: Place): Draft[] => {
  if (place.rule.keyword === "optional") return [removal(place, "left out")];
  const drafts = BOUNDARIES[place.rule.keyword]?.(place) ?? [];
  return drafts.map((draft) => only(draft, (value) => place.broken(value).size === 0));
};

const BOUNDARIES: Readonly<Record<string, (place: Place) => Draft[]>> = {
  enum: (place) =>
    [place.rule.value].flat().map((value) => change(place, `value ${String(value)}`, fc.constant(value))),
  "enum-value": (place) => [
    change(place, `value ${String(place.rule.value)}`, fc.constant(place.rule.value)),
  ],
  minLength: (place) => exactly(place, "shortest", Number(place.rule.value)),
  maxLength: (place) => exactly(place, "longest", Number(place.rule.value)),
  minimum: (place) => [change(place, "smallest", fc.constant(place.rule.value))],
  maximum: (place) => [change(place, "largest", fc.constant(place.rule.value))],
  exclusiveMinimum: (place) => [change(place, "smallest", fc.constant(nextTo(place, 1)))],
  exclusiveMaximum: (place) => [change(place, "largest", fc.constant(nextTo(place, -1)))],
  minItems: (place) => [change(place, "fewest items", ofItems(place, Number(place.rule.value)))],
  maxItems: (place) => [change(place, "most items", ofItems(place, Number(place.rule.value)))],
};

const exactly = (place: Place, words: string, length: number): Draft[] => {
  if (length === 0) return [];
  const { acceptedLengths, known } = place.maker ?? {};
  return [
    {
      ...change(place, `${words}, ${length} characters`, place.ofLength(length)),
      known: known === true || place.schema["x-resource"] !== undefined,
      open: acceptedLengths !== undefined && !acceptedLengths.includes(length),
    },
  ];
};

const nextTo = (place: Place, sign: 1 | -1): number => {
  const step = Number(place.schema.multipleOf ?? (typesOf(place.schema).includes("integer") ? 1 : 0.01));
  return Number((Number(place.rule.value) + sign * step).toPrecision(15));
};
