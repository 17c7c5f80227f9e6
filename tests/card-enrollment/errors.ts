/** What the refusal of a probe shows besides its status: which error, about which field. */
import type { CheckResult } from "../../helpers/checks/check.ts";
import { checkErrorSource } from "../../helpers/checks/error-source.ts";
import { checkDetailsInBody, checkErrorStatus, checkMessage } from "../../helpers/checks/error-status.ts";
import type { Rule } from "../../helpers/contract/contract.ts";
import type { Exchange } from "../../helpers/exchange/exchange.ts";
import type { TrialContext } from "../../helpers/trials/trial.ts";
import { id } from "./trial.ts";

/** The document lists schema and type failures under both values (gaps: INVALID_ARGUMENT or INVALID_STATE). */
const EITHER = ["INVALID_ARGUMENT", "INVALID_STATE"];

/** Why a requirement about an error status has no verdict. */
export const NO_ERROR_STATUS = "errors of the declared shape carry no error status value";

/** What a value that breaks a keyword is called in the document's table of errors. */
const CAUSES: Readonly<Record<string, readonly string[]>> = {
  type: ["errors.INVALID_ARGUMENT.schema-mismatch", "errors.INVALID_STATE.data-type-validation"],
  pattern: ["errors.INVALID_ARGUMENT.invalid-format"],
  format: ["errors.INVALID_ARGUMENT.invalid-format"],
};
const OTHER_CAUSE = ["errors.INVALID_ARGUMENT.schema-mismatch", "errors.INVALID_STATE.schema-validation"];

/**
 * Gives the verdicts that the error body shows.
 * @returns whether the refusal is about the field under test, as far as the error says
 */
export const observeRefusal = (
  context: TrialContext,
  rule: Pick<Rule, "keyword" | "pointer" | "within">,
  kind: string,
  refusal: Exchange,
): boolean => {
  const body = refusal.response?.json;
  const record = (requirement: string, result: CheckResult | undefined) => {
    if (result !== undefined) context.judge.record(id(requirement), result, [refusal]);
  };
  const missing = rule.keyword === "required" && kind === "missing";
  if (missing) {
    record(missingRequirement(rule), checkErrorStatus(body, ["INVALID_ARGUMENT"]));
    record("errors.INVALID_ARGUMENT.sample-detail", checkDetailsInBody(body));
    record("errors.INVALID_ARGUMENT.sample-message", checkMessage(body));
  } else if (rule.keyword !== "required") {
    for (const cause of CAUSES[rule.keyword] ?? OTHER_CAUSE) record(cause, checkErrorStatus(body, EITHER));
  }
  // What source an error about the encrypted card names is ambiguous (gaps: card.primaryAccountNumber).
  if (rule.within !== undefined || rule.pointer === "") return true;
  const named = checkErrorSource(body, rule.pointer);
  record("error.detail.source-names-parameter", named);
  return named?.holds !== false;
};

const missingRequirement = (rule: Pick<Rule, "within">): string =>
  rule.within === undefined
    ? "errors.INVALID_ARGUMENT.missing-mandatory"
    : "errors.INVALID_ARGUMENT.missing-primaryAccountNumber";
