/** Generates strings for patterns. */
import fc from "fast-check";
import { getOrInsert } from "../contract/memoize.ts";
import { expressionOf } from "../contract/schemas/expressions.ts";
import { IMPOSSIBLE, NoValue } from "./later.ts";

/** A pattern of one repeated character class: `^[0-9a-z]{1,15}$`. */
export interface RepeatedClass {
  /** The printable ASCII characters of the class. */
  readonly characters: readonly string[];
  readonly min: number;
  readonly max: number;
}

/**
 * Generates strings that match `pattern` and have a number of characters within the limits.
 * @returns `IMPOSSIBLE` if no string is found
 */
export const stringsMatching = (
  pattern: string,
  minLength: number,
  maxLength: number,
): fc.Arbitrary<string> => {
  const key = `${minLength} ${maxLength} ${pattern}`;
  return getOrInsert(known, key, () => matching(pattern, minLength, maxLength));
};

/** Cached arbitraries: a contract repeats a few patterns in many places. */
const known = new Map<string, fc.Arbitrary<string>>();

const matching = (pattern: string, minLength: number, maxLength: number): fc.Arbitrary<string> => {
  const repeated = repeatedClass(pattern);
  if (repeated !== undefined) {
    const min = Math.max(repeated.min, minLength, Math.min(1, repeated.max));
    const max = Math.max(min, Math.min(repeated.max, maxLength, min + TYPICAL_SPREAD));
    return textOf(repeated.characters, min, max);
  }
  const fits = ({ length }: string): boolean => length >= minLength && length <= maxLength;
  const expression = expressionOf(pattern);
  if (expression === undefined) return IMPOSSIBLE as fc.Arbitrary<string>;
  // Some languages match the whole text by default, so a server may expect nothing around the pattern.
  const drawn = [`^(?:${pattern})$`, pattern, pattern.replaceAll(LOOKAHEAD, "")].map((one) => {
    try {
      const texts = fc.stringMatching(expressionOf(one) ?? expression);
      const fitting = orGiveUp(
        texts,
        (text) => fits(text) && expression.test(text),
        `the pattern ${pattern} with these lengths`,
      );
      fc.sample(fitting, { numRuns: 1, seed: 1 });
      return fitting;
    } catch {
      // The library draws no text for some parts of expressions, such as a lookbehind.
      return undefined;
    }
  });
  return drawn.find((one) => one !== undefined) ?? (IMPOSSIBLE as fc.Arbitrary<string>);
};

/** Matches a lookahead without groups in it. A text that is drawn without it may fit it by chance. */
const LOOKAHEAD = /\(\?[=!](?:\\.|\[(?:\\.|[^\]\\])*\]|[^()\\])*\)/g;

/** Generates text without names such as `constructor`, which `fc.string` draws and a strict server may refuse. */
export const textOf = (
  characters: readonly string[],
  minLength: number,
  maxLength: number,
): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...characters), { minLength, maxLength, size: "max" })
    .map((drawn) => drawn.join(""));

export const repeatedClass = (pattern: string): RepeatedClass | undefined => {
  const parts = REPEATED_CLASS.exec(pattern)?.groups;
  if (parts?.class === undefined) return undefined;
  const member = expressionOf(`^${parts.class}$`);
  const characters = PRINTABLE.filter((character) => member?.test(character));
  const [min, max] = boundsOf(parts);
  return characters.length === 0 ? undefined : { characters, min, max };
};

/** Returns the characters of a pattern that requires one of them anywhere (`[0-9]`, `\S`); `undefined` for other patterns. */
export const containedClass = (pattern: string): readonly string[] | undefined => {
  if (!/^(?:\[(?!\^)(?:\\.|[^\]\\])+\]|\\[dwS])$/.test(pattern)) return undefined;
  const member = expressionOf(pattern);
  return PRINTABLE.filter((character) => member?.test(character));
};

/** Printable ASCII except the space. */
export const PRINTABLE: readonly string[] = Array.from({ length: 94 }, (_, index) =>
  String.fromCharCode(33 + index),
);

/** Filters like `filter`, but throws instead of looping endlessly when no value passes. */
export const orGiveUp = <Value>(
  arbitrary: fc.Arbitrary<Value>,
  fits: (value: Value) => boolean,
  what: string,
): fc.Arbitrary<Value> => {
  let misses = 0;
  return arbitrary.filter((value) => {
    const hit = fits(value);
    misses = hit ? 0 : misses + 1;
    if (misses >= MOST_MISSES)
      throw new NoValue(`No value was found for ${what}; give the schema an x-data maker.`);
    return hit;
  });
};

const TYPICAL_SPREAD = 12;
const MOST_MISSES = 1000;
const REPEATED_CLASS =
  /^\^(?<class>\[(?!\^)(?:\\.|[^\]\\])+\]|\\d)(?:(?<mark>[*+])|\{(?<min>\d+)(?<open>,(?<max>\d*))?\})?\$$/;

const boundsOf = ({ mark, min, open, max }: Record<string, string>): readonly [number, number] => {
  if (mark !== undefined) return [mark === "+" ? 1 : 0, Number.POSITIVE_INFINITY];
  if (min === undefined) return [1, 1];
  if (open === undefined) return [Number(min), Number(min)];
  return [Number(min), max ? Number(max) : Number.POSITIVE_INFINITY];
};
