/** The place of a rule in a body, with everything that probes need. */
import fc from "fast-check";
import type { JsonSchema, Rule } from "../contract/contract.ts";
import { isObject } from "../contract/json.ts";
import { MADE_UP } from "../contract/names.ts";
import { referenced } from "../contract/pointer.ts";
import { flatten } from "../contract/schemas/flatten.ts";
import { isRequired, wholeOf } from "../contract/schemas/schema-reading.ts";
import type { ValidationError } from "../contract/schemas/schema-validator.ts";
import { reachesUntried } from "../contract/schemas/untried.ts";
import type { GenerateContext } from "./context.ts";
import { dataMaker } from "./data.ts";
import { type DataMaker, repeatTo } from "./data-maker.ts";
import type { Edit } from "./edit.ts";
import { NoValue } from "./later.ts";
import { orGiveUp, PRINTABLE, repeatedClass, textOf } from "./patterns.ts";
import { makerOfFormat } from "./scalars.ts";
import { validValues } from "./valid.ts";

export interface Place {
  readonly rule: Rule;
  /** A pointer without wildcards: the first item replaces `*`. */
  readonly pointer: string;
  /** The schema without `$ref` and `allOf` at its own level. */
  readonly schema: JsonSchema;
  readonly required: boolean;
  /** The data maker of the place, if the contract names one. */
  readonly maker: DataMaker | undefined;
  /** Whether the value may contain any character. */
  readonly freeText: boolean;
  /** Generates valid values of this place. */
  valid(): fc.Arbitrary<unknown>;
  /** Generates valid values as strings. */
  texts(): fc.Arbitrary<string>;
  /** Generates strings of exactly that many ASCII characters, as plausible as the place allows. */
  ofLength(length: number): fc.Arbitrary<string>;
  /** Returns all violations of the schema of the place by the value. */
  errors(value: unknown): readonly ValidationError[];
  /** Whether the suite leaves out a keyword of the schema or of a part of it. */
  isPartlyUnknown(): boolean;
  /** Returns the component to which a schema refers, if it does. */
  referenced(schema: unknown): unknown;
  /** Returns the keywords of the place that the value violates. */
  broken(value: unknown): ReadonlySet<string>;
}

/** A possible probe; `open` when the documents do not define its answer. */
export interface Draft {
  readonly kind: string;
  readonly edit: fc.Arbitrary<Edit>;
  readonly known?: boolean;
  readonly open?: boolean;
  /** Changes the base, so that the control has this change too. */
  prepare?(base: unknown): unknown;
  /** Tests for certain values, the strictest test first. If absent, all values are certain. */
  readonly tests?: readonly ((value: unknown) => boolean)[];
}

export const placeOf = (rule: Rule, body: JsonSchema, context: GenerateContext): Place => {
  const whole = wholeOf(body, rule, context.schemas);
  const schema = flatten(whole, context.schemas);
  const maker = dataMaker(schema["x-data"]);
  const isPlain =
    schema.pattern === undefined && schema.format === undefined && schema["x-resource"] === undefined;
  const { with: _with, without: _without, ...alone } = context;
  let values: fc.Arbitrary<unknown> | undefined;
  const valid = (): fc.Arbitrary<unknown> => (values ??= validValues(whole, alone));
  return {
    rule,
    pointer: rule.pointer.replaceAll("*", "0"),
    schema,
    required: isRequired(body, rule.pointer, context.schemas),
    maker,
    freeText: maker?.freeText ?? (maker === undefined && isPlain),
    valid,
    texts: () => valid().map(String),
    ofLength: (length) => {
      const made = textOfLength(length, schema);
      if (isPlain || maker?.ofLength !== undefined || schema.pattern === undefined) return made;
      // A valid text with a longer end may still match its pattern.
      return fc.oneof(
        valid().map((value) => lengthened(String(value), length)),
        made,
      );
    },
    errors: (value) => context.validator.validate(whole, value),
    isPartlyUnknown: () => reachesUntried({ components: { schemas: context.schemas } }, whole),
    referenced: (one) => (isObject(one) ? referenced(one.$ref, context.schemas) : undefined),
    broken: (value) => brokenKeywords(rule, whole, value, context),
  };
};

/** Returns the violated keywords. Keywords of other parts of an `allOf` get the prefix `another`. */
const brokenKeywords = (
  rule: Rule,
  whole: JsonSchema,
  value: unknown,
  { validator }: GenerateContext,
): ReadonlySet<string> => {
  const broken = validator.validate(whole, value).map(({ keyword }) => keyword);
  if (whole === rule.schema) return new Set(broken);
  const own = validator.validate(rule.schema, value).map(({ keyword }) => keyword);
  for (const keyword of own) broken.splice(broken.indexOf(keyword), 1);
  return new Set([...own, ...broken.map((keyword) => `another ${keyword}`)]);
};

export const change = (place: Place, kind: string, values: fc.Arbitrary<unknown>): Draft => ({
  kind,
  edit: values.map((value) => ({ pointer: place.pointer, value })),
});

/** Returns a draft with one of the values. */
export const constant = (place: Place, kind: string, ...values: readonly unknown[]): Draft =>
  change(place, kind, fc.constantFrom(...values));

/** Returns a draft with modified valid strings. */
export const slipped = (place: Place, kind: string, slip: (text: string) => unknown): Draft =>
  change(place, kind, place.texts().map(slip));

/** Returns a draft with a property that no document names. */
export const addition = (place: Place, kind: string, value: unknown): Draft => ({
  kind,
  edit: fc.constant({ pointer: `${place.pointer}/${MADE_UP}`, value }),
});

export const removal = (place: Place, kind: string): Draft => ({
  kind,
  edit: fc.constant({ pointer: place.pointer, remove: true }),
});

/** A number of items that makes the body large; a server may limit its size. */
const MANY = 100;

/**
 * Generates arrays of exactly the given number of valid items. Repeats a few short items, unless items must be unique.
 */
export const ofItems = (place: Place, length: number): fc.Arbitrary<unknown[]> => {
  const repeats = place.schema.uniqueItems !== true;
  const distinct = Math.max(1, repeats ? Math.min(length, 3) : length);
  const count = !repeats || length > MANY ? 4 * distinct : distinct;
  return fc
    .array(place.valid(), { minLength: count, maxLength: count, size: "max" })
    .map((drawn) => drawn.flat())
    .map((items) => (repeats ? items : withoutRepeats(items)))
    .map((items) => (count > distinct ? shortest(items, distinct) : items))
    .map((items) =>
      Array.from({ length: items.length === 0 ? 0 : length }, (_, index) => items[index % items.length]),
    );
};

const withoutRepeats = (items: readonly unknown[]): unknown[] => [
  ...new Map(items.map((item) => [JSON.stringify(item), item])).values(),
];

const shortest = (items: readonly unknown[], count: number): unknown[] => {
  const size = (item: unknown): number => JSON.stringify(item)?.length ?? 0;
  return [...items].sort((one, other) => size(one) - size(other)).slice(0, count);
};

/** Restricts the draft to values that pass a test, the strictest test first. */
export const only = (draft: Draft, ...tests: NonNullable<Draft["tests"]>): Draft => ({ ...draft, tests });

/** Returns the certain edits of a draft; `undefined` if hardly any value passes a test, or none can be drawn. */
export const certainEdits = ({ kind, edit, tests }: Draft): fc.Arbitrary<Edit> | undefined => {
  if (tests === undefined) return edit;
  const passing = (count: number, among: typeof tests) => {
    const sample = sampled(edit, count);
    return among.find((test) => sample.some((each) => "value" in each && test(each.value)));
  };
  // The first value nearly always passes the strictest test.
  const passes = passing(1, tests.slice(0, 1)) ?? passing(SAMPLE, tests);
  return passes && orGiveUp(edit, (each) => "value" in each && passes(each.value), `the probe "${kind}"`);
};

const SAMPLE = 4;

/** Draws values, the same ones each time; an empty list if no value fits. */
export const sampled = <Value>(values: fc.Arbitrary<Value>, count: number): readonly Value[] => {
  try {
    return fc.sample(values, { numRuns: count, seed: 1 });
  } catch (error) {
    if (error instanceof NoValue) return [];
    throw error;
  }
};

const textOfLength = (length: number, schema: JsonSchema): fc.Arbitrary<string> => {
  const maker = dataMaker(schema["x-data"]);
  const { ofLength } = maker ?? ((schema.pattern === undefined && makerOfFormat(schema.format)) || {});
  if (ofLength !== undefined) return DRAWS.map((seed) => ofLength(length, { person: seed, leaf: seed }));
  const repeated = typeof schema.pattern === "string" ? repeatedClass(schema.pattern) : undefined;
  const drawn = Math.min(length, 64);
  return textOf(repeated?.characters ?? LETTERS, drawn, drawn).map((text) => repeatTo(text, length));
};

/** Repeats the last character up to the length; cuts a longer text. */
const lengthened = (text: string, length: number): string =>
  text.slice(0, length).padEnd(length, text.at(-1) ?? "a");

const DRAWS = fc.integer({ min: 0, max: 0x3fff_ffff });
const LETTERS = PRINTABLE.filter((character) => /[a-z]/.test(character));
