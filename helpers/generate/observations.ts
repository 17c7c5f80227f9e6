/**
 * Inputs for which the documents do not define the answer: they are sent and shown in the certificate, but not judged.
 */
import { UNASSIGNED } from "../contract/schemas/format-samples.ts";
import { openIn } from "../contract/schemas/rule-walk.ts";
import { typesOf } from "../contract/schemas/schema-reading.ts";
import { NON_BMP, padded } from "./near-misses.ts";
import { otherCase } from "./near-misses-pattern.ts";
import { addition, constant, type Draft, only, type Place, slipped } from "./schema-location.ts";

export const observations = (place: Place): Draft[] => OBSERVATIONS[place.rule.keyword]?.(place) ?? [];

const OBSERVATIONS: Readonly<Record<string, (place: Place) => Draft[]>> = {
  type: (place) => {
    const types = typesOf(place.schema);
    return [
      ...(place.required || types.includes("null") ? [] : [constant(place, "null", null)]),
      ...(types.includes("string") && place.schema.enum === undefined ? openTexts(place) : []),
      ...(types.includes("object") ? unknownProperties(place) : []),
      ...(types.includes("integer") && place.rule.parameter !== undefined ? smallNumbers(place) : []),
    ];
  },
  maxLength: (place) => (place.freeText ? [nonBmpAtTheLimit(place)] : []),
  pattern: (place) => allowedCases(place),
  format: (place) => [...unassignedCodes(place), ...allowedCases(place)],
};

/**
 * Returns texts for which the documents do not define the answer. They include the empty string if there is no minimum
 * length.
 */
const openTexts = (place: Place): Draft[] => [
  ...(place.schema.minLength === undefined ? [constant(place, "empty string", "")] : []),
  slipped(place, "surrounding white space", padded),
];

/** Returns the numbers with which a count or a position may begin, if no minimum decides it. */
const smallNumbers = (place: Place): Draft[] =>
  (place.schema.minimum === undefined || openIn(place.schema).minimum !== undefined) &&
  place.schema.exclusiveMinimum === undefined
    ? [constant(place, "0 without a minimum", 0), constant(place, "1 without a minimum", 1)]
    : [];

const unknownProperties = (place: Place): Draft[] =>
  place.schema.additionalProperties === false
    ? []
    : [
        addition(place, "unknown extra property", "unexpected"),
        addition(place, "deeply nested unknown property", nested(NESTING)),
      ];

const NESTING = 50;

const nested = (levels: number): unknown => (levels === 0 ? "unexpected" : { inner: nested(levels - 1) });

/**
 * Returns text that is within the limit in code points and beyond it in UTF-16 units: the documents do not state the
 * unit.
 */
const nonBmpAtTheLimit = (place: Place): Draft =>
  constant(place, "non-BMP characters at the limit", NON_BMP.repeat(Number(place.rule.value)));

const unassignedCodes = (place: Place): Draft[] => {
  const codes = UNASSIGNED[String(place.rule.value)] ?? [];
  return codes.length === 0 ? [] : [constant(place, "well-formed unassigned code", ...codes)];
};

/** Changes the letter case, if the rule allows this and the value is compared with a known value. */
const allowedCases = (place: Place): Draft[] => [
  only(
    slipped(place, "other letter case", otherCase),
    (value) => typeof value === "string" && /[a-z]/i.test(value) && place.broken(value).size === 0,
  ),
];
