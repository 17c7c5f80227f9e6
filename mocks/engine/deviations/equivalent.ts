/** Tells whether a change of a rule changes what is accepted: other rules of the same place may say the same. */
import type { JsonSchema } from "../../../helpers/contract/contract.ts";
import { mayMatch } from "../../../helpers/contract/schemas/expressions.ts";
import { fits } from "../values/complete-scalars.ts";
import { flattener } from "../values/flat-schema.ts";
import { textMatching } from "../values/pattern-text.ts";
import { randomOf } from "../values/random.ts";
import { editSchema, type SchemaEdit } from "../values/schema-edit.ts";

/**
 * Compares both schemas over values around their limits, and texts around their patterns. A change counts as effective
 * unless the values show that it is not: one of them must reach the limit or match the pattern.
 * @param schema of a scalar; changes of other schemas are taken as effective
 */
export const changesNothing = (schema: JsonSchema, edit: SchemaEdit): boolean => {
  const { "x-resource": _, ...own } = schema;
  const changed = changedBy(own, edit);
  if (changed === undefined) return false;
  const candidates = own.type === "string" ? texts([own, changed]) : numbers([own, changed]);
  const [before, after] = [own, changed].map((one) => flatten(one, undefined));
  return (
    before !== undefined &&
    after !== undefined &&
    (isBelowPattern(own, edit) ||
      candidates.some((value) => fits(before, value) && reaches(value, own, edit))) &&
    candidates.every((value) => fits(before, value) === fits(after, value))
  );
};

/** Whether the edit changes a shortest length of one character, and no single character matches the pattern. */
const isBelowPattern = ({ pattern, minLength }: JsonSchema, edit: SchemaEdit): boolean =>
  keywordOf(edit) === "minLength" &&
  minLength === 1 &&
  typeof pattern === "string" &&
  !SINGLE_CHARACTERS.some((character) => mayMatch(pattern, character));

const SINGLE_CHARACTERS = [
  ...Array.from({ length: 0x250 }, (_, code) => String.fromCodePoint(code)),
  "\u03a9",
  "\u6f22",
  "\u{10428}",
];

const keywordOf = (edit: SchemaEdit): string => ("set" in edit ? edit.set : "drop" in edit ? edit.drop : "");

/** Whether the value has the length that the edit changes. */
const reaches = (value: string | number, schema: JsonSchema, edit: SchemaEdit): boolean => {
  const keyword = keywordOf(edit);
  return !/^m(in|ax)Length$/.test(keyword) || String(value).length === schema[keyword];
};

const flatten = flattener({});

const changedBy = (schema: JsonSchema, edit: SchemaEdit): JsonSchema | undefined => {
  if (!SCALARS.includes(String(schema.type)) || schema.$ref !== undefined || schema.allOf !== undefined)
    return undefined;
  return "set" in edit || "drop" in edit ? editSchema(schema, {}, "", edit) : undefined;
};

const SCALARS = ["string", "number", "integer"];

const LIMITS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];

/** Numbers at and next to each limit, and beyond the limits of the number formats. */
const numbers = (schemas: readonly JsonSchema[]): number[] => {
  const limits = schemas.flatMap((schema) => LIMITS.map((name) => Number(schema[name] ?? 0)));
  const around = limits.flatMap((limit) => {
    const unit = Math.max(1, 2 ** (Math.floor(Math.log2(Math.abs(limit) || 1)) - 52));
    return [-unit, -unit / 2, 0, unit / 2, unit].map((step) => limit + step);
  });
  return [...around, 0.5, 1.25, 2 ** 31, -(2 ** 31) - 1, 2 ** 64, -(2 ** 64)];
};

/** Texts of each length at and next to the limits, and texts that match a pattern but for one character. */
const texts = (schemas: readonly JsonSchema[]): string[] => {
  const lengths = schemas.flatMap(({ minLength, maxLength }) =>
    [minLength, maxLength].flatMap((limit) =>
      typeof limit === "number" ? [limit - 1, limit, limit + 1].filter((length) => length >= 0) : [],
    ),
  );
  const matching = schemas.flatMap(({ pattern }) =>
    typeof pattern === "string"
      ? [1, 2, 3].flatMap((seed) => textMatching(pattern, randomOf(seed)) ?? [])
      : [],
  );
  const choices = schemas.flatMap((schema) => (schema.enum ?? []) as unknown[]).map(String);
  const bases = [...PLAIN, ...matching, ...choices];
  const long = [...bases, ...bases.flatMap((base) => lengths.map((length) => ofLength(base, length)))];
  return long.flatMap((text) => [text, ...SLIPS.map((slip) => slip(text))]);
};

/** Texts of the formats. */
const PLAIN = [
  "",
  "a",
  "7",
  "some text",
  "https://shop.example.com/a",
  "somebody@example.com",
  "2026-01-31",
  "2026-01-31T10:00:00Z",
  "123e4567-e89b-42d3-a456-426614174000",
];

const ofLength = (text: string, length: number): string =>
  text.slice(0, length).padEnd(length, text.at(-1) ?? "a");

const SLIPS: readonly ((text: string) => string)[] = [
  (text) => `!${text}`,
  (text) => `${text}!`,
  (text) => `!${text.slice(1)}`,
  (text) => `${text.slice(0, -1)}!`,
  (text) => `${text.slice(0, text.length / 2)}!${text.slice(text.length / 2 + 1)}`,
];
