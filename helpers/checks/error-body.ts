/** Checks an error body against the documented shapes: the body must match the shape that it resembles most. */
import type { Rule } from "../contract/contract.ts";
import type { Validator } from "../contract/schemas/schema-validator.ts";
import { type CheckResult, HOLDS, shownValue, violation } from "../exchange/check-result.ts";
import { checkRules, type RuleResult } from "./rules.ts";

/**
 * @param rules rules of the error responses of one operation and status, each with its `alternative`
 * @returns the name of the most similar shape (`undefined` when several are equally similar), the result of each rule of that
 *   shape, and whether the whole body matches one of the shapes (`undefined` when no document describes the answer)
 */
export const checkErrorBody = (
  rules: readonly Rule[],
  body: unknown,
  validator: Validator,
): {
  readonly shape: string | undefined;
  readonly rules: readonly RuleResult[];
  readonly whole: CheckResult | undefined;
} => {
  const names = [
    ...new Set(rules.flatMap(({ alternative }) => (alternative === undefined ? [] : [alternative]))),
  ];
  const candidates = names
    .map((shape) => {
      const results = checkRules(
        rules.filter(({ alternative }) => alternative === shape),
        body,
        validator,
      );
      const broken = results.filter(({ result }) => !result.holds);
      return { shape, results, broken, atTop: broken.filter(({ rule }) => isAtTop(rule)).length };
    })
    .sort(byLikeness);
  const [best, second] = candidates;
  if (best === undefined) return { shape: undefined, rules: [], whole: undefined };
  if (best.broken.length === 0) return { shape: best.shape, rules: best.results, whole: HOLDS };
  const tied = second !== undefined && byLikeness(best, second) === 0;
  return {
    shape: tied ? undefined : best.shape,
    rules: tied ? [] : best.results,
    whole: violation({
      pointer: "",
      message: `the error body follows neither documented shape: ${best.broken[0]?.result.message}`,
      expected: names.join(" or "),
      actual: shownValue(body),
    }),
  };
};

type Candidate = Readonly<Record<"results" | "broken", readonly RuleResult[]>> & { readonly atTop: number };

const byLikeness = (a: Candidate, b: Candidate): number =>
  a.atTop - b.atTop || a.broken.length - b.broken.length || b.results.length - a.results.length;

/** Whether a rule applies to a top-level field. Shapes differ only in these. */
const isAtTop = (rule: Rule): boolean => rule.pointer.split("/").length <= 2;

/** Returns the ErrorDetails of a body of either shape. */
export const errorDetails = (
  body: unknown,
): Readonly<Record<"reason" | "source" | "sourceType", unknown>>[] => {
  const { details, errordetail } = (body ?? {}) as { details?: unknown; errordetail?: unknown };
  const list = details ?? errordetail;
  return Array.isArray(list) ? list.filter((item) => typeof item === "object" && item !== null) : [];
};

/** Returns the error status of the sample shape, for example INVALID_ARGUMENT; the declared shape has none. */
export const errorStatus = (body: unknown): string | undefined => {
  const { code, reason, status } = (body ?? {}) as { code?: unknown; reason?: unknown; status?: unknown };
  const isDeclared = code === undefined && reason !== undefined;
  return typeof status === "string" && !isDeclared ? status : undefined;
};
