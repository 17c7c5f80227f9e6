/** Scalar values: tests whether a value fits its schema, converts known values, and generates new ones. */
import type { FlatSchema } from "./flat-schema.ts";
import { FORMATS, NUMBER_FORMATS } from "./formats.ts";
import { makerOf } from "./makers.ts";
import { textMatching } from "./pattern-text.ts";
import type { Random } from "./random.ts";

/** Converts the value to its schema: a number to a string, or a word to the spelling in the enumeration. */
export const fitted = (schema: FlatSchema, known: unknown): unknown => {
  const { types, values, limits, resource, words } = schema;
  if (words !== undefined && typeof known === "string") return wordFor(known, words);
  if (values !== undefined)
    return values.includes(known) ? known : (values.find((value) => sameWord(value, known)) ?? known);
  if (resource !== undefined && typeof known === "string" && types.includes("string")) return known;
  if (types.length === 0 || types.includes(typeOf(known))) return cut(known, limits.maxLength);
  if (typeof known === "number" && Number.isInteger(known) && types.includes("number")) return known;
  if (types.includes("string") && typeof known !== "object") return cut(String(known), limits.maxLength);
  const numeric = typeof known === "string" && known.trim() !== "" && Number.isFinite(Number(known));
  // An identifier that is too long for a number, or none at all, keeps its characters.
  if (resource !== undefined && !(numeric && keepsDigits(known))) return known;
  const isExact = numeric && (!/^\d+$/.test(known) || keepsDigits(known));
  if (isExact && (types.includes("integer") || types.includes("number"))) return Number(known);
  if (typeof known === "number" && types.includes("integer")) return Math.round(known);
  if (types.includes("boolean") && (known === "true" || known === "false")) return known === "true";
  return known;
};

/** Whether the digits stay the same in a JSON number. All integers up to 2^53 are exact (RFC 8259, 6), and few others. */
const keepsDigits = (digits: string): boolean =>
  Number.isSafeInteger(Number(digits)) || String(Number(digits)) === digits;

/** Words of the handlers, and the words that a document may list in their place. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  initiated: ["pending"],
  deposited: ["completed"],
};

const wordFor = (known: string, words: readonly string[]): string => {
  const meant = [known, ...(SYNONYMS[known] ?? [])];
  return words.find((word) => meant.some((one) => sameWord(word, one))) ?? known;
};

const sameWord = (value: unknown, known: unknown): boolean =>
  value === known || String(value).toLowerCase() === String(known).toLowerCase();

const cut = (value: unknown, length: number | undefined): unknown =>
  typeof value === "string" && length !== undefined ? value.slice(0, length) : value;

export const fits = (schema: FlatSchema, value: unknown): boolean => {
  const { types, values, patterns, format, limits, resource } = schema;
  if (values !== undefined) return values.includes(value);
  // An identifier is right as it is: its schema is assumed.
  if (resource !== undefined && typeof value === "string") return true;
  const type = typeOf(value);
  const typed =
    types.length === 0 || types.includes(type) || (type === "integer" && types.includes("number"));
  if (!typed) return false;
  if (typeof value === "string") {
    const rule = format === undefined ? undefined : FORMATS[format];
    const formatted = rule === undefined || (rule instanceof RegExp ? rule.test(value) : rule(value));
    const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = limits;
    const long = value.length >= minLength && value.length <= maxLength;
    return formatted && long && patterns.every((pattern) => pattern.test(value));
  }
  return typeof value !== "number" || (within(value, limits) && isOfFormat(value, format));
};

const isOfFormat = (value: number, format: string | undefined): boolean =>
  format === undefined || NUMBER_FORMATS[format]?.validate(value) !== false;

const within = (value: number, limits: FlatSchema["limits"]): boolean =>
  value >= (limits.minimum ?? Number.NEGATIVE_INFINITY) &&
  value <= (limits.maximum ?? Number.POSITIVE_INFINITY) &&
  value > (limits.exclusiveMinimum ?? Number.NEGATIVE_INFINITY) &&
  value < (limits.exclusiveMaximum ?? Number.POSITIVE_INFINITY);

const typeOf = (value: unknown): string => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
};

export const madeScalar = (schema: FlatSchema, name: string, random: Random, epoch: number): unknown => {
  const { values, preset, types } = schema;
  if (values !== undefined) return random.pick(values);
  if (preset !== undefined && fits(schema, preset)) return preset;
  if (types[0] === "boolean") return random.next() < 0.5;
  const maker = makerOf(schema, name);
  const matching = schema.patterns.map(({ source }) => {
    const short = textMatching(source, random);
    return short === undefined || fits(schema, short)
      ? short
      : textMatching(source, random, schema.limits.minLength);
  });
  // An identifier is drawn: the example is the same for all resources.
  const example = schema.resource === undefined ? schema.example : undefined;
  const candidates = [maker?.(random, epoch), example, ...matching, ...plain(schema, random)];
  const usable = candidates.map((candidate) =>
    candidate === undefined ? undefined : fitted(schema, candidate),
  );
  return usable.find((candidate) => candidate !== undefined && fits(schema, candidate)) ?? candidates.at(-1);
};

/** Lists candidate values, the most likely first. */
const plain = (schema: FlatSchema, random: Random): unknown[] => {
  const { limits, types } = schema;
  if (types[0] === "integer" || types[0] === "number") {
    const least = Math.ceil(limits.minimum ?? (limits.exclusiveMinimum ?? -1) + 1);
    const most = Math.floor(limits.maximum ?? (limits.exclusiveMaximum ?? least + 101) - 1);
    const step = limits.multipleOf ?? 1;
    return [Math.ceil(random.integer(least, most) / step) * step, least, most];
  }
  const length = Math.max(1, limits.minLength ?? 1);
  const short = Math.min(Math.max(length, 8), limits.maxLength ?? 100);
  return [
    letters(random, short),
    random.digits(short),
    random.digits(9),
    random.digits(Math.max(1, length)),
    letters(random, 2).toUpperCase(),
    letters(random, 2),
    "*",
    letters(random, length),
  ];
};

const letters = (random: Random, length: number): string =>
  Array.from({ length }, () => String.fromCharCode(97 + random.integer(0, 25))).join("");
