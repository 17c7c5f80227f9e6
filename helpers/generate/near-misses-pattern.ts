/** Near-misses of patterns: UUIDs, digits, repeated characters and all other patterns. */
import fc from "fast-check";
import { containedClass, PRINTABLE, type RepeatedClass, repeatedClass } from "./patterns.ts";
import { change, type Draft, type Place, slipped } from "./schema-location.ts";

export const patternNearMisses = (place: Place): Draft[] => {
  const pattern = String(place.rule.value);
  if (UUID_PATTERN.test(pattern)) return uuidNearMisses(place);
  const wanted = containedClass(pattern);
  if (wanted !== undefined) return withoutAny(place, wanted);
  const repeated = repeatedClass(pattern);
  if (repeated?.characters.every((character) => /\d/.test(character)))
    return digitsNearMisses(place, repeated);
  const slips = repeated === undefined ? { ...SPELLINGS, ...ENDS } : SPELLINGS;
  return [
    ...foreignCharacters(place, pattern),
    ...wrongLengths(place, repeated ?? UNBOUNDED),
    ...Object.entries(slips).map(([kind, slip]) => slipped(place, kind, slip)),
  ];
};

/** Other spellings of a text; the caller drops results that still match the pattern. */
const SPELLINGS: Readonly<Record<string, (text: string) => string>> = {
  "other letter case": (text) => otherCase(text),
  // A fixed first word, such as the scheme of a URL, may be the only part whose letter case a server compares.
  "other letter case after the first word": (text) => text.replace(/(?<=^[a-z]+[^a-z]+).+$/is, otherCase),
  "digit in place of a letter": (text) => text.replace(/[a-z]/i, "0"),
  "letter in place of a digit": (text) => text.replace(/\d/, "a"),
};

export const otherCase = (text: string): string =>
  /[a-z]/.test(text) ? text.toUpperCase() : text.toLowerCase();

/** Errors at the end of a text with parts, such as an amount with one decimal place. */
const ENDS: typeof SPELLINGS = {
  "one character short": (text) => text.slice(0, -1),
  "one character more": (text) => `${text}${text.at(-1) ?? ""}`,
};

export const uuidNearMisses = (place: Place): Draft[] =>
  Object.entries(UUID_SLIPS).map(([kind, slip]) => slipped(place, kind, slip));

/** Replaces each character of the class with another letter or digit. */
const withoutAny = (place: Place, wanted: readonly string[]): Draft[] => {
  const others = PRINTABLE.filter(
    (character) => /[0-9a-zA-Z]/.test(character) && !wanted.includes(character),
  );
  // A server that strips the spaces sees no text at all, which does not match either.
  if (others.length === 0 && !wanted.includes(" ") && place.rule.place === undefined)
    return [slipped(place, "only spaces", (text) => " ".repeat(text.length))];
  if (others.length === 0) return [];
  const stripped = fc
    .tuple(place.texts(), fc.constantFrom(...others))
    .map(([text, other]) => [...text].map((one) => (wanted.includes(one) ? other : one)).join(""));
  return [change(place, `without ${nameOf(wanted)}`, stripped)];
};

const nameOf = (characters: readonly string[]): string => {
  if (characters.every((character) => /\d/.test(character))) return "a digit";
  return characters.every((character) => /[a-z]/i.test(character))
    ? "a letter"
    : `any of ${characters.join("")}`;
};

const UUID_PATTERN = /\{8\}-.*\{4\}-.*\{12\}/;

/** Errors in UUIDs; the caller drops results that still match the pattern. */
const UUID_SLIPS: Readonly<Record<string, (uuid: string) => string>> = {
  "upper-case hex": (uuid) => uuid.toUpperCase(),
  "missing hyphens": (uuid) => uuid.replaceAll("-", ""),
  "one character short": (uuid) => uuid.slice(0, -1),
  "one character more": (uuid) => `${uuid}0`,
  "one character more at the start": (uuid) => `0${uuid}`,
  "non-hex character": (uuid) => `${uuid.slice(0, -1)}g`,
  "in braces": (uuid) => `{${uuid}}`,
};

const UNBOUNDED: Pick<RepeatedClass, "min" | "max"> = { min: 0, max: Number.POSITIVE_INFINITY };

/** Omits digits of other scripts and a final line break, because it is not certain whether a pattern matches them. */
const digitsNearMisses = (place: Place, lengths: typeof UNBOUNDED): Draft[] => [
  ...Object.entries(DIGIT_SLIPS).map(([kind, slip]) => slipped(place, kind, slip)),
  ...wrongLengths(place, lengths),
];

const DIGIT_SLIPS: Readonly<Record<string, (digits: string) => string>> = {
  "plus sign": (digits) => `+${digits}`,
  letter: (digits) => insertMiddle(digits, "a", 1),
  "inner space": (digits) => insertMiddle(digits.padEnd(2, "0"), " "),
  hyphen: (digits) => insertMiddle(digits.padEnd(2, "0"), "-"),
  "decimal point": (digits) => `${digits}.0`,
};

/** @param replaced the number of replaced characters */
const insertMiddle = (text: string, character: string, replaced = 0): string => {
  const middle = Math.floor(text.length / 2);
  return text.slice(0, middle) + character + text.slice(middle + replaced);
};

const wrongLengths = (place: Place, { min, max }: typeof UNBOUNDED): Draft[] => [
  ...(min > 1 ? [slipped(place, "one character short", (text) => text.slice(0, min - 1))] : []),
  ...(max < UNBOUNDED.max
    ? [slipped(place, "one character more", (text) => text.padEnd(max + 1, text.at(-1) ?? "0"))]
    : []),
];

/**
 * Inserts characters that the pattern does not allow. Inserts no white space at the ends, because a server may strip
 * it.
 */
const foreignCharacters = (place: Place, pattern: string): Draft[] => {
  const longest = Number(place.schema.maxLength ?? Number.POSITIVE_INFINITY);
  // In a full text, the character replaces another one, because one more would break the maximum length too.
  const isFull = (text: string): boolean => text.length >= Math.max(1, longest);
  const outside = charactersOutside(pattern);
  if (outside.length === 0) return [];
  // A slash in a path may make another path.
  const others = outside.filter((character) => place.rule.place !== "path" || !/[/\\]/.test(character));
  const foreign = fc.constantFrom(...(others.length > 0 ? others : outside));
  const inserted = (where: string, slip: (text: string, character: string) => string): Draft =>
    change(
      place,
      `foreign character ${where}`,
      fc.tuple(place.texts(), foreign).map(([text, character]) => slip(text, character)),
    );
  return [
    inserted("at the start", (text, character) => character + text.slice(isFull(text) ? 1 : 0)),
    inserted("in the middle", (text, character) => insertMiddle(text, character, isFull(text) ? 1 : 0)),
    inserted("at the end", (text, character) => (isFull(text) ? text.slice(0, -1) : text) + character),
  ];
};

const charactersOutside = (pattern: string): readonly string[] => {
  const inside = new Set(repeatedClass(pattern)?.characters ?? []);
  const marks = PRINTABLE.filter((character) => !/[0-9a-zA-Z]/.test(character) && !inside.has(character));
  return marks.length > 0 ? marks : PRINTABLE.filter((character) => !inside.has(character));
};
