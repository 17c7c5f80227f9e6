/** Checks that a response masks sensitive values. */

import type { Json } from "../contract/json.ts";
import { HIDING, isMasked } from "../contract/schemas/formats.ts";
import { type CheckResult, checkThat, HOLDS, violation } from "../exchange/check-result.ts";
import { instancesAt } from "./rules.ts";

/** A value that the response must not contain in clear. */
export interface Clear {
  /** The name of the value, for the message: `the card number`. */
  readonly what: string;
  readonly value: string;
}

/** Shorter values may occur by chance within other values. */
const SHORTEST = 5;

/**
 * Searches every string and number of the body. Spaces and hyphens in a value do not matter.
 * @param body the parsed response body
 * @param values the values in clear, as sent
 */
export const checkNowhereInClear = (body: unknown, values: readonly Clear[]): CheckResult => {
  const needles = values
    .map(({ what, value }) => ({ what, needle: plain(value) }))
    .filter(({ needle }) => needle.length >= SHORTEST);
  const shortest = Math.min(...needles.map(({ needle }) => needle.length));
  const leaves = leavesOf(body, shortest);
  for (const { what, needle } of needles) {
    const leaf = leaves.find(({ compared }) => compared.includes(needle));
    if (leaf === undefined) continue;
    return violation({
      pointer: leaf.pointer,
      message: `${leaf.pointer.slice(1)} shows ${what} in clear`,
      expected: `${what} masked`,
      actual: leaf.text,
    });
  }
  return HOLDS;
};

/**
 * Checks that a masked field does not contain its value in clear.
 * @param parts parts of the value, which is in clear if the field contains all of them, in any order
 * @returns `undefined` when the field is missing, or the value is empty
 */
export const checkMaskedField = (
  body: unknown,
  pointer: string,
  parts: readonly string[],
): CheckResult | undefined => {
  const [instance] = instancesAt(body, pointer);
  if (typeof instance?.value !== "string" || parts.join("") === "") return undefined;
  const { value } = instance;
  // A mask may contain one or two letters by chance, but then it contains more.
  const isShort = parts.every(({ length }) => length < 3);
  const text = value.toLowerCase().replaceAll(new RegExp(HIDING, "g"), "");
  const isClear = isShort ? plain(value) === plain(parts.join("")) : holdsAll(text, parts);
  return checkThat(!isClear, {
    pointer,
    message: `${pointer.slice(1)} shows the full value in clear`,
    expected: "a masked value",
    actual: value,
  });
};

/**
 * Whether a text contains all parts without overlap. Searches the longest part first, because it may contain a shorter
 * part.
 */
const holdsAll = (text: string, parts: readonly string[]): boolean => {
  const [longest, ...others] = [...parts].sort((a, b) => b.length - a.length);
  if (longest === undefined) return true;
  const needle = longest.toLowerCase();
  return text.includes(needle) && holdsAll(text.replace(needle, "\n"), others);
};

/** Words, numbers of houses, and post codes. */
const IN_CLEAR = /^(?:(?:[\p{L}\p{M}]+|\d+\p{L}?|\p{L}{1,2}\d{1,2}\p{L}?|\d\p{L}{2})(?:[\s\p{P}]+|$))+$/u;

/**
 * Checks that a value looks masked when its clear form is unknown. What does not look clear either is only suspected.
 * @returns `undefined` when the value is too short to judge
 */
export const checkLooksMasked = (pointer: string, value: unknown): CheckResult | undefined => {
  if (typeof value !== "string" || value.trim().length < SHORTEST) return undefined;
  return checkThat(isMasked(value), {
    ...(!IN_CLEAR.test(value) && { suspected: true }),
    pointer,
    message: `${pointer.slice(1)} holds no masked character`,
    expected: "a masked value",
    actual: value,
  });
};

const plain = (text: string): string => text.toLowerCase().replaceAll(/[\s-]/g, "");

interface Leaf {
  readonly pointer: string;
  readonly text: string;
  /** The text without what does not matter. */
  readonly compared: string;
}

/** Returns the strings and numbers with at least so many characters: a large answer has 100,000 shorter ones. */
const leavesOf = (body: unknown, shortest: number): Leaf[] => {
  const leaves: Leaf[] = [];
  const least = 10 ** (shortest - 1);
  const visit = (value: unknown, parent: string, key: string): void => {
    // A number that has fewer digits needs no text.
    if (typeof value === "number" && Number.isInteger(value) && Math.abs(value) < least) return;
    if (typeof value === "string" || typeof value === "number") {
      const text = String(value);
      if (text.length >= shortest) leaves.push({ pointer: `${parent}${key}`, text, compared: plain(text) });
    } else if (typeof value === "object" && value !== null) {
      const pointer = `${parent}${key}`;
      for (const name of Object.keys(value)) visit((value as Json)[name], `${pointer}/`, name);
    }
  };
  visit(body, "", "");
  return leaves;
};
