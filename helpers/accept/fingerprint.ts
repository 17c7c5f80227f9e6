/** Computes fingerprints, which identify a violation across runs. */
import { createHash } from "node:crypto";
import type { RecordedViolation } from "../exchange/recorder.ts";

/**
 * Returns a fingerprint that is the same for every seed. It ignores generated values (numbers, ids, quoted values, list
 * positions, the input that violated a keyword), but not a status code in the message.
 * @returns the requirement's id, `@` and twelve hexadecimal digits
 */
export const fingerprintOf = (
  requirement: string,
  {
    operationId: own,
    pointer,
    message,
    keyword,
  }: Pick<RecordedViolation, "pointer" | "message" | "keyword"> &
    Partial<Pick<RecordedViolation, "operationId">>,
  operationId = own ?? "",
): string => {
  const what = keyword === undefined ? messageShape(message) : `${keyword} ${howItEnds(message)}`;
  const parts = [requirement, operationId, pointer.replaceAll(POSITION, "/*"), what];
  return `${requirement}@${digitsOf(JSON.stringify(parts))}`;
};

/** Returns the twelve hexadecimal digits that stand for what a fingerprint identifies. */
export const digitsOf = (text: string): string =>
  createHash("sha256").update(text).digest("hex").slice(0, 12);

export const isFingerprint = (text: string): boolean => /^[\w-]+(?:\.[^\s@]+)+@[\da-f]{12}$/.test(text);

/** Returns the requirement id in a fingerprint. */
export const requirementOf = (fingerprint: string): string =>
  fingerprint.slice(0, fingerprint.lastIndexOf("@"));

/** A list position in a JSON pointer. */
const POSITION = /\/\d+(?=\/|$)/g;

const howItEnds = (message: string): string =>
  / was (?:accepted|(?:not )?refused).*$/.exec(message)?.[0] ?? "";

const STATUS = /(?<=\b(?:status|with|a|an) )([1-5]\d\d)(?![\d.,]*\d)\b/;

/** A name that ends in one or two digits, for example `line1`. */
const NAME = /^[a-z]+\d{1,2}$/i;

/** The rest of a longer message does not count: a server may have sent it, and patterns take too long for it. */
const LONGEST_MESSAGE = 2_000;

const messageShape = (message: string): string =>
  message
    .slice(0, LONGEST_MESSAGE)
    .replaceAll(/"[^"]*"|'[^']*'|`[^`]*`/g, "…")
    .replaceAll(/\bhttps?:\/\/\S+/g, "…")
    .replaceAll(/=[^\s,;]+/g, "=…")
    .replaceAll(/[^\s,;:()]+(?:, [^\s,;:()]+)+/g, "…")
    .split(STATUS)
    .map((part, index) => (index % 2 === 1 ? part : withoutValues(part)))
    .join("");

/**
 * Replaces values. Treats each path segment separately, so that a list position does not affect the name next to it.
 */
const withoutValues = (text: string): string =>
  text.replaceAll(/[^\s/.:;,()]+/g, (word) => (/\d/.test(word) && !NAME.test(word) ? "#" : word));
