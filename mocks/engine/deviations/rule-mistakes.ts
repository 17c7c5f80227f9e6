/** Common mistakes in the validation of requests: values that a server accepts or refuses by accident. */
import type { JsonSchema, Rule } from "../../../helpers/contract/contract.ts";
import type { SchemaEdit } from "../values/schema-edit.ts";

export interface Mistake {
  readonly name: string;
  readonly edit: SchemaEdit;
}

/**
 * Returns the mistakes that change what a server accepts at the place of the rule. The value of an identifier is
 * refused anyway, because it is unknown.
 */
export const mistakesOf = (rule: Rule): Mistake[] =>
  rule.schema["x-resource"] !== undefined && rule.keyword !== "required"
    ? []
    : (MISTAKES[rule.keyword]?.(rule) ?? []);

const MISTAKES: Readonly<Record<string, (rule: Rule) => Mistake[]>> = {
  required: ({ parameter, schema }) =>
    // A text can't be null, and a schema without a type may allow it.
    parameter === undefined && excludesNull(schema)
      ? [{ name: "null-accepted", edit: { admit: { type: "null" } } }]
      : [],
  type: (rule) => (rule.parameter === undefined ? coercions(rule) : []),
  enum: ({ value, schema, place }) =>
    // Spaces in a path are often removed before the service sees it.
    choiceMistakes([value].flat(), schema).filter(({ name }) => place !== "path" || name !== "trimmed"),
  pattern: ({ value }) => [...anchorMistakes(String(value)), ...caseMistakes(String(value))],
  format: ({ value }) =>
    Object.entries(LENIENT[String(value)] ?? {}).map(([name, pattern]) => ({
      name,
      edit: admitting(pattern),
    })),
  maxLength: (rule) =>
    // A header has only ASCII characters. If the shortest text already has too many bytes, no service of other
    // alphabets would take any.
    rule.place !== "header" &&
    isFreeText(rule) &&
    2 * Math.max(1, Number(rule.schema.minLength ?? 1)) <= Number(rule.value)
      ? [{ name: "counted-in-bytes", edit: { measure: "bytes", most: Number(rule.value) } }]
      : [],
};

const excludesNull = ({ type, enum: values, const: value }: JsonSchema): boolean =>
  (type !== undefined && ![type].flat().includes("null")) ||
  (Array.isArray(values) && !values.includes(null)) ||
  (value !== undefined && value !== null);

const admitting = (pattern: string): SchemaEdit => ({ admit: { type: "string", pattern } });

/** Converts a value to the type of the field, as many frameworks do. */
const coercions = (rule: Rule): Mistake[] => {
  const types = [rule.value].flat();
  if (types.includes("string")) {
    return types.length === 1 && isFreeText(rule)
      ? [{ name: "number-as-text", edit: { admit: { type: "number" } } }]
      : [];
  }
  if (types.includes("boolean")) return [{ name: "text-as-boolean", edit: admitting("^(true|false)$") }];
  return types.some((type) => type === "number" || type === "integer")
    ? [{ name: "text-as-number", edit: admitting("^-?\\d+(\\.\\d+)?$") }]
    : [];
};

const choiceMistakes = (values: readonly unknown[], schema: JsonSchema): Mistake[] => {
  const texts = values.filter((value): value is string => typeof value === "string");
  if (texts.length === 0) return [];
  const choices = texts.map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const anyCase = choices.map((text) => text.replaceAll(/[a-z]/gi, (letter) => `[${cases(letter)}]`));
  return [
    ...(schema["x-case"] === "ignore"
      ? []
      : [{ name: "any-letter-case", edit: admitting(`^(${anyCase.join("|")})$`) }]),
    { name: "trimmed", edit: admitting(`^\\s*(${choices.join("|")})\\s*$`) },
  ];
};

const cases = (letter: string): string => `${letter.toLowerCase()}${letter.toUpperCase()}`;

/** Searches the pattern instead of matching the whole value. */
const anchorMistakes = (pattern: string): Mistake[] => {
  const inner = /^\^([^|]*)\$$/.exec(pattern)?.[1];
  if (inner === undefined) return [];
  return [
    { name: "start-not-matched", edit: { set: "pattern", to: `${inner}$` } },
    { name: "end-not-matched", edit: { set: "pattern", to: `^${inner}` } },
  ];
};

/** Ignores the letter case of ranges of letters, unless the pattern does. */
const caseMistakes = (pattern: string): Mistake[] => {
  const both = pattern.replaceAll(/([a-z])-([a-z])/gi, (range, from: string, to: string) => {
    const [lower, upper] = [`${from}-${to}`.toLowerCase(), `${from}-${to}`.toUpperCase()];
    return pattern.includes(lower) && pattern.includes(upper) ? range : `${lower}${upper}`;
  });
  return both === pattern ? [] : [{ name: "any-letter-case", edit: { set: "pattern", to: both } }];
};

/** By format: the names of mistakes, and the patterns of the values that are accepted too. */
const LENIENT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  uri: {
    "scheme-optional": "^[a-z0-9./-]*\\/[a-z0-9./-]*$",
    "spaces-accepted": "^https?:\\/\\/[a-z0-9./ -]+$",
  },
  date: {
    "any-day-number": "^\\d{4}-\\d\\d-\\d\\d$",
    "other-notations": "^\\d\\d[./]\\d\\d[./]\\d{4}$",
  },
  "date-time": {
    "any-day-number": "^\\d{4}-\\d\\d-\\d\\dT([01]\\d|2[0-3]):[0-5]\\d:\\d\\dZ$",
    "any-hour-or-minute": "^\\d{4}-(0\\d|1[0-2])-[0-3]\\dT\\d\\d:\\d\\d:\\d\\dZ$",
  },
  uuid: {
    "hyphens-optional": "^[0-9a-fA-F]{32}$",
    "braces-accepted": "^\\{[0-9a-fA-F-]{36}\\}$",
  },
  "iso-3166-alpha-2": { "three-letters-accepted": "^[A-Za-z]{3}$", "digits-accepted": "^[A-Za-z0-9]{2}$" },
  "iso-639-1": { "three-letters-accepted": "^[A-Za-z]{3}$", "tags-accepted": "^[a-z]{2}-[A-Z]{2}$" },
};

/**
 * Whether the value may contain any characters. In the shape of a whole body, this includes names and the like: other
 * texts of the body show the mistake.
 */
const isFreeText = ({ schema, requirement }: Rule): boolean =>
  ["enum", "const", "pattern", "format", "x-resource"].every((name) => schema[name] === undefined) &&
  (schema["x-data"] === undefined || requirement.endsWith(".shape"));
