/** Generates trials for each request rule: boundary values must be accepted, and near misses refused. */
import type { Operation, Requirement, Rule } from "../../contract/contract.ts";
import { doubtAboutCall, requestRulesOf, requirementOf } from "../../contract/lookups.ts";
import { groupBy } from "../../contract/memoize.ts";
import type { Relation } from "../../contract/relations.ts";
import { WHOLE_BODY } from "../../contract/rules.ts";
import { untriedReason } from "../../contract/schemas/untried.ts";
import { HOLDS } from "../../exchange/check-result.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import { NoValue } from "../../generate/later.ts";
import type { PossibleKind } from "../../generate/probes.ts";
import { because, type Reason } from "../../reasons/reason.ts";
import { lasts } from "../created-resources.ts";
import { NotTried } from "../stopped.ts";
import type { Trial, TrialContext } from "../trial.ts";
import { relationsOf } from "./obedience.ts";
import { operationTrial, type Subject, statedLevel } from "./operation-trial.ts";
import { type Choice, chooseProbes, plainestOf, possibleChoices } from "./rule-kinds.ts";
import { fieldIn, recordHeld, tryChoice } from "./rule-probes.ts";
import { isGiven, requestsByRule } from "./rule-requests.ts";
import { type SharedLimits, sharedLimits } from "./shared-limits.ts";
import { turnOf } from "./turns.ts";

export const ruleTrials = (subject: Subject): Trial[] => {
  const { contract, operation } = subject;
  const prefix = `${contract.service}.`;
  return [...rulesByRequirement(subject)].flatMap(([requirement, rules]) => {
    const suffix = requirement.slice(prefix.length);
    const stated = requirementOf(contract, requirement);
    const row = {
      name: `rule/${suffix.replace(`${operation.operationId}.`, "")}`,
      title: stated?.statement ?? `requests that break ${suffix} are refused`,
      ...(stated && { section: sectionOf(stated) }),
      requirements: [requirement],
    };
    return operationTrial(subject, row, async (context) => {
      await tryRules(context, subject, rules);
      const { items } = longestPage(subject, suffix) ?? {};
      if (items === undefined) return;
      const need = `a list of ${operation.operationId} with more than ${items} items, and a call that asks for more`;
      context.judge.lacksOccasion(requirement, because("no-occasion", need));
    });
  });
};

export const isRuleTrial = ({ id }: Trial): boolean => id.includes("/rule/");

/** Returns the relation of which an accepted limit shows nothing: a page may be longer all the same. */
const longestPage = ({ contract, operation }: Subject, requirement: string): Relation | undefined =>
  relationsOf(contract, operation.operationId).find(
    (relation) => relation.kind === "most" && relation.requirement === requirement,
  );

/** `parcel-pickup.md, Senders; Limits` -> `Senders; Limits` */
const sectionOf = ({ source }: Requirement): string => source.split(", ").slice(1).join(", ");

const rulesByRequirement = ({ contract, operation }: Subject): ReadonlyMap<string, readonly Rule[]> =>
  groupBy(
    [
      ...requestRulesOf(contract, operation.operationId),
      ...contract.contradicted.filter(
        ({ direction, operationId }) => direction === "request" && operationId === operation.operationId,
      ),
    ],
    ({ requirement }) => requirement,
  );

const tryRules = async (context: TrialContext, subject: Subject, all: readonly Rule[]): Promise<void> => {
  const { policy, operation } = subject;
  const [first] = all;
  if (first !== undefined && all.every(({ untried }) => untried !== undefined))
    return context.judge.notTried(first.requirement, untriedReason(first));
  const rules = all.filter(({ untried }) => untried === undefined);
  if (rules.every(({ alternative }) => alternative !== undefined) && first !== undefined)
    return context.judge.notTried(first.requirement, ofAlternative(subject, first));
  const { known, missing } = await requestsByRule(context, subject, rules);
  const limits = await sharedLimits(context, subject);
  const possible = [...known].flatMap(([rule, requests]) =>
    possibleChoices(rule, requests, policy.gapOf).filter(
      ({ kind }) => kind.class !== "boundary" || isTriedAlone(operation, rule, kind, limits),
    ),
  );
  const together = rules.flatMap((rule) => limits.get(rule)?.accepted ?? []);
  if (possible.length + together.length === 0 && missing !== undefined) throw missing;
  const requirement = rules[0]?.requirement ?? "";
  const isAssumed = statedLevel(subject, requirement) === "assumed";
  const leaves = lasts(subject.contract, operation, context.target);
  const choices = choicesAmong(context, subject, possible);
  for (const { choice, exchange } of together)
    await recordHeld(context, subject, choice, { result: HOLDS, exchanges: [exchange] });
  let shown = together.length;
  /** The number of kinds of violations by cause. */
  const broken = new Map<string, number>();
  let unsent: NoValue | NotTried | undefined;
  /** Whether a probe was sent at all: then its answers are the reason, and not a value that could not be sent. */
  let isSent = false;
  let isMissShown = false;
  const atLimits = context.savesRequests ? acceptedIn(rules, limits) : new Map<string, Exchange>();
  const proven = { hasLimit: false, atLimits };
  const skip = (error: unknown): undefined => {
    if (!(error instanceof NoValue) && !isLeftOut(error)) throw error;
    unsent = error;
  };
  for (const [turn, choice] of choices.entries()) {
    const { contradicted, keyword } = choice.rule;
    const cause = contradicted ?? (isAssumed ? "" : `${keyword} ${choice.kind.class}`);
    const known = broken.get(cause) ?? 0;
    // A server that does not check a keyword is not asked about every place of it.
    if (known >= (contradicted === undefined ? BROKEN_MOST : 1)) continue;
    const isReduced = !isAssumed && contradicted === undefined && known === 0 && !leaves;
    const before = unsent;
    const result = await tryChoice(context, subject, choice, { turn, isReduced, rules, proven }).catch(skip);
    if (unsent === before) isSent = true;
    if (result !== undefined) shown += 1;
    if (result !== undefined && choice.kind.class === "near-miss") isMissShown = true;
    if (result?.holds !== false) continue;
    broken.set(cause, known + 1);
    const plainest = plainestOf(choice, possible, choices);
    if (plainest !== undefined)
      await tryChoice(context, subject, plainest, { turn, isReduced, rules, proven }).catch(skip);
  }
  // A server that refuses nothing accepts each limit too.
  if (isLeftOut(unsent) && !isMissShown)
    context.judge.lacksOccasion(requirement, because("no-occasion", unsent.reason));
  if (shown > 0 || context.judge.hasVerdict(requirement)) return;
  if (unsent !== undefined && !isSent) throw unsent;
  const isObserved = choices.every(({ kind }) => kind.class === "observation");
  context.judge.notTried(requirement, isObserved ? because("no-certain-miss") : whyUnproved(subject, rules));
};

/** Another valid value of what is given is unknown, so its refusal shows nothing. */
const isTriedAlone = (
  operation: Operation,
  rule: Rule,
  { kind }: PossibleKind,
  limits: SharedLimits,
): boolean =>
  rule.contradicted === undefined && !isGiven(operation, rule) && limits.get(rule)?.alone.has(kind) !== false;

const choicesAmong = (context: TrialContext, subject: Subject, possible: readonly Choice<PossibleKind>[]) => {
  const isSparing = hasBudget(context) || lasts(subject.contract, subject.operation, context.target);
  const choices = chooseProbes(possible, { ...context, turnOf: (rule) => turnOf(subject, rule) }).filter(
    ({ kind }) => !isSparing || kind.class !== "observation",
  );
  const placeOf = ({ kind }: Choice): number => {
    // An accepted limit is the control of other probes.
    if (kind.class === "boundary") return context.savesRequests ? -1 : 0;
    return kind.class === "near-miss" ? kind.rank : 0;
  };
  return choices.sort((one, other) => placeOf(one) - placeOf(other));
};

const hasBudget = ({ target }: TrialContext): boolean => target.permissions.budget !== undefined;

/** Returns accepted calls at limits, by their field. */
const acceptedIn = (rules: readonly Rule[], limits: SharedLimits): Map<string, Exchange> => {
  const accepted = new Map<string, Exchange>();
  for (const rule of rules)
    for (const { exchange } of limits.get(rule)?.accepted ?? []) accepted.set(fieldIn(rule), exchange);
  return accepted;
};

const ofAlternative = ({ contract, operation }: Subject, { requirement }: Rule): Reason => {
  const whole = requestRulesOf(contract, operation.operationId).find(({ keyword }) => keyword === WHOLE_BODY);
  return whole === undefined || whole.requirement === requirement
    ? because("no-certain-miss")
    : because("other-alternative", whole.requirement);
};

/** Whether a near-miss was not sent because the server would keep what it makes. Valid values are tried all the same. */
const isLeftOut = (error: unknown): error is NotTried =>
  error instanceof NotTried && error.reason.code === "would-last";

/** The number of kinds of violations that are shown for each keyword, and for all of an assumed requirement. */
const BROKEN_MOST = 2;

export const whyUnproved = ({ contract, operation }: Subject, rules: readonly Rule[]): Reason => {
  if (rules.every(({ place }) => place === "path"))
    return because("not-arranged", "valid values are refused too, because no such resource exists");
  const seen = "valid requests are refused too, so a refusal does not show whether the rule was checked";
  return doubtAboutCall(contract, operation, seen);
};
