/** Compares names without their spelling. */

/** Normalizes a name, so that letter case and separators do not matter. */
export const loose = (name: string): string => {
  const known = normalized.get(name);
  if (known !== undefined) return known;
  const normal = name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  if (name.length <= LONGEST_KEPT && normalized.size < MOST_KEPT) normalized.set(name, normal);
  return normal;
};

/** The normalized names so far, because each item of a list has the same names. A server may send others without end. */
const normalized = new Map<string, string>();
const MOST_KEPT = 10_000;
const LONGEST_KEPT = 100;

/** Returns a path without the names of its parameters: `/customers/{}`. */
export const withoutNames = (path: string): string => path.replaceAll(/\{[^}]*\}/g, "{}");

/** `/customers/{customerId}/notes/{noteId}`, `customerId` → `/customers/{}` */
export const pathUpTo = (path: string, parameter: string): string =>
  withoutNames(path.slice(0, path.indexOf(`{${parameter}}`) + parameter.length + 2));

/** The start of the names of fields that no document names, which probes add. */
export const MADE_UP = "unexpectedProperty";

/** `settleByDates` → `settle`, `by`, `date`; without the `s` of the plural */
export const wordsIn = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "")
    .map((word) => word.replace(/([^s])s$/, "$1"));

/** Returns a noun with its indefinite article, by its first sound. Names of fields and resources stand for nouns. */
export const withArticle = (noun: string): string => `${VOWEL.test(noun) ? "an" : "a"} ${noun}`;

const VOWEL = /^(?:[ai]|e(?!u)|o(?!ne)|u(?!ni|se|tc|r[il]|u)|hour|honest)/i;
