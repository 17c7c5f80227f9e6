/** Regular expressions of documents, which have to be of ECMA-262 (JSON Schema 2020-12, 6.4). */
import { getOrInsert } from "../memoize.ts";

/**
 * Compiles the pattern: with the flag `u`, or without it if the pattern is wrong only by that flag, such as `\-`.
 * @returns `undefined` for a pattern of another notation, such as `(?i)`, `[[:alpha:]]`, `\Z` and `a++`, and for one that two
 * notations read differently: `\p{Alpha}` has the letters of ASCII in Java, and the letters of all scripts in ECMA-262
 */
export const expressionOf = (pattern: string): RegExp | undefined =>
  getOrInsert(compiled, pattern, () => ({ expression: compile(pattern) })).expression;

const compiled = new Map<string, { readonly expression: RegExp | undefined }>();

/** Whether a text matches the pattern. Of a pattern of another notation, it is not known. */
export const mayMatch = (pattern: string, text: string): boolean => expressionOf(pattern)?.test(text) ?? true;

/** Compiles the patterns of a validator. A pattern of another notation restricts nothing. */
export const patternsOfAjv = Object.assign((pattern: string): RegExp => expressionOf(pattern) ?? /(?:)/, {
  code: "patternsOfAjv",
});

const compile = (pattern: string): RegExp | undefined =>
  POSIX_CLASS.test(pattern)
    ? undefined
    : (built(pattern, "u") ?? (isForeign(pattern) ? undefined : built(pattern, "")));

/** Matches a class of POSIX whose name a property of Unicode has too. */
const POSIX_CLASS = /(?<!\\)(?:\\\\)*\\p\{(?:Alpha|Lower|Upper)\}/i;

const built = (pattern: string, flags: string): RegExp | undefined => {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return undefined;
  }
};

/** Matches an escape sequence, the start or end of a class, or a repetition without a minimum. */
const PARTS = /\\(x[\da-f]{2}|u[\da-f]{4}|[\s\S])|\[\^?\]?|\]|\{,\d+\}/gi;

/** Whether another notation gives a part of the pattern a meaning that it does not have without the flag `u`. */
const isForeign = (pattern: string): boolean => {
  let isInClass = false;
  for (const [part, escaped] of pattern.matchAll(PARTS)) {
    if (escaped !== undefined) {
      if (/^[A-Za-z]$/.test(escaped) && !ESCAPES.test(escaped)) return true;
    } else if (part === "]") isInClass = false;
    else if (part.startsWith("[")) {
      // A class within a class: `[[:alpha:]]`, `[a-z&&[^b]]`; or one that begins with a bracket: `[]a]`.
      if (isInClass || part.endsWith("]")) return true;
      isInClass = true;
    } else if (!isInClass) return true;
  }
  return false;
};

/** The letters that ECMA-262 gives a meaning after a backslash, also without the flag `u`. */
const ESCAPES = /^[bBdDsSwWfnrtv]$/;
