/** Generates trials for each request rule: boundary values must be accepted, and near misses refused. */

import type { Requirement, Rule } from "../../contract/contract.ts";
import { refusalAdvice, requestRulesOf, requirementOf } from "../../contract/lookups.ts";
import { grouped } from "../../contract/once.ts";
import type { Relation } from "../../contract/relations.ts";
import { WHOLE_BODY } from "../../contract/rules.ts";
import { untriedReason } from "../../contract/untried.ts";
import { itemsIn } from "../../contract/written-form.ts";
import { HOLDS } from "../../exchange/check-result.ts";
import { type Exchange, isAccepted } from "../../exchange/exchange.ts";
import { WOULD_LAST } from "../../exchange/permission.ts";
import { applyEdit, type ProbePair } from "../../generate/edit.ts";
import { NoValue } from "../../generate/later.ts";
import { probePairs } from "../../generate/probes.ts";
import type { Call } from "../call.ts";
import { lasts } from "../created-resources.ts";
import { NotTried, TargetLost } from "../stopped.ts";
import type { Trial, TrialContext } from "../trial.ts";
import { pairsInside } from "./inside-limits.ts";
import { relationsOf } from "./obedience.ts";
import { operationTrial, type Subject } from "./operation-trial.ts";
import type { Sample } from "./policy.ts";
import { type Choice, chooseProbes, possibleChoices } from "./rule-kinds.ts";
import { isGiven, looksLikeList, requestsByRule, requestsFor, whyUnread } from "./rule-requests.ts";
import { holdsAlone, judged, judgedAgain, observe, type Shown, showsNothing } from "./rule-verdicts.ts";
import { controlBeside, sharedControl } from "./shared-controls.ts";
import { sharedLimits } from "./shared-limits.ts";

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
      context.judge.lacksOccasion(requirement, need);
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
  grouped(
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
  if (first?.untried !== undefined && all.every(({ untried }) => untried !== undefined))
    return context.judge.notTried(first.requirement, untriedReason(first));
  const rules = all.filter(({ untried }) => untried === undefined);
  if (rules.every(({ alternative }) => alternative !== undefined) && first !== undefined)
    return context.judge.notTried(first.requirement, ofAlternative(subject, first));
  const { known, missing } = await requestsByRule(context, subject, rules);
  const limits = await sharedLimits(context, subject);
  const possible = [...known].flatMap(([rule, requests]) =>
    possibleChoices(rule, requests, policy.gapOf).filter(
      ({ kind }) =>
        kind.class !== "boundary" ||
        // Another valid value is unknown, so its refusal shows nothing.
        (rule.contradicted === undefined &&
          !isGiven(operation, rule) &&
          limits.get(rule)?.alone.has(kind.kind) !== false),
    ),
  );
  const together = rules.flatMap((rule) => limits.get(rule)?.accepted ?? []);
  if (possible.length + together.length === 0 && missing !== undefined) throw missing;
  const requirement = rules[0]?.requirement ?? "";
  const isAssumed = levelOf(subject, requirement) === "assumed";
  const leaves = lasts(subject.contract, operation, context.target);
  const choices = chooseProbes(possible, context).filter(
    ({ kind }) => !(context.isThrifty || leaves) || kind.class !== "observation",
  );
  for (const limit of together) await recordTogether(context, subject, limit);
  let shown = together.length;
  /** The number of kinds of violations by cause. */
  const broken = new Map<string, number>();
  let unsent: NoValue | NotTried | undefined;
  /** Whether a probe was sent at all: then its answers are the reason, and not a value that could not be sent. */
  let isSent = false;
  const proven = new Set<Choice["kind"]["class"]>();
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
    if (result?.holds === false) broken.set(cause, known + 1);
  }
  if (shown > 0 || context.judge.hasVerdict(requirement)) return;
  if (unsent !== undefined && !isSent) throw unsent;
  const reason = choices.some(({ kind }) => kind.class !== "observation")
    ? whyUnproved(subject, rules)
    : "no input certainly violates the rule";
  context.judge.notTried(requirement, reason);
};

/** Records a limit that was accepted with others. A refused call is sent again for each limit, next to a control. */
const recordTogether = async (
  context: TrialContext,
  subject: Subject,
  { choice, exchange }: { readonly choice: Choice; readonly exchange: Exchange },
): Promise<void> => {
  const { requirement } = choice.rule;
  context.judge.record(requirement, HOLDS, [exchange]);
  await context.judge.askAgain([requirement], [exchange], ([changed = exchange], judge) =>
    judgedAgain({ ...context, judge }, subject, choice, [changed, exchange]),
  );
};

const ofAlternative = ({ contract, operation }: Subject, { requirement }: Rule): string => {
  const whole = requestRulesOf(contract, operation.operationId).find(({ keyword }) => keyword === WHOLE_BODY);
  return whole === undefined || whole.requirement === requirement
    ? "no input certainly violates the rule"
    : `another alternative may allow what this one refuses: ${whole.requirement} tries whole bodies`;
};

/** Whether a near-miss was not sent because the server would keep what it makes. Valid values are tried all the same. */
const isLeftOut = (error: unknown): error is NotTried =>
  error instanceof NotTried && error.message.includes(WOULD_LAST);

/** The number of kinds of violations that are shown for each keyword, and for all of an assumed requirement. */
const BROKEN_MOST = 2;

const levelOf = ({ contract }: Subject, requirement: string) => requirementOf(contract, requirement)?.level;

export const whyUnproved = ({ contract, operation }: Subject, rules: readonly Rule[]): string => {
  if (rules.every(({ place }) => place === "path"))
    return "valid values are refused too, because no such resource exists: a refusal does not show whether the form was checked";
  return `valid requests are refused too, so a refusal does not show whether the rule was checked: ${refusalAdvice(contract, operation)}`;
};

/** @returns the result of the probe and its control; `undefined` if they show nothing */
const tryChoice = async (
  context: TrialContext,
  subject: Subject,
  choice: Choice,
  {
    turn,
    isReduced,
    rules,
    proven,
  }: {
    /** The number of probes before this one. */
    readonly turn: number;
    /** Whether to look for a smaller example of a violation. */
    readonly isReduced: boolean;
    /** All rules of the requirement. */
    readonly rules: readonly Rule[];
    /** The classes of probes that held next to an accepted control. */
    readonly proven: Set<Choice["kind"]["class"]>;
  },
): Promise<{ readonly holds: boolean } | undefined> => {
  const { rule, kind, isItem } = choice;
  const requests = await requestsFor(context, subject, rule, turn);
  const pairs = probePairs(kind, rule, requests.schemaOf(rule), requests.generation).map((pair) =>
    kind.class === "boundary" ? withControl(rule, pair) : pair,
  );
  let failure: Shown | undefined;
  let isShown = false;
  let unclear: string | undefined;
  const name = `${rule.parameter ?? ""}${rule.pointer} ${rule.keyword} ${kind.kind}`;
  const trySampled = async (sample: Sample): Promise<boolean> => {
    if (isItem && looksLikeList(sample.probe, subject.operation, rule, subject.contract.schemas)) return true;
    unclear = whyUnread(sample.probe, rule) ?? whyUnclear(subject, sample.probe);
    if (unclear !== undefined) return true;
    const isProven = kind.class === "boundary" ? proven.has(kind.class) : isShown;
    const shown = await trySample(context, subject, choice, sample, isProven);
    isShown ||= shown !== undefined;
    if (shown?.result.holds === true) {
      context.judge.record(rule.requirement, shown.result, shown.exchanges);
      if (shown.exchanges.length === 1) return true;
      proven.add(kind.class);
      await context.judge.askAgain([rule.requirement], shown.exchanges, (changed, judge) =>
        judgedAgain({ ...context, judge }, subject, choice, changed),
      );
    }
    // The last failure is the smallest example. Values that hold may follow it.
    if (shown?.result.holds === false) failure = shown;
    return shown?.result.holds !== false;
  };
  const callBudget = isReduced ? undefined : 0;
  const tryPairs = (tried: typeof pairs) =>
    context.property.tries(name, requests.samples(rule, tried), trySampled, callBudget);
  const tried: ProbePair[] = [];
  await tryPairs(pairs.map((pair) => tried[tried.push(pair) - 1] as ProbePair));
  if (!isShown && kind.class === "boundary") {
    // The control may have been refused because it is at the limit too.
    const inside = pairsInside(rule, rules, requests, tried);
    if (inside !== undefined) await tryPairs(inside);
  }
  if (failure !== undefined) context.judge.record(rule.requirement, failure.result, failure.exchanges);
  if (!isShown && unclear !== undefined) throw new NoValue(unclear);
  return isShown ? { holds: failure === undefined } : undefined;
};

/** An empty form looks like no body, and several items of some lists like other items. */
const whyUnclear = ({ operation }: Subject, { raw, path = {} }: Call): string | undefined => {
  const isUnclear = operation.parameters.some(
    ({ name, written }) => written === "label-of-one" && itemsIn(path[name] ?? "", written).length > 1,
  );
  if (isUnclear) return "how several items are written can be read in several ways";
  return operation.requestBody?.required !== true && raw?.form !== undefined && raw.body === ""
    ? "without the field the form is empty, and the document allows a call without a body"
    : undefined;
};

/** Uses a control without the optional field, to detect a server that refuses all values of the field. */
const withControl = (rule: Rule, pair: ProbePair): ProbePair =>
  rule.keyword !== "optional" && rule.schema["x-optional"] === true
    ? { ...pair, base: applyEdit(pair.base, { pointer: rule.pointer, remove: true }) }
    : pair;

const SENT_AS = {
  observation: { judged: false },
  "near-miss": { judged: "refusals", nearMiss: true },
  boundary: {},
} as const;

/**
 * Sends a probe, and its control where the probe alone shows nothing.
 * @param isProven whether a probe has held next to an accepted control: further probes that hold are sent without one
 * @returns `undefined` when the responses show nothing about the rule
 */
export const trySample = async (
  context: TrialContext,
  subject: Subject,
  choice: Choice,
  { control, probe }: Sample,
  isProven: boolean,
): Promise<Shown | undefined> => {
  const { rule, kind } = choice;
  // The probe is sent first. If the control created the resource, the server might refuse a duplicate.
  const tries = `${rule.parameter ?? ""}${rule.pointer} ${rule.keyword} ${kind.kind}`;
  const sent = await context.send({ ...probe, role: "probe", tries, ...SENT_AS[kind.class] });
  if (kind.class === "observation") {
    observe(context, subject, choice, sent);
    return undefined;
  }
  if (isProven && holdsAlone(subject, choice, sent)) {
    if (showsNothing(context, subject, choice, sent, true)) return undefined;
    return { result: HOLDS, exchanges: [sent] };
  }
  // An accepted near-miss is a violation, also if its control is refused.
  if (kind.class === "near-miss" && isAccepted(sent)) return judged(context, subject, choice, [sent]);
  const shared = sharedControl(context, subject.operation);
  const known = shared?.call === control ? shared : undefined;
  const accepted = await controlBeside(context, control, { known, holds: holdsAlone(subject, choice, sent) });
  if (sent.failure !== undefined && accepted.failure !== undefined)
    throw new TargetLost(accepted.failure.message);
  return judged(context, subject, choice, [sent, accepted]);
};
