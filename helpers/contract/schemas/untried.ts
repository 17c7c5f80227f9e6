/**
 * Keywords of a document that the suite leaves out, because it can't read them or the document contradicts them. Nobody is
 * judged by them, and their requirements are not tried.
 */
import { because, type Reason } from "../../reasons/reason.ts";
import type { JsonSchema, Rule } from "../contract.ts";
import { isObject, type Json, rewritten } from "../json.ts";
import { atPointer, pointerIn } from "../pointer.ts";
import { schemasIn } from "./schema-visitor.ts";

/** Returns what is left out, by keyword (`x-untried`). */
export const untriedIn = (
  schema: JsonSchema,
): Readonly<Record<string, { readonly value: unknown; readonly reason: string }>> =>
  isObject(schema["x-untried"]) ? (schema["x-untried"] as ReturnType<typeof untriedIn>) : {};

/** Returns why the requirement of a rule is not tried. */
export const untriedReason = ({ keyword, untried = "" }: Pick<Rule, "keyword" | "untried">): Reason =>
  because("keyword-left-out", keyword, untried);

/** Returns the schema without the keywords. */
export const withoutKeywords = (schema: Json, keywords: readonly string[], reason: string): Json => {
  const kept = Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword));
  const left = keywords
    .filter((keyword) => schema[keyword] !== undefined)
    .map((keyword) => [keyword, { value: schema[keyword], reason }]);
  return { ...Object.fromEntries(kept), "x-untried": { ...untriedIn(schema), ...Object.fromEntries(left) } };
};

/**
 * Returns the document without the keywords whose meaning depends on something that is left out: who knows only a part of a
 * schema does not know which values do not fit it.
 */
export const loosened = (root: Json): Json =>
  JSON.stringify(root).includes('"x-untried"')
    ? (rewritten(root, (schema) => loose(root, schema)) as Json)
    : root;

const loose = (root: Json, schema: Json): Json => {
  const unknown = Object.entries(DEPENDENT).flatMap(([keyword, names]) =>
    schemasIn(schema, keyword).some(([one]) => reachesUntried(root, one)) ? names : [],
  );
  if (unknown.length === 0) return schema;
  const open = withoutKeywords(schema, unknown, "it depends on a keyword that is not tried");
  const { oneOf, anyOf } = schema;
  return unknown.includes("oneOf") && anyOf === undefined ? { ...open, anyOf: oneOf } : open;
};

/** The keywords that are unknown if a schema at one of them is. */
const DEPENDENT: Readonly<Record<string, readonly string[]>> = {
  not: ["not"],
  oneOf: ["oneOf"],
  if: ["if", "then", "else"],
  contains: ["maxContains"],
};

/** Whether a keyword is left out of a schema, or of a part of it. */
export const reachesUntried = (root: Json, schema: unknown): boolean => {
  const seen = new Set<unknown>();
  const waiting = [schema];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (!isObject(one) || seen.has(one)) continue;
    if (one["x-untried"] !== undefined) return true;
    seen.add(one);
    if (typeof one.$ref === "string") waiting.push(atPointer(root, pointerIn(one.$ref)));
    for (const keyword of Object.keys(one)) waiting.push(...schemasIn(one, keyword).map(([inner]) => inner));
  }
  return false;
};
