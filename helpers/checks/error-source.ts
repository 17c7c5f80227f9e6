/** Checks that the source in an error names the invalid parameter. */
import { type CheckResult, checkThat } from "../exchange/check-result.ts";
import { errorDetails } from "./error-body.ts";

/**
 * The notation of a source is not documented (`consumer.firstName`, `/consumer/firstName`, `firstName`). A source may
 * name the field, a parent or a child of it, but not a sibling.
 * @param pointer the pointer of the invalid field
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

/** Names of the whole body, which contains every field. */
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
