/** Names a violation such that it is recognised in other runs: by requirement, operation and what differs. */
import { createHash } from "node:crypto";
import type { Failure } from "../trials/failure.ts";

/** What of a failure makes it this one. */
type Shown = Pick<Failure, "operationId" | "pointer" | "message" | "keyword">;

/**
 * The same for every seed: what was drawn or given out by the server (numbers, ids, quoted values, positions in lists,
 * which input showed that a keyword is violated) does not count; a status code in the message does.
 * @returns the requirement's id, `@` and twelve hexadecimal digits
 */
export const fingerprintOf = (
  requirement: string,
  { operationId, pointer, message, keyword }: Shown,
): string => {
  const what = keyword === undefined ? messageShape(message) : `${keyword} ${howItEnds(message)}`;
  const parts = [requirement, operationId, pointer.replaceAll(POSITION, "/*"), what];
  const digest = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  return `${requirement}@${digest.slice(0, 12)}`;
};

export const isFingerprint = (text: string): boolean => /^[\w-]+(?:\.[^\s@]+)+@[\da-f]{12}$/.test(text);

/** Id of the requirement that a fingerprint is about. */
export const requirementOf = (fingerprint: string): string =>
  fingerprint.slice(0, fingerprint.lastIndexOf("@"));

/** In a JSON pointer. */
const POSITION = /\/\d+(?=\/|$)/g;

const howItEnds = (message: string): string =>
  / was (?:accepted|(?:not )?refused).*$/.exec(message)?.[0] ?? "";

const STATUS = /(?<=\b(?:status|with|a|an) )([1-5]\d\d)(?![\d.,]*\d)\b/;

/** A name may end in one or two digits, as `line1` does. */
const NAME = /^[a-z]+\d{1,2}$/i;

const messageShape = (message: string): string =>
  message
    .replaceAll(/"[^"]*"|'[^']*'|`[^`]*`/g, "…")
    .replaceAll(/\bhttps?:\/\/\S+/g, "…")
    .replaceAll(/=[^\s,;]+/g, "=…")
    .replaceAll(/[^\s,;:()]+(?:, [^\s,;:()]+)+/g, "…")
    .split(STATUS)
    .map((part, index) => (index % 2 === 1 ? part : withoutValues(part)))
    .join("");

/** Path segments are looked at one by one, so that a position in a list hides no name next to it. */
const withoutValues = (text: string): string =>
  text.replaceAll(/[^\s/.:;,()]+/g, (word) => (/\d/.test(word) && !NAME.test(word) ? "#" : word));
