/** Whether a response shows in clear what has to stay masked. */
import { type CheckResult, checkThat, HOLDS, violation } from "./check.ts";
import { instancesAt } from "./rules.ts";

/** A value that must not stand in the response in clear. */
export interface Clear {
  /** What it is, for the message: `the card number`. */
  readonly what: string;
  readonly value: string;
}

/** Shorter values turn up by chance inside others. */
const SHORTEST = 5;

/**
 * Looks through every string and number of the body, however the value is grouped by spaces or hyphens.
 * @param body the parsed response
 * @param values in clear, as they were sent
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
 * Whether one masked field holds its value in clear.
 * @param parts of the value: it is clear where each of them is, in whatever order
 * @returns `undefined` when the field is not there, or the value is too short to tell
 */
export const checkMaskedField = (
  body: unknown,
  pointer: string,
  parts: readonly string[],
): CheckResult | undefined => {
  const [instance] = instancesAt(body, pointer);
  if (typeof instance?.value !== "string" || parts.join("").length < SHORTEST) return undefined;
  return checkThat(!holdsAll(instance.value.toLowerCase(), parts), {
    pointer,
    message: `${pointer.slice(1)} shows the full value in clear`,
    expected: "a masked value",
    actual: instance.value,
  });
};

/** Each at a place of its own, the longest first: a short name may stand inside a long one. */
const holdsAll = (text: string, parts: readonly string[]): boolean => {
  const [longest, ...others] = [...parts].sort((a, b) => b.length - a.length);
  if (longest === undefined) return true;
  const needle = longest.toLowerCase();
  return text.includes(needle) && holdsAll(text.replace(needle, "\n"), others);
};

/** Marks that stand for hidden characters. */
const MASK = /[*•●#xX_…?]|\.{2,}|-{2,}/;

/**
 * Whether a value whose clear form is not known looks masked.
 * @returns `undefined` when it is too short to tell
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
