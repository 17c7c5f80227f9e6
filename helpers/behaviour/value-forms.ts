/** The normal form of a value: its type or format, without the value. */
import type { Rule } from "../contract/contract.ts";
import { isListed } from "../contract/schemas/keywords.ts";

/** Returns a function that names the form of a scalar value of an answer. @param rules of the contract for its place */
export const formReader = (rules: readonly Rule[] = []): ((value: unknown) => string) => {
  const limits = rules.flatMap(({ keyword, value }) => (keyword === "maxLength" ? [Number(value)] : []));
  const longest = Math.min(Number.POSITIVE_INFINITY, ...limits);
  const list = rules.find(({ keyword }) => keyword === "enum");
  const listed = list?.value as readonly unknown[] | undefined;
  // A count or an amount has as many digits as it needs; only a code has a length.
  const isCode = rules.some(({ keyword }) => keyword === "pattern");
  return (value) => {
    if (value === null) return "null";
    if (typeof value !== "string") return typeof value;
    const isOther = listed !== undefined && !isListed(list?.schema ?? {}, listed, value);
    // A value that the contract lists is not a secret.
    const word = isOther ? WORD : `${WORD} ${value}`;
    const form = listed === undefined ? textForm(value, isCode) : word;
    const excess = isLonger(value, longest) ? ", too long" : "";
    return `${form}${excess}${isOther ? ", not listed" : ""}`;
  };
};

/** The form of a value of a list, before the value. */
const WORD = "word";

/** Returns a form without the value of a list. */
export const withoutWord = (form: string): string =>
  form.replace(/^word .*?(?=, not listed|, too long|$)/, WORD);

/** Returns the form of a text that the request sent. Whether it has digits only was the choice of the client. */
export const formOfSent = (form: string): string => (form === NUMERIC ? TEXT : form);

/** A character may be two code units. */
const isLonger = (text: string, most: number): boolean =>
  text.length > 2 * most || (text.length > most && [...text].length > most);

/** A number as a text. */
const NUMERIC = "numeric text";
const TEXT = "text";

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

/** A sign that every text has that is not just text. */
const SIGN = /^$|[\d:@*•-]/;

/** The start of a text tells its form. */
const START = 10_000;

const textForm = (whole: string, isCode: boolean): string => {
  const text = whole.slice(0, START);
  if (!SIGN.test(text)) return TEXT;
  if (/^\d+$/.test(text)) return isCode ? `${whole.length} digits` : NUMERIC;
  for (const [form, name] of FORMS) if (form.test(text)) return name;
  return TEXT;
};
