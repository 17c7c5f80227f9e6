/** Near-misses by keyword: only values that certainly violate the rule. */
import fc from "fast-check";
import type { JsonSchema, Rule } from "../contract/contract.ts";
import { WHOLE_BODY } from "../contract/rules.ts";
import { FORMAT_SLIPS } from "../contract/schemas/format-samples.ts";
import { typesOf } from "../contract/schemas/schema-reading.ts";
import { bodyNearMisses } from "./near-misses-body.ts";
import { otherCase, patternNearMisses, uuidNearMisses } from "./near-misses-pattern.ts";
import { numberIn } from "./scalars.ts";
import {
  addition,
  change,
  constant,
  type Draft,
  ofItems,
  only,
  type Place,
  removal,
} from "./schema-location.ts";

/** Returns the drafts of a rule, the plainest example first. */
export const nearMisses = (place: Place): Draft[] => {
  if (place.rule.keyword === WHOLE_BODY) return bodyNearMisses(place);
  const drafts = NEAR_MISSES[place.rule.keyword]?.(place) ?? [];
  return drafts
    .filter(({ kind }) => !isUnseen(place, kind))
    .map((draft) => (CERTAIN_AS_THEY_ARE.has(draft.kind) ? draft : certain(place, draft)))
    .map((draft) => (isLeftOpen(place) ? { ...draft, open: true } : draft));
};

/** Whether a server has a choice about a value beyond the limit: it may refuse the value or use the limit instead. */
const isLeftOpen = ({ schema, rule }: Place): boolean =>
  schema["x-beyond"] !== undefined && /^(min|max|exclusive)/.test(rule.keyword);

/** Whether a server can't tell the probe from a valid call. */
const isUnseen = ({ rule }: Place, kind: string): boolean =>
  // HTTP strips white space around the value of a header (RFC 9110, 5.5), and readers of texts may do so.
  ((rule.place === "header" || isOtherBody(rule)) && kind === PADDED) ||
  // An empty text leaves the body out.
  (isOtherBody(rule) && kind === EMPTY) ||
  // A parameter without items is left out, or has one empty item.
  (rule.place !== undefined && (kind === NO_ITEMS || (kind === ONE_FEWER && rule.value === 1)));

/** Whether the rule is about a body of another media type than JSON. */
const isOtherBody = ({ direction, mediaType }: Rule): boolean =>
  direction === "request" && mediaType !== undefined;

const PADDED = "surrounding white space";
const EMPTY = "empty";
const ONE_FEWER = "one item too few";
const NO_ITEMS = "no items";
const MISSING = "missing";
const EXTRA = "property that is not allowed";
const CERTAIN_AS_THEY_ARE: ReadonlySet<string> = new Set([MISSING, EXTRA]);

/** Prefers values that violate only this rule, because a server might refuse other values for another reason. */
const certain = (place: Place, draft: Draft): Draft => {
  const { keyword } = place.rule;
  if (keyword === "required") return only(draft, (value) => place.broken(value).size > 0);
  // The text of a parameter may be read as a number or as a text.
  const otherwise = (value: unknown): unknown =>
    typeof value === "number" ? String(value) : (numberIn(value) ?? value);
  const breaks = (value: unknown): boolean =>
    place.broken(value).has(keyword) &&
    (place.rule.place === undefined || place.broken(otherwise(value)).size > 0);
  return only(draft, (value) => breaks(value) && place.broken(value).size === 1, breaks);
};

/** A length far beyond common limits. */
const FAR = 10_000;
/** The time of an expression that may begin anywhere often grows with the square of the length, here and on a server. */
const FAR_FROM_ANY_START = 1_000;

/** A letter outside the Basic Multilingual Plane: one code point, two UTF-16 units. */
export const NON_BMP = "\u{10428}";

const NEAR_MISSES: Readonly<Record<string, (place: Place) => Draft[]>> = {
  required: (place) => [
    removal(place, MISSING),
    ...(place.rule.place === undefined && !isOtherBody(place.rule) ? [constant(place, "null", null)] : []),
  ],
  type: (place) => (place.rule.place === undefined ? otherTypes(place) : otherTexts(place)),
  enum: (place) => otherChoices(place),
  const: (place) => [change(place, "another value", place.valid().map(another))],
  pattern: (place) => patternNearMisses(place),
  format: (place) => formatNearMisses(place),
  minLength: (place) => tooShort(place, Number(place.rule.value)),
  maxLength: (place) => tooLong(place, Number(place.rule.value)),
  minimum: (place) => beyond(place, "too small", -1, 1),
  exclusiveMinimum: (place) => beyond(place, "too small", -1, 0),
  maximum: (place) => beyond(place, "too large", 1, 1),
  exclusiveMaximum: (place) => beyond(place, "too large", 1, 0),
  multipleOf: (place) => [
    change(
      place,
      "between two multiples",
      place.valid().map((value) => Number(value) + betweenMultiples(place)),
    ),
  ],
  minItems: (place) => [
    change(place, ONE_FEWER, ofItems(place, Number(place.rule.value) - 1)),
    ...(Number(place.rule.value) > 1 ? [constant(place, NO_ITEMS, [])] : []),
  ],
  maxItems: (place) => [change(place, "one item too many", ofItems(place, Number(place.rule.value) + 1))],
  uniqueItems: (place) => [
    change(
      place,
      "an item twice",
      ofItems(place, 1).map((items) => [...items, ...items]),
    ),
  ],
  anyOf: (place) => lackingAll(place),
  additionalProperties: (place) => (place.rule.value === false ? [addition(place, EXTRA, "unexpected")] : []),
  minProperties: (place) => [constant(place, "no properties", {})],
};

const TYPES: Readonly<Record<string, (place: Place) => fc.Arbitrary<unknown>>> = {
  string: (place) => place.valid().map((value) => (typeof value === "object" ? "text" : String(value))),
  number: () => fc.integer({ min: 1, max: 9999 }),
  boolean: () => fc.boolean(),
  object: () => fc.constant({}),
  array: (place) => place.valid().map((value) => [value]),
  null: () => fc.constant(null),
};

/** Omits null for optional properties, which may be sent as null instead of being absent. */
const otherTypes = (place: Place): Draft[] => {
  const expected = typesOf(place.schema);
  return Object.entries(TYPES)
    .filter(([type]) => !expected.includes(type) && (type !== "null" || place.required))
    .filter(([type]) => type !== "number" || !expected.includes("integer"))
    .map(([type, values]) => change(place, `${type} instead of ${expected.join(" or ")}`, values(place)))
    .concat(fractions(place, 1.5));
};

/** Returns texts that look like values of other types, because every parameter is sent as text. */
const otherTexts = (place: Place): Draft[] => {
  const expected = typesOf(place.schema);
  return [
    constant(place, `letters instead of ${expected.join(" or ")}`, "abc", "none"),
    ...fractions(place, "1.5"),
  ];
};

const fractions = (place: Place, fraction: unknown): Draft[] =>
  typesOf(place.schema).includes("integer") ? [constant(place, "fraction instead of integer", fraction)] : [];

const otherChoices = (place: Place): Draft[] => {
  const choices = fc.constantFrom(...[place.rule.value].flat());
  const texts = choices.filter((value) => typeof value === "string") as fc.Arbitrary<string>;
  const unknown = change(place, "unknown value", choices.map(another));
  if (![place.rule.value].flat().some((value) => typeof value === "string")) return [unknown];
  return [
    unknown,
    ...(place.schema["x-case"] === "ignore"
      ? []
      : [change(place, "other letter case", texts.map(otherCase))]),
    change(place, PADDED, texts.map(padded)),
  ];
};

export const padded = (text: string): string => ` ${text} `;

const another = (value: unknown): unknown => {
  if (typeof value === "number") return value + 1_000_003;
  return typeof value === "boolean" ? !value : `${String(value)}_UNKNOWN`;
};

const tooShort = (place: Place, limit: number): Draft[] => [
  ...(limit > 1 ? [change(place, "one character too short", place.ofLength(limit - 1))] : []),
  ...(limit > 0 ? [constant(place, EMPTY, "")] : []),
];

/** Returns values that are too long in any unit: code points, UTF-16 units or bytes. */
const tooLong = (place: Place, limit: number): Draft[] => {
  const beyondAll = /^(?!\^)/.test(String(place.schema.pattern ?? "^")) ? FAR_FROM_ANY_START : FAR;
  const far = limit < beyondAll ? beyondAll : limit * 2;
  return [
    change(place, "one character too long", place.ofLength(limit + 1)),
    change(place, `${far} characters`, place.ofLength(far)),
    ...(place.freeText
      ? [constant(place, "non-BMP characters, one too many", NON_BMP.repeat(limit + 1))]
      : []),
  ];
};

/** @param least the number of steps from the limit to the nearest value that violates it */
const beyond = (place: Place, words: string, sign: 1 | -1, least: 0 | 1): Draft[] => {
  const limit = Number(place.rule.value);
  const isWhole = typesOf(place.schema).includes("integer");
  const step = Number(place.schema.multipleOf ?? (isWhole ? 1 : 0.01));
  const next = Number((limit + sign * least * step).toPrecision(15));
  const near = least === 1 && sign * next <= sign * limit ? nextNumber(limit, sign) : next;
  const far = limit + sign * Math.ceil(1_000_000 / step) * step;
  return [constant(place, words, near), constant(place, `far ${words}`, far)];
};

/** Returns a part of a step, so that a whole number stays one if it can. */
const betweenMultiples = ({ rule, schema }: Place): number => {
  const half = Number(rule.value) / 2;
  return typesOf(schema).includes("integer") && half > 1 ? Math.floor(half) : half;
};

/** Returns the next number that a double can show, for limits beyond which a step gets lost in rounding. */
const nextNumber = (limit: number, sign: 1 | -1): number =>
  limit + sign * 2 ** (Math.floor(Math.log2(Math.abs(limit))) - 52);

const formatNearMisses = (place: Place): Draft[] => {
  const format = String(place.rule.value);
  if (format === "uuid") return uuidNearMisses(place);
  return Object.entries(FORMAT_SLIPS[format] ?? {}).map(([kind, values]) => constant(place, kind, ...values));
};

/** Removes all properties of the alternatives. The schema requires at least one of them. */
const lackingAll = (place: Place): Draft[] => {
  const branches = place.rule.value as readonly JsonSchema[];
  if (!branches.every((branch) => Object.keys(branch).every((keyword) => keyword === "required"))) return [];
  const names = new Set(branches.flatMap((branch) => (branch.required ?? []) as string[]));
  const without = (value: unknown) =>
    Object.fromEntries(Object.entries(value ?? {}).filter(([name]) => !names.has(name)));
  return [change(place, "none of the alternatives", place.valid().map(without))];
};
