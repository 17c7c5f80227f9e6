/** Judges a probe of a rule and its control. */
import { checkAccepted, checkRefused } from "../../checks/refusal.ts";
import { unlessContradicted } from "../../checks/rules.ts";
import type { Operation, Rule } from "../../contract/contract.ts";
import { isEmptyList } from "../../contract/list-end.ts";
import { responseOf } from "../../contract/lookups.ts";
import { promiseOf } from "../../contract/register.ts";
import { type CheckResult, violation } from "../../exchange/check-result.ts";
import { type Exchange, isAccepted, statusOf, statusWords } from "../../exchange/exchange.ts";
import type { TrialContext } from "../trial.ts";
import type { Subject } from "./operation-trial.ts";
import type { Policy } from "./policy.ts";
import type { Choice } from "./rule-kinds.ts";
import { isGiven, isPosition, namesResource } from "./rule-requests.ts";

/** A result, and the probe and its control that show it. */
export interface Shown {
  readonly result: CheckResult;
  readonly exchanges: readonly [Exchange, ...Exchange[]];
}

/** Whether the answer to a probe shows by itself that it was accepted, or refused as documented. */
export const holdsAlone = (subject: Subject, { rule, kind }: Choice, sent: Exchange): boolean =>
  kind.class === "boundary" ? isAccepted(sent) : refusalOf(subject, rule).statuses.includes(statusOf(sent));

/**
 * @param exchanges the probe and its control; an accepted near-miss needs no control
 * @returns `undefined` when the responses show nothing about the rule
 */
export const judged = (
  context: TrialContext,
  subject: Subject,
  choice: Choice,
  exchanges: Shown["exchanges"],
): Shown | undefined => {
  const { rule, kind } = choice;
  const [sent, accepted = sent] = exchanges;
  const at = { pointer: rule.pointer, keyword: rule.keyword, rank: kind.rank };
  const what = { what: `${fieldOf(rule)}: ${kind.kind}`, ...at };
  if (owesAcceptance(context, rule, accepted)) {
    const message = `the valid control of ${what.what} was refused`;
    const refused = { pointer: rule.pointer, message, expected: "accepted", actual: `${statusOf(accepted)}` };
    return { result: violation(refused), exchanges: [accepted] };
  }
  const isLimit = kind.class === "boundary";
  const { statuses, words = statusWords(statuses) } = refusalOf(subject, rule);
  const result = isLimit
    ? checkAccepted(what, sent, accepted)
    : checkRefused(what, sent, accepted, statuses, words);
  if (result === undefined || showsNothing(context, subject, choice, exchanges, result.holds))
    return undefined;
  const stated: CheckResult = {
    ...result,
    // A judge of what did not happen does not read it.
    get promise() {
      return result.holds ? undefined : promiseOf(context.contract, rule, isLimit ? undefined : words);
    },
  };
  return { result: unlessContradicted(rule, stated), exchanges };
};

/**
 * A malformed identifier may also be refused as unknown, a condition with the statuses that HTTP has for it (RFC 9110,
 * 13.1.1; RFC 6585, 3), and any value with a status that the document lists.
 */
export const refusalOf = (
  { policy: { refusal }, operation }: Pick<Subject, "policy" | "operation">,
  rule: Rule,
): Policy["refusal"] => {
  const also = namesResource(operation, rule) ? [404] : isGiven(operation, rule) ? [412, 428] : [];
  const listed = (refusal.ifListed ?? []).filter((status) => responseOf(operation, status) !== undefined);
  const others = [...new Set([...also, ...listed])].filter((status) => !refusal.statuses.includes(status));
  if (others.length === 0) return refusal;
  return {
    statuses: [...refusal.statuses, ...others],
    words:
      others.length === refusal.ifListed?.length
        ? "a client error that is not about credentials, time or rate"
        : [refusal.words ?? statusWords(refusal.statuses), ...others].join(" or "),
  };
};

/** Whether the result may have another cause than the rule. */
export const showsNothing = (
  context: TrialContext,
  { policy, operation }: Subject,
  { rule, kind }: Choice,
  [sent, ...controls]: Shown["exchanges"],
  holds: boolean,
): boolean => {
  if (kind.class === "near-miss")
    return holds
      ? policy.judgeRefusal?.(context, rule, kind, [sent, ...controls]) === false
      : findsNothing(operation, rule, sent);
  if (holds) return policy.isCarriedOut?.(sent) === false;
  // The boundary value may conflict with an existing resource.
  if (statusOf(sent) === 409) return true;
  // Some servers do not find a list without items, which a position or a filter may leave.
  if (statusOf(sent) === 404 && (operation.list !== undefined || operation.parameters.some(isPosition)))
    return true;
  // Where the user gives a value, the target may take no other.
  return rule.schema["x-given"] !== undefined || (policy.mayBeUnknown?.(context, rule, kind) ?? kind.known);
};

/** Whether a filter found nothing by an unknown value: an empty list breaks a promise only where a 400 is documented for it. */
const findsNothing = ({ list, responses }: Operation, { keyword, place, level }: Rule, sent: Exchange) => {
  const isFilter = keyword === "enum" && place === "query" && list !== undefined && isAccepted(sent);
  const isListed = level !== "assumed" && responses[400] !== undefined;
  return isFilter && !isListed && isEmptyList(sent.response?.json, `${list.items}/*`);
};

export const observe = (
  context: TrialContext,
  { policy }: Subject,
  { rule, kind }: Choice,
  sent: Exchange,
) => {
  const answer = isAccepted(sent) ? "accepted" : `answered with ${statusOf(sent) || "nothing"}`;
  const text = `${kind.kind} (${fieldOf(rule)}): ${answer}`;
  context.judge.observe(policy.gapOf?.(rule, kind) ?? "", rule.operationId, text);
};

/** Whether the target must accept the control. A new implementation of this contract accepts all valid requests. */
const owesAcceptance = (
  { capabilities, contract }: TrialContext,
  { requirement }: Rule,
  control: Exchange,
): boolean =>
  requirement.endsWith(".shape") &&
  statusOf(control) === 400 &&
  capabilities.has("new-implementation") &&
  contract.provider === null;

const fieldOf = ({ parameter, pointer, within }: Rule): string => {
  const path = pointer.slice(1).replaceAll("/", ".") || "the body";
  if (parameter !== undefined) return parameter;
  return within === undefined ? path : `${within.slice(1).replaceAll("/", ".")}.${path}`;
};

/**
 * Records a refusal beside its accepted control, and asks the check again with changed answers.
 * @param what the difference between the two calls
 * @returns whether the two show anything; not if the control was refused too
 */
export const recordRefusal = async (
  { judge }: TrialContext,
  requirements: readonly string[],
  what: Parameters<typeof checkRefused>[0],
  pair: readonly [probe: Exchange, control: Exchange],
  statuses: readonly number[],
  words?: string,
): Promise<boolean> => {
  const check = ([probe, control]: readonly Exchange[]): CheckResult | undefined =>
    checkRefused(what, probe as Exchange, control as Exchange, statuses, words);
  const result = check(pair);
  if (result === undefined) return false;
  for (const requirement of requirements) judge.record(requirement, result, pair);
  await judge.askAgain(requirements, pair, check);
  return true;
};
