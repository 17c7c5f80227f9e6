/** Redacts card numbers (ISO/IEC 7812): 13 to 20 digits with a valid check digit, possibly in groups. */
import type { IsKept } from "./placeholder.ts";

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
/** Four groups, because numbers and versions have dots too. */
const DOTTED = "(?<![\\d.])\\d{4}(?:\\.\\d{4}){3}(?!\\.?\\d)";
const SEPARATOR = "[ +\\u00a0-]|%20|%2d|\\\\u00(?:20|2d|a0)";
/** Also matches UUIDs and escapes, in order to skip them: their digits do not belong to a number. */
const RUN = new RegExp(
  `${UUID}|(${DOTTED})|%[0-9a-f]{2}|\\\\u[0-9a-f]{4}|(\\d+(?:(?:${SEPARATOR})\\d+)*)`,
  "gi",
);
const SPLIT = new RegExp(`(${SEPARATOR})`, "i");
const SHORTEST = 13;
const LONGEST = 20;

/** A sign that every text has in which a number is found: its first group has at least four digits. */
export const CARD_NUMBER_SIGN = new RegExp(`${DOTTED}|\\d{4}(?:(?:${SEPARATOR})?\\d){${SHORTEST - 4}}`, "i");

export const redactCardNumbers = (text: string, isKept: IsKept): string =>
  text.replace(RUN, (found: string, dotted: string | undefined, run: string | undefined, at: number) => {
    if (dotted !== undefined) {
      const digits = dotted.replaceAll(".", "");
      return isKept(dotted) || !isCardNumber(digits) ? dotted : redactRun(digits);
    }
    if (run === undefined || run.length < SHORTEST) return found;
    const isFraction = text[at - 1] === "." && /\d/.test(text.charAt(at - 2));
    return isFraction || isKept(run) ? run : redactRun(run);
  });

/** @param run groups of digits with one separator between them */
function redactRun(run: string): string {
  const parts = run.split(SPLIT);
  let redacted = "";
  let from = 0;
  while (from < parts.length) {
    const end = endOfCardNumber(parts, from);
    redacted +=
      end === undefined ? parts[from] : `‹card number, ${digitsOf(parts.slice(from, end)).length} digits›`;
    redacted += parts[end ?? from + 1] ?? "";
    from = (end ?? from + 1) + 1;
  }
  return redacted;
}

const digitsOf = (parts: readonly string[]): string => parts.filter((_, index) => index % 2 === 0).join("");

/** Finds the longest card number that starts with group `from`: one group, or several of the usual size. */
function endOfCardNumber(parts: readonly string[], from: number): number | undefined {
  const first = parts[from] ?? "";
  if (isCardNumber(first)) return from + 1;
  let digits = "";
  let end: number | undefined;
  for (let index = from; index < parts.length; index += 2) {
    const group = parts[index] ?? "";
    digits += group;
    if (group.length > 7 || first.length < 4 || digits.length > LONGEST) break;
    if (isCardNumber(digits)) end = index + 1;
    // Dates and times have groups of two digits; in a card number only the last group is that short.
    if (group.length < 3) break;
  }
  return end;
}

/** Whether a text is the digits of a card number. */
export const isCardNumber = (text: string): boolean => DIGITS.test(text) && hasCheckDigit(text);

const DIGITS = new RegExp(`^\\d{${SHORTEST},${LONGEST}}$`);

/** Checks the Luhn formula (ISO/IEC 7812-1, annex B). */
export function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const weighed = index % 2 === 0 ? digit : digit * 2;
    sum += weighed > 9 ? weighed - 9 : weighed;
  }
  return sum % 10 === 0;
}
