/** Judges the body of a request as a whole: whether there is one, whether it fits its schema, and the fields of forms. */
import type { Rule } from "../../../helpers/contract/contract.ts";
import { placeInForm } from "../../../helpers/contract/form-fields.ts";
import { atPointer } from "../../../helpers/contract/pointer.ts";
import { WHOLE_BODY } from "../../../helpers/contract/rules.ts";
import type { Validator } from "../../../helpers/contract/schema-validator.ts";
import { type CheckResult, HOLDS, shownValue, violation } from "../../../helpers/exchange/check-result.ts";
import { isAbsent } from "../../../helpers/traffic/absent.ts";
import type { Seen, StoredResult } from "../../../helpers/traffic/seen.ts";
import { isRedacted } from "./check.ts";

/** Whether a rule is about the body as a whole, and not about a place in it. */
export const isOfWholeBody = ({ parameter, pointer, keyword }: Rule): boolean =>
  parameter === undefined && pointer === "" && (keyword === WHOLE_BODY || keyword === "required");

/** @param rules of the whole body of the operation */
export const judgeWholeBody = (rules: readonly Rule[], seen: Seen, validator: Validator): StoredResult[] => {
  const { body: text = "" } = seen.exchange.request;
  if (isAbsent(text)) return [];
  return rules.flatMap((rule) => {
    const result = rule.keyword === "required" ? presence(text) : fit(rule, seen, validator);
    return result === undefined ? [] : [{ requirement: rule.requirement, result, rule }];
  });
};

const presence = (text: string): CheckResult =>
  text === ""
    ? violation({ pointer: "", message: "the request has no body", expected: "a body", actual: "no body" })
    : HOLDS;

/** @returns `undefined` if a rule of one place names what does not fit, or if redaction may have changed it */
const fit = (
  { schema, value }: Rule,
  { body, numeric = body, exchange }: Seen,
  validator: Validator,
): CheckResult | undefined => {
  if (body === undefined) return undefined;
  const errors = validator.validate(schema, numeric);
  const [error] = errors;
  if (error === undefined) return HOLDS;
  const named = new Set(value as string[]);
  const isNamed = errors.some(({ pointer, keyword }) => named.has(`${templateOf(pointer)} ${keyword}`));
  if (isNamed || isRedacted(exchange.request.body)) return undefined;
  return violation({
    pointer: error.pointer,
    message: `${error.pointer.slice(1) || "the body"} ${error.message}`,
    ...{ expected: "a body that fits its schema", actual: shownValue(atPointer(numeric, error.pointer)) },
  });
};

const templateOf = (pointer: string): string => pointer.replaceAll(/\/\d+(?=\/|$)/g, "/*");

/** Returns the fields of the form that a request has as its body. */
export const sentForm = ({ exchange: { request } }: Seen): URLSearchParams | undefined => {
  const type = request.headers["content-type"] ?? "";
  const isReadable = request.body !== undefined && !isAbsent(request.body);
  return isReadable && placeInForm(type) === "form" ? new URLSearchParams(request.body) : undefined;
};
