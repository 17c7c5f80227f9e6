/** Formats that the documents use and JSON Schema does not define, each as a predicate over strings. */

const CALENDAR = String.raw`(?<year>\d{4})(?:-?(?<month>\d{2})-?(?<day>\d{2})|-?W\d{2}-?[1-7]|-?\d{3})`;
const CLOCK = String.raw`(?<hour>\d{2})(?::?(?<minute>\d{2})(?::?(?<second>\d{2}))?)?(?:[.,]\d+)?`;
const UTC = String.raw`(?:[Zz]|[+\-\u2212]00(?::?00)?)?`;
const UTC_DATETIME = new RegExp(`^${CALENDAR}[Tt ]${CLOCK} ?${UTC}$`);

/** Words that stand for a hidden value. */
export const HIDING = "redacted|masked|removed|hidden|filtered|sanitized|sanitised";

/** What masks a part of any text: a symbol that is not usual punctuation, two of the signs for it, or a word. */
export const MASK = new RegExp(
  String.raw`[^\p{L}\p{M}\p{N}\p{Z}\p{Pd}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Sc}\s!-)+-~¡¿·§°]|[x#]{2,}|\b(?:${HIDING})\b`,
  "iu",
);
/** What also masks a part of a text that a document calls masked. */
const FAINT_MASK = /[x#_?]|\.{2}|-{2}|(?<![\p{L}\p{N}])(\S)\1{2,}(?![\p{L}\p{N}])/iu;

/** Whether a value that a document calls masked is. No document names the characters of a mask. */
export const isMasked = (value: string): boolean => MASK.test(value) || FAINT_MASK.test(value);

/**
 * Whether it is ISO 8601 in UTC. A time without a designator counts as UTC, because the documents do not state the
 * notation.
 */
const isUtcDatetime = (value: string): boolean => {
  const parts = UTC_DATETIME.exec(value)?.groups;
  if (parts === undefined) return false;
  const [hour = 0, minute = 0, second = 0] = [parts.hour, parts.minute, parts.second].map((part) =>
    Number(part ?? 0),
  );
  const midnightAtEnd = hour === 24 && minute === 0 && second === 0;
  return isDay(parts) && (hour <= 23 || midnightAtEnd) && minute <= 59 && second <= 60;
};

const isDay = ({ year, month, day }: Record<string, string>): boolean => {
  if (month === undefined || day === undefined) return true;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
};

/** A sign that no address contains (RFC 3986, 2). */
const NO_ADDRESS = /[\s\p{Cc}]/u;

/** Whether a text that violates a format may still be meant by it: no registry defines `url`, and some write it without a scheme. */
export const mayBeMeant = (format: unknown, value: unknown): boolean =>
  format === "url" && typeof value === "string" && value !== "" && !NO_ADDRESS.test(value);

const isTwoLetters = (value: string): boolean => /^[A-Za-z]{2}$/.test(value);

/**
 * Custom formats by name. The documents do not define letter case and unassigned codes, so any two letters match. A host
 * may be any name (RFC 3986, 3.2.2), the domain of a mailbox one label, and its local part in quotes (RFC 5321, 4.1.2).
 */
export const FORMATS: Readonly<Record<string, (value: string) => boolean>> = {
  "utc-datetime": isUtcDatetime,
  "iso-3166-alpha-2": isTwoLetters,
  "iso-639-1": isTwoLetters,
  url: (value) => /^[a-z][a-z\d+.-]*:./i.test(value) && !NO_ADDRESS.test(value),
  email: (value) => /^(?:"(?:[^"\\]|\\.)+"|[^\s"@]+)@[^\s@]+$/.test(value),
};

/** Whether it is a 64-bit integer; JSON parsers may round the largest values to 2^63. */
export const isInt64 = (value: number): boolean => Number.isInteger(value) && Math.abs(value) <= 2 ** 63;

/** The formats that the validator checks. It accepts any value of other ones, such as `password` and `double`. */
const CHECKED: ReadonlySet<string> = new Set([
  ...[...Object.keys(FORMATS), "date", "time", "date-time", "iso-time", "iso-date-time", "duration", "byte"],
  ...["int32", "int64", "uri", "uri-reference", "uri-template", "hostname", "ipv4", "ipv6", "uuid", "regex"],
  ...["json-pointer", "json-pointer-uri-fragment", "relative-json-pointer"],
]);

/** Whether some value violates the format. */
export const isChecked = (format: string): boolean => CHECKED.has(format.replace(/^masked-or-/, ""));
