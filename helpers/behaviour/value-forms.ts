/** The normal form of a value: its type or format, without the value. */
import type { Rule } from "../contract/contract.ts";

/** Returns the form of a scalar value of an answer. @param rules the contract's rules for the place */
export const formOf = (value: unknown, rules: readonly Rule[] = []): string => {
  if (value === null) return "null";
  if (typeof value !== "string") return typeof value;
  const excess = rules.some((rule) => rule.keyword === "maxLength" && [...value].length > Number(rule.value));
  const listed = rules.find(({ keyword }) => keyword === "enum");
  const isOther = listed !== undefined && !(listed.value as readonly unknown[]).includes(value);
  const notes = [...(excess ? ["too long"] : []), ...(isOther ? ["not listed"] : [])];
  const form = listed === undefined ? textForm(value, hasLength(rules)) : "word";
  return [form, ...notes].join(", ");
};

/** A number as a text. */
const NUMERIC = "numeric text";

const FORMS: readonly (readonly [form: RegExp, name: string])[] = [
  [/^$/, "empty text"],
  [/^\d{4}-\d\d-\d\d$/, "date"],
  [/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?Z$/, "time in UTC"],
  [/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/, "time in UTC with fraction"],
  [/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(\.\d+)?[+-]\d\d:?\d\d$/, "time with offset"],
  [/^\d{8}T\d{6}(\.\d+)?Z$/, "time in basic format"],
  [/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?$/, "time without time zone"],
  [/^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/, "HTTP date"],
  [/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i, "UUID"],
  [/^-\d+$|^-?\d+\.\d+$/, NUMERIC],
  [/^[a-z][a-z\d+.-]*:\/\/\S*$/i, "URL"],
  [/^[^@\s]+@[^@\s]+\.[^@\s]+$/, "e-mail address"],
  [/[*•]/, "masked text"],
];

/** Whether the number of digits is part of the form. A count or an amount has as many digits as it needs. */
const hasLength = (rules: readonly Rule[]): boolean => rules.some(({ keyword }) => keyword === "pattern");

const textForm = (text: string, isCode: boolean): string => {
  if (/^\d+$/.test(text)) return isCode ? `${text.length} digits` : NUMERIC;
  return FORMS.find(([form]) => form.test(text))?.[1] ?? "text";
};
