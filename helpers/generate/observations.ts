/** Inputs whose answer the documents leave open: sent, shown in the certificate, judged by nobody. */
import fc from "fast-check";
import { NON_BMP, otherCase } from "./near-misses.ts";
import { change, type Draft, only, type Place } from "./place.ts";
import { typesOf } from "./schema.ts";

export const observations = (place: Place): Draft[] => OBSERVATIONS[place.rule.keyword]?.(place) ?? [];

const OBSERVATIONS: Readonly<Record<string, (place: Place) => Draft[]>> = {
  type: (place) => {
    const types = typesOf(place.schema);
    return [
      ...(place.required || types.includes("null") ? [] : [change(place, "null", fc.constant(null))]),
      ...(types.includes("string") && place.schema.enum === undefined ? openTexts(place) : []),
      ...(types.includes("object") ? unknownProperties(place) : []),
    ];
  },
  maxLength: (place) => (place.freeText ? [nonBmpAtTheLimit(place)] : []),
  pattern: (place) => allowedCases(place),
  format: (place) => [...unassignedCodes(place), ...allowedCases(place)],
};

/** No minimum length is no word on the empty string. */
const openTexts = (place: Place): Draft[] => [
  ...(place.schema.minLength === undefined ? [change(place, "empty string", fc.constant(""))] : []),
  change(
    place,
    "surrounding white space",
    place.texts().map((text) => ` ${text} `),
  ),
];

const unknownProperties = (place: Place): Draft[] =>
  place.schema.additionalProperties === false
    ? []
    : [
        addition(place, "unknown extra property", "unexpected"),
        addition(place, "deeply nested unknown property", nested(NESTING)),
      ];

const addition = (place: Place, kind: string, value: unknown): Draft => ({
  kind,
  edit: fc.constant({ pointer: `${place.pointer}/unexpectedProperty`, value }),
});

const NESTING = 50;

const nested = (levels: number): unknown => (levels === 0 ? "unexpected" : { inner: nested(levels - 1) });

/** At the limit in code points, beyond it in UTF-16 units: which of them a server counts is not shown. */
const nonBmpAtTheLimit = (place: Place): Draft =>
  change(place, "non-BMP characters at the limit", fc.constant(NON_BMP.repeat(Number(place.rule.value))));

/** Well-formed codes that ISO keeps free or has not assigned. */
const UNASSIGNED: Readonly<Record<string, readonly string[]>> = {
  "iso-3166-alpha-2": ["ZZ", "XX", "QQ"],
  "iso-639-1": ["qq", "xq", "zq"],
};

const unassignedCodes = (place: Place): Draft[] => {
  const codes = UNASSIGNED[String(place.rule.value)] ?? [];
  return codes.length === 0 ? [] : [change(place, "well-formed unassigned code", fc.constantFrom(...codes))];
};

/** The other letter case, where the rule lets it pass and the value is compared with a known one. */
const allowedCases = (place: Place): Draft[] => [
  only(change(place, "other letter case", place.texts().map(otherCase)), (value) =>
    isOtherCase(place, value),
  ),
];

const isOtherCase = (place: Place, value: unknown): boolean =>
  typeof value === "string" && /[a-z]/i.test(value) && place.broken(value).size === 0;
