/** Boundary values by keyword: values just inside the rule, which must be accepted. */
import type { Rule } from "../contract/contract.ts";
import { OPEN_NULL } from "../contract/schemas/keywords.ts";
import { typesOf } from "../contract/schemas/schema-reading.ts";
import { applyEdit } from "./edit.ts";
import { change, constant, type Draft, ofItems, only, type Place, removal } from "./schema-location.ts";

export const boundaries = (place: Place): Draft[] => {
  if (place.rule.keyword === "optional") return [removal(place, "left out")];
  const drafts = BOUNDARIES[place.rule.keyword]?.(place) ?? [];
  // A value of an unknown form may be refused for it.
  const known = /Items$/.test(place.rule.keyword) && place.isPartlyUnknown();
  return drafts.map((draft) =>
    only(
      known ? { ...draft, known } : draft,
      (value) => place.broken(value).size === 0 && hasCount(place.rule, value),
    ),
  );
};

/** Whether a list has as many items as its rule says: items that are all empty lists make no list. */
const hasCount = ({ keyword, value: count }: Rule, value: unknown): boolean =>
  !/^m(in|ax)Items$/.test(keyword) || (Array.isArray(value) && value.length === count);

const BOUNDARIES: Readonly<Record<string, (place: Place) => Draft[]>> = {
  enum: (place) =>
    [place.rule.value]
      .flat()
      .filter((value) => value !== null || place.rule.schema[OPEN_NULL] !== true)
      .map((value) => constant(place, `value ${String(value)}`, value)),
  type: (place) =>
    [place.rule.value].flat().includes("null") && place.rule.schema[OPEN_NULL] !== true
      ? [constant(place, "null", null)]
      : [],
  "enum-value": (place) => [constant(place, `value ${String(place.rule.value)}`, place.rule.value)],
  minLength: (place) => exactly(place, "shortest", Number(place.rule.value)),
  maxLength: (place) => [
    ...exactly(place, "longest", Number(place.rule.value)),
    // Headers have ASCII characters only (RFC 9110, 5.5).
    ...(place.freeText && place.rule.place !== "header" ? [longestOf(place, Number(place.rule.value))] : []),
  ],
  minimum: (place) => [constant(place, "smallest", exact(place.rule.value))],
  maximum: (place) => [constant(place, "largest", exact(place.rule.value))],
  exclusiveMinimum: (place) => [constant(place, "smallest", nextTo(place, 1))],
  exclusiveMaximum: (place) => [constant(place, "largest", nextTo(place, -1))],
  minItems: (place) => [change(place, "fewest items", ofItems(place, Number(place.rule.value)))],
  maxItems: (place) => [change(place, "most items", ofItems(place, Number(place.rule.value)))],
};

/** Returns the nearest number that every reader of JSON gets exactly (RFC 8259, 6). */
const exact = (limit: unknown): number =>
  Math.min(Number.MAX_SAFE_INTEGER, Math.max(Number.MIN_SAFE_INTEGER, Number(limit)));

const exactly = (place: Place, words: string, length: number): Draft[] => {
  // Whether an empty text in an address or a header is a value is not defined.
  if (length === 0)
    return place.rule.place === undefined && place.rule.mediaType === undefined
      ? [constant(place, `${words}, empty`, "")]
      : [];
  const { acceptedLengths, known } = place.maker ?? {};
  return [
    {
      ...change(place, `${words}, ${length} characters`, place.ofLength(length)),
      known: known === true || (place.schema["x-resource"] ?? place.schema["x-names"]) !== undefined,
      open: acceptedLengths !== undefined && !acceptedLengths.includes(length),
    },
  ];
};

/** A letter of two bytes in UTF-8. */
const TWO_BYTES = "\u00e9";

/**
 * Returns a text of the most characters (RFC 8259: code points), each of two bytes. The control has one such character,
 * because no document states which characters a service supports.
 */
const longestOf = (place: Place, length: number): Draft => ({
  ...constant(place, `longest, ${length} characters of two bytes`, TWO_BYTES.repeat(length)),
  prepare: (base) =>
    applyEdit(base, {
      pointer: place.pointer,
      value: TWO_BYTES.repeat(Math.max(1, Number(place.schema.minLength ?? 1))),
    }),
});

const nextTo = (place: Place, sign: 1 | -1): number => {
  const step = Number(place.schema.multipleOf ?? (typesOf(place.schema).includes("integer") ? 1 : 0.01));
  return Number((Number(place.rule.value) + sign * step).toPrecision(15));
};
