/** Generates strings and numbers for schemas without a data maker. */
import fc from "fast-check";
import type { JsonSchema } from "../contract/contract.ts";
import { mayMatch } from "../contract/schemas/expressions.ts";
import { samplesOf, unmasked } from "../contract/schemas/format-samples.ts";
import { valuesStated } from "../contract/schemas/schema-visitor.ts";
import { untriedIn } from "../contract/schemas/untried.ts";
import type { GenerateContext } from "./context.ts";
import { dataMaker } from "./data.ts";
import { type DataMaker, repeatTo } from "./data-maker.ts";
import { leaf } from "./fill.ts";
import { IMPOSSIBLE } from "./later.ts";
import { orGiveUp, stringsMatching, textOf } from "./patterns.ts";

export const strings = (
  schema: JsonSchema,
  { samples }: Pick<GenerateContext, "samples">,
): fc.Arbitrary<unknown> => {
  const maker = samples !== undefined ? undefined : makerOfFormat(schema.format);
  if (maker !== undefined) return fc.constant(leaf(maker, schema));
  const min = Number(schema.minLength ?? 0);
  const max = Number(schema.maxLength ?? Number.POSITIVE_INFINITY);
  if (min > Math.min(max, LONGEST)) return IMPOSSIBLE;
  const example = schema["x-example"];
  const ofExample = typeof example === "string" && example.length >= min && example.length <= max;
  if (typeof schema.pattern === "string") {
    const drawn = inBothWays(schema, stringsMatching(schema.pattern, min, max));
    return drawn === IMPOSSIBLE && ofExample && mayMatch(schema.pattern, example)
      ? fc.constant(example)
      : drawn;
  }
  if (ofExample && untriedIn(schema).pattern !== undefined) return fc.constant(example);
  const texts = samplesOf(schema.format).filter(({ length }) => length >= min && length <= max);
  if (texts.length > 0) return fc.constantFrom(...texts);
  const minLength = Math.max(min, Math.min(1, max));
  const maxLength = Math.max(minLength, Math.min(max, minLength + TYPICAL_SPREAD));
  if (minLength <= MOST_DRAWN) return textOf([...LETTERS], minLength, maxLength);
  return textOf([...LETTERS], 1, MOST_DRAWN).map((text) => repeatTo(text, minLength));
};

/** Returns the value that a schema states, if it fits. A date that a document states may be over. */
export const statedIn = (schema: JsonSchema, { validator }: Pick<GenerateContext, "validator">): unknown =>
  /^(date|utc-date)/.test(String(schema.format))
    ? undefined
    : valuesStated(schema).find((value) => validator.validate(schema, value).length === 0);

/** Returns the number that a text states, if it does: a reader may take it for one. */
export const numberIn = (text: unknown): number | undefined =>
  typeof text === "string" && /^[-+]?\d*\.?\d+(e[-+]?\d+)?$/i.test(text) ? Number(text) : undefined;

/** Keeps the texts that fit a schema of numbers and texts in both ways. */
const inBothWays = (schema: JsonSchema, texts: fc.Arbitrary<string>): fc.Arbitrary<string> => {
  if (texts === IMPOSSIBLE || !/integer|number/.test(String(schema.type))) return texts;
  const { low, high } = endsOf(schema);
  const most = schema.format === "int32" ? 2 ** 31 - 1 : Number.MAX_SAFE_INTEGER;
  const isBeyond = (number: number): boolean => number < low || number > high || Math.abs(number) > most;
  return orGiveUp(texts, (text) => !isBeyond(numberIn(text) ?? Number.NaN), "a text that is a number, too");
};

/** Generates numbers within the limits: small numbers with at most two decimals if possible. */
export const numbers = (schema: JsonSchema, type: string): fc.Arbitrary<unknown> => {
  const step = Number(schema.multipleOf ?? (isWhole(schema, type) ? 1 : CENT));
  const { low, high } = limits(schema);
  const decimals = String(step).split(".")[1]?.length ?? 0;
  const first =
    Math.ceil(Number((low / step).toPrecision(12))) +
    (isLimit(schema, "exclusiveMinimum", low, step) ? 1 : 0);
  const last =
    Math.floor(Number((high / step).toPrecision(12))) -
    (isLimit(schema, "exclusiveMaximum", high, step) ? 1 : 0);
  if (first > last && (low >= high || isWhole(schema, type))) return IMPOSSIBLE;
  if (first > last)
    return fc.double({ min: low, max: high, noNaN: true, minExcluded: true, maxExcluded: true });
  return fc.integer({ min: first, max: last }).map((factor) => Number((factor * step).toFixed(decimals)));
};

/** Returns the data maker of a format; `undefined` if it has none. */
export const makerOfFormat = (format: unknown): DataMaker | undefined =>
  dataMaker(FORMAT_DATA[unmasked(format)]);

const FORMAT_DATA: Readonly<Record<string, string>> = {
  uuid: "uuid",
  uri: "uri",
  url: "uri",
  email: "email",
  date: "date",
  "date-time": "date-time",
  "utc-datetime": "date-time",
  "iso-3166-alpha-2": "country-code",
  "iso-639-1": "language-code",
};

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const TYPICAL_SPREAD = 12;
/** The number of characters that are drawn individually. Longer texts repeat these characters. */
const MOST_DRAWN = 64;
/** The maximum length of a generated text or list. Generators of documents write the largest int32 for no limit. */
export const LONGEST = 200_000;
const TYPICAL_RANGE = 1000;
const CENT = 0.01;

const limits = (schema: JsonSchema): { low: number; high: number } => {
  const { low: least, high } = endsOf(schema);
  const low = Number.isFinite(least) ? least : Math.min(1, high - TYPICAL_RANGE);
  const near = low < -TYPICAL_RANGE && high > 0 ? 0 : low;
  return { low: near, high: Math.min(high, near + TYPICAL_RANGE) };
};

const endsOf = (schema: JsonSchema): { low: number; high: number } => {
  const given = (...keywords: string[]) =>
    keywords.map((keyword) => schema[keyword]).filter((value) => typeof value === "number");
  return {
    low: Math.max(...given("minimum", "exclusiveMinimum")),
    high: Math.min(...given("maximum", "exclusiveMaximum")),
  };
};

const isLimit = (schema: JsonSchema, keyword: string, limit: number, step: number): boolean =>
  schema[keyword] === limit && Number.isInteger(Number((limit / step).toPrecision(12)));

const isWhole = (schema: JsonSchema, type: string): boolean =>
  type === "integer" || /^u?int\d+$/.test(String(schema.format));
