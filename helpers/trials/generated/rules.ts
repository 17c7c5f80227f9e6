/** Generates trials for each request rule: boundary values must be accepted, and near misses refused. */
import { HOLDS } from "../../checks/check.ts";
import type { Requirement, Rule } from "../../contract/contract.ts";
import { refusalAdvice, requestRulesOf, requirementOf } from "../../contract/lookups.ts";
import { grouped } from "../../contract/once.ts";
import { applyEdit, type ProbePair } from "../../generate/edit.ts";
import { NoValue } from "../../generate/later.ts";
import { probePairs } from "../../generate/probes.ts";
import { NotTried, TargetLost } from "../stopped.ts";
import type { Trial, TrialContext } from "../trial.ts";
import { pairsInside } from "./inside-limits.ts";
import { operationTrial, type Subject } from "./operation-trial.ts";
import type { Requests, Sample } from "./policy.ts";
import { type Choice, chooseProbes, possibleChoices } from "./rule-kinds.ts";
import { contractRequests, looksLikeList, namesResource } from "./rule-requests.ts";
import { holdsAlone, judged, judgedAgain, observe, type Shown, showsNothing } from "./rule-verdicts.ts";
import { consumes } from "./valid-calls.ts";

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
    return operationTrial(subject, row, (context) => tryRules(context, subject, rules));
  });
};

/** `parcel-pickup.md, Senders; Limits` -> `Senders; Limits` */
const sectionOf = ({ source }: Requirement): string => source.split(", ").slice(1).join(", ");

const rulesByRequirement = ({ contract, operation }: Subject): ReadonlyMap<string, readonly Rule[]> =>
  grouped(requestRulesOf(contract, operation.operationId), ({ requirement }) => requirement);

const tryRules = async (context: TrialContext, subject: Subject, rules: readonly Rule[]): Promise<void> => {
  const { policy, operation } = subject;
  let shared: Requests | undefined;
  let missing: NotTried | undefined;
  const possible = [];
  for (const rule of rules) {
    // Another alternative may allow what this one forbids.
    if (rule.alternative !== undefined) continue;
    const own = await requestsOfPolicy(context, subject, rule);
    if (own instanceof NotTried) {
      missing = own;
      continue;
    }
    if (own === undefined) shared ??= await contractRequests(context, operation);
    const all = possibleChoices(rule, (own ?? shared) as Requests, policy.gapOf !== undefined);
    // Another valid identifier is unknown, so its refusal shows nothing.
    possible.push(...all.filter((one) => one.kind.class !== "boundary" || !namesResource(operation, rule)));
  }
  if (possible.length === 0 && missing !== undefined) throw missing;
  const requirement = rules[0]?.requirement ?? "";
  const isAssumed = levelOf(subject, requirement) === "assumed";
  const leaves = operation.leaves !== undefined && !context.target.embedded;
  const wanted = chooseProbes(possible, context).filter(
    ({ kind }) => !(context.isThrifty || leaves) || kind.class !== "observation",
  );
  // An assumption is not worth much of what stays on the target for good.
  const choices = leaves && isAssumed ? firstOfEachClass(wanted) : wanted;
  let shown = 0;
  let broken = 0;
  let valueless: NoValue | undefined;
  const proven = new Set<Choice["kind"]["class"]>();
  const skip = (error: unknown): undefined => {
    if (!(error instanceof NoValue)) throw error;
    valueless = error;
  };
  for (const [turn, choice] of choices.entries()) {
    const result = await tryChoice(context, subject, choice, { turn, isAssumed, rules, proven }).catch(skip);
    if (result !== undefined) shown += 1;
    if (result?.holds === false) broken += 1;
    // A server that checks no assumed rule is not asked about every part of it.
    if (isAssumed && broken === ASSUMED_MOST) return;
  }
  if (shown > 0 || context.judge.hasVerdict(requirement)) return;
  if (valueless !== undefined) throw valueless;
  const reason = choices.some(({ kind }) => kind.class !== "observation")
    ? whyUnproved(subject, rules)
    : "no input certainly violates the rule";
  context.judge.notTried(requirement, reason);
};

const firstOfEachClass = (choices: readonly Choice[]): Choice[] =>
  [...grouped(choices, ({ kind }) => kind.class).values()].flatMap(([first]) => first ?? []);

/** The number of kinds of violations of an assumed requirement that are shown. */
const ASSUMED_MOST = 2;

const levelOf = ({ contract }: Subject, requirement: string) => requirementOf(contract, requirement)?.level;

/**
 * Returns the requests of the policy, or why there are none. Other rules of the same requirement may not need what this
 * one needs.
 */
const requestsOfPolicy = async (
  context: TrialContext,
  { policy, operation }: Subject,
  rule: Rule,
): Promise<Requests | NotTried | undefined> => {
  try {
    return await policy.requests?.(context, operation, rule, 0);
  } catch (error) {
    if (error instanceof NotTried) return error;
    throw error;
  }
};

const requestsFor = (
  context: TrialContext,
  { policy, operation }: Subject,
  rule: Rule,
  turn: number,
): Promise<Requests> => {
  const own = consumes(operation) ? { ...context, arrange: context.arrange.exclusive() } : context;
  return policy.requests?.(own, operation, rule, turn) ?? contractRequests(own, operation);
};

const whyUnproved = ({ contract, operation }: Subject, rules: readonly Rule[]): string => {
  if (rules.every(({ place }) => place === "path"))
    return "valid values are refused too, because no such resource exists: a refusal does not show whether the form was checked";
  return `valid requests are refused too, so a refusal does not show whether the rule was checked: ${refusalAdvice(contract, operation)}`;
};

interface Turn {
  /** The number of probes before this one. */
  readonly turn: number;
  /** Whether the requirement is assumed: its violations are not shrunk. */
  readonly isAssumed: boolean;
  /** All rules of the requirement. */
  readonly rules: readonly Rule[];
  /** The classes of probes that held next to an accepted control. */
  readonly proven: Set<Choice["kind"]["class"]>;
}

/** @returns the result of the probe and its control; `undefined` if they show nothing */
const tryChoice = async (
  context: TrialContext,
  subject: Subject,
  choice: Choice,
  { turn, isAssumed, rules, proven }: Turn,
): Promise<{ readonly holds: boolean } | undefined> => {
  const { rule, kind, isItem } = choice;
  const requests = await requestsFor(context, subject, rule, turn);
  const pairs = probePairs(kind, rule, requests.schemaOf(rule), requests.generation).map((pair) =>
    kind.class === "boundary" ? withControl(rule, pair) : pair,
  );
  let failure: Shown | undefined;
  let isShown = false;
  const name = `${rule.parameter ?? ""}${rule.pointer} ${rule.keyword} ${kind.kind}`;
  const trySampled = async (sample: Sample): Promise<boolean> => {
    if (isItem && looksLikeList(sample.probe, subject.operation, rule)) return true;
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
  const callBudget = isAssumed ? 0 : undefined;
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
  return isShown ? { holds: failure === undefined } : undefined;
};

/** Uses a control without the optional field, to detect a server that refuses all values of the field. */
const withControl = (rule: Rule, pair: ProbePair): ProbePair =>
  rule.keyword !== "optional" && rule.schema["x-optional"] === true
    ? { ...pair, base: applyEdit(pair.base, { pointer: rule.pointer, remove: true }) }
    : pair;

const JUDGED = { observation: false, "near-miss": "refusals", boundary: true } as const;

/**
 * @param isProven whether a probe has held next to an accepted control: another one that holds needs no control
 * @returns `undefined` when the responses show nothing about the rule
 */
const trySample = async (
  context: TrialContext,
  subject: Subject,
  choice: Choice,
  { control, probe }: Sample,
  isProven: boolean,
): Promise<Shown | undefined> => {
  const { rule, kind } = choice;
  // The probe is sent first. If the control created the resource, the server might refuse a duplicate.
  const tries = `${rule.parameter ?? ""}${rule.pointer} ${rule.keyword} ${kind.kind}`;
  const sent = await context.send({ ...probe, role: "probe", tries, judged: JUDGED[kind.class] });
  if (kind.class === "observation") {
    observe(context, subject, choice, sent);
    return undefined;
  }
  if (isProven && holdsAlone(subject, choice, sent)) {
    if (showsNothing(context, subject, choice, sent, true)) return undefined;
    return { result: HOLDS, exchanges: [sent] };
  }
  const accepted = await context.send({ ...control, role: "control" });
  if (sent.failure !== undefined && accepted.failure !== undefined)
    throw new TargetLost(accepted.failure.message);
  return judged(context, subject, choice, [sent, accepted]);
};
