/** Whether an error that names its source names the parameter that was at fault. */
import { type CheckResult, checkThat } from "./check.ts";
import { errorDetails } from "./error-body.ts";

/**
 * How a source is written is not documented (`consumer.firstName`, `/consumer/firstName`, `firstName`), and an error
 * may name the object that holds the field, or what the field holds: any of them names it. A sibling does not.
 * @param pointer of the field at fault
 * @returns `undefined` when the error names no source
 */
export const checkErrorSource = (body: unknown, pointer: string): CheckResult | undefined => {
  const sources = sourcesOf(body);
  if (sources.length === 0) return undefined;
  const path = wordsOf(pointer);
  return checkThat(path.length === 0 || sources.some((source) => names(source, path)), {
    pointer: "",
    message: `the error blames ${sources.join(", ")} instead of ${pointer.slice(1).replaceAll("/", ".")}`,
    expected: `a source that names ${pointer.slice(1).replaceAll("/", ".")}`,
    actual: sources.join(", "),
  });
};

const names = (source: string, path: readonly string[]): boolean => {
  const words = wordsOf(source);
  const last = words.at(-1) ?? "";
  return words.includes(path.at(-1) ?? "") || path.includes(last) || ROOT.has(last);
};

/** Names of the whole body, of which every field is a part. */
const ROOT = new Set(["body", "request", "requestbody", "enrollcardrequest"]);

export const sourcesOf = (body: unknown): string[] =>
  errorDetails(body).flatMap(({ source }) =>
    typeof source === "string" && source.trim() !== "" ? [source] : [],
  );

const wordsOf = (text: string): string[] =>
  text
    .split(/[^a-zA-Z0-9_-]+/)
    .filter((word) => word !== "" && !/^\d+$/.test(word))
    .map((word) => word.toLowerCase());
