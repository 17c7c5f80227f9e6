/** Checks that a response masks sensitive values. */
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
  const leaves = leavesOf(body, "");
  for (const { what, value } of values) {
    const needle = plain(value);
    if (needle.length < SHORTEST) continue;
    const leaf = leaves.find(({ text }) => plain(text).includes(needle));
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
  // A mask may contain the letters of a short value by chance, but then it contains more.
  const isShort = parts.join("").length < SHORTEST;
  const isClear = isShort ? plain(value) === plain(parts.join("")) : holdsAll(value.toLowerCase(), parts);
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

/** Characters that replace hidden ones. */
const MASK = /[*•●#xX_…?]|\.{2,}|-{2,}/;

/**
 * Checks that a value looks masked when its clear form is unknown.
 * @returns `undefined` when the value is too short to judge
 */
export const checkLooksMasked = (pointer: string, value: unknown): CheckResult | undefined => {
  if (typeof value !== "string" || value.trim().length < SHORTEST) return undefined;
  return checkThat(MASK.test(value), {
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
}

const leavesOf = (value: unknown, pointer: string): Leaf[] => {
  if (typeof value === "string" || typeof value === "number") return [{ pointer, text: String(value) }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => leavesOf(child, `${pointer}/${key}`));
};
