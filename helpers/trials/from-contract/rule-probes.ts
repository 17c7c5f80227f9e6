/** Sends the probes of a rule next to their controls. */
import fc from "fast-check";
import { checkAllowed } from "../../checks/refusal.ts";
import type { Rule } from "../../contract/contract.ts";
import { atPointer } from "../../contract/pointer.ts";
import { valuesStated } from "../../contract/schemas/schema-visitor.ts";
import { itemsIn } from "../../contract/written-form.ts";
import { HOLDS } from "../../exchange/check-result.ts";
import { type Exchange, isAccepted } from "../../exchange/exchange.ts";
import { applyEdit, type ProbePair } from "../../generate/edit.ts";
import { NoValue } from "../../generate/later.ts";
import { probePairs } from "../../generate/probes.ts";
import { validValues } from "../../generate/valid.ts";
import { because } from "../../reasons/reason.ts";
import type { Call } from "../call.ts";
import { TargetLost } from "../stopped.ts";
import type { TrialContext } from "../trial.ts";
import { hasStatedValues } from "../valid-call.ts";
import { pairsInside } from "./inside-limits.ts";
import { type Subject, statedLevel } from "./operation-trial.ts";
import type { Requests, Sample } from "./policy.ts";
import type { Choice } from "./rule-kinds.ts";
import { looksLikeList, requestsFor, whyUnread } from "./rule-requests.ts";
import { holdsAlone, judged, observe, type Shown, showsNothing } from "./rule-verdicts.ts";
import { controlBeside, isRepeatable, mayShare, shareControl, sharedControls } from "./shared-controls.ts";

/** @returns the result of the probe and its control; `undefined` if they show nothing */
export const tryChoice = async (
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
    /** What the probes before this one have shown. */
    readonly proven: {
      /** Whether a limit held, so that further limits need no control. */
      hasLimit: boolean;
      /** Accepted calls at limits, by their field: the controls of other probes. */
      readonly atLimits: Map<string, Exchange>;
    };
  },
): Promise<{ readonly holds: boolean } | undefined> => {
  const { rule, kind, isItem } = choice;
  const isLimit = kind.class === "boundary";
  const requests = await requestsFor(context, subject, rule, turn);
  const pairsOf = ({ schemaOf, generation }: Requests) =>
    probePairs(kind, rule, schemaOf(rule), generation).map((pair) =>
      isLimit ? withControl(rule, pair) : pair,
    );
  let failure: Shown | undefined;
  let isShown = false;
  let unclear: string | undefined;
  const name = `${rule.parameter ?? ""}${rule.pointer} ${rule.keyword} ${kind.kind}`;
  const trySampled = async (sample: Sample): Promise<boolean> => {
    if (isItem && looksLikeList(sample.probe, subject.operation, rule, subject.contract.schemas)) return true;
    unclear = whyUnread(sample.probe, rule) ?? whyUnclear(subject, sample.probe);
    if (unclear !== undefined) return true;
    const isProven = isLimit ? proven.hasLimit : isShown;
    const atLimit = proven.atLimits.get(fieldIn(rule));
    const shown = await trySample(context, subject, choice, sample, { isProven, atLimit });
    if (shown === undefined) return true;
    isShown = true;
    if (!shown.result.holds) {
      // The last failure is the smallest example. Values that hold may follow it.
      failure = shown;
      return false;
    }
    await recordHeld(context, subject, choice, shown, isProven);
    if (isLimit) {
      proven.hasLimit = true;
      if (context.savesRequests) proven.atLimits.set(fieldIn(rule), shown.exchanges[0]);
    }
    return true;
  };
  const callBudget = isReduced ? undefined : 0;
  const tryPairs = (tried: fc.Arbitrary<ProbePair>, { samples } = requests) =>
    context.property.tries(name, samples(rule, tried), trySampled, callBudget);
  const tried: ProbePair[] = [];
  await tryPairs(pairsOf(requests).map((pair) => tried[tried.push(pair) - 1] as ProbePair));
  if (!isShown && isLimit) {
    // The control may have been refused because it is at the limit too.
    const inside = pairsInside(rule, rules, requests, tried);
    if (inside !== undefined) await tryPairs(inside);
  }
  const { policy, operation, contract } = subject;
  if (!isShown && policy.judgesControls && hasStatedValues(operation, contract)) {
    // The target may know only the values that the document states.
    const stated = await requestsFor(context, subject, rule, turn, "stated");
    await tryPairs(pairsOf(stated), stated);
  }
  const [last] = tried.slice(-1);
  if (failure !== undefined && isLimit && policy.judgesControls && last !== undefined)
    failure = await doubted(context, subject, requests, rule, last, failure);
  if (failure !== undefined) context.judge.record(rule.requirement, failure.result, failure.exchanges);
  if (!isShown && unclear !== undefined) throw new NoValue(unclear);
  return isShown ? { holds: failure === undefined } : undefined;
};

/**
 * Suspects a server that refuses a text at a limit, and another text as long as the one that it knows as well: it may know
 * only some texts.
 */
const doubted = async (
  context: TrialContext,
  { operation }: Subject,
  { generation, samples }: Requests,
  rule: Rule,
  { base, edit }: ProbePair,
  failure: Shown,
): Promise<Shown> => {
  const parameter = operation.parameters.find(({ name }) => name === rule.parameter);
  const known = [parameter?.example, ...valuesStated(rule.schema), atPointer(base, rule.pointer)];
  const text = known.find((one) => typeof one === "string");
  if (text === undefined) return failure;
  const { length } = text;
  const isAtLimit = "value" in edit && String(edit.value).length === length;
  const schema = { ...rule.schema, minLength: length, maxLength: length };
  const others = validValues(schema, { ...generation, takesStated: false, with: [], without: [] });
  const pairs = (isAtLimit ? fc.constant(text) : others.filter((value) => value !== text)).map((value) => ({
    base,
    edit: { ...edit, value },
    edited: applyEdit(base, { ...edit, value }),
  }));
  const [sample] = sampledOrNone(samples(rule, pairs), context.seed);
  if (sample === undefined) return failure;
  const twin = await context.send({ ...sample.probe, role: "control" });
  if (isAccepted(twin) !== isAtLimit) return failure;
  const message = `${failure.result.message}, and the target takes only some texts of ${length} characters`;
  return { result: { ...failure.result, message, suspected: true }, exchanges: [...failure.exchanges, twin] };
};

const sampledOrNone = (samples: fc.Arbitrary<Sample>, seed: number): readonly Sample[] => {
  try {
    return fc.sample(samples, { seed, numRuns: 1 });
  } catch (error) {
    if (error instanceof NoValue) return [];
    throw error;
  }
};

/** An empty form looks like no body, and several items of some lists like other items. */
const whyUnclear = ({ operation }: Subject, { raw, path = {} }: Call): string | undefined => {
  const isUnclear = operation.parameters.some(
    ({ name, written }) => written === "label-of-one" && itemsIn(path[name] ?? "", written).length > 1,
  );
  if (isUnclear) return "how several items are written can be read in several ways";
  const isEmpty = raw?.form !== undefined && Object.keys(raw.form).length === 0;
  return operation.requestBody?.required !== true && isEmpty
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
  "near-miss": { judged: "refusals" },
  boundary: {},
} as const;

/** Whether an accepted limit is proof enough: then it is the control of other probes. */
const mayStandAlone = (
  context: TrialContext,
  { operation }: Subject,
  { class: kind }: Choice["kind"],
): boolean => kind === "boundary" && context.savesRequests && mayShare(context, operation);

/**
 * Sends a probe, and its control where the probe alone shows nothing.
 * @returns `undefined` when the responses show nothing about the rule
 */
export const trySample = async (
  context: TrialContext,
  subject: Subject,
  choice: Choice,
  { control, probe }: Sample,
  {
    isProven = false,
    atLimit,
  }: {
    /** Whether a probe has held next to an accepted control: further probes that hold are sent without one. */
    readonly isProven?: boolean;
    /** An accepted call at a limit of the field. */
    readonly atLimit?: Exchange | undefined;
  } = {},
): Promise<Shown | undefined> => {
  const { rule, kind } = choice;
  // The probe is sent first. If the control created the resource, the server might refuse a duplicate.
  const place = `${rule.parameter ?? ""}${rule.within ?? ""}${rule.pointer}`;
  const tries = `${place} ${rule.keyword} ${kind.kind}`;
  const nearMiss = kind.class === "near-miss" && { nearMiss: statedLevel(subject, rule.requirement) };
  const sent = await context.send({ ...probe, role: "probe", tries, ...nearMiss, ...SENT_AS[kind.class] });
  if (kind.class === "observation") {
    observe(context, subject, choice, sent);
    return undefined;
  }
  if ((isProven || mayStandAlone(context, subject, kind)) && holdsAlone(subject, choice, sent)) {
    shareControl(context, subject.operation, { call: probe, exchange: sent });
    if (!showsNothing(context, subject, choice, [sent], true)) return { result: HOLDS, exchanges: [sent] };
    if (kind.class === "boundary") return undefined;
  }
  // An accepted near-miss is a violation, also if its control is refused.
  if (kind.class === "near-miss" && isAccepted(sent)) return judged(context, subject, choice, [sent]);
  const known =
    sharedControls(context, subject.operation).find(({ call }) => call === control) ??
    (atLimit && { call: control, exchange: atLimit });
  const holds = holdsAlone(subject, choice, sent) && isRepeatable(context, subject.operation, control);
  const accepted = await controlBeside(context, control, { known, holds });
  shareControl(context, subject.operation, { call: control, exchange: accepted });
  if (sent.failure !== undefined && accepted.failure !== undefined)
    throw new TargetLost(accepted.failure.reason ?? because("unanswered", accepted.failure.message));
  return (
    (await refusedControl(context, subject, rule, control, accepted)) ??
    judged(context, subject, choice, [sent, accepted])
  );
};

/** Judges a control that is refused beside the call without the optional parameter of the rule. */
const refusedControl = async (
  context: TrialContext,
  { policy, operation }: Subject,
  { parameter = "" }: Rule,
  control: Call,
  refusal: Exchange,
): Promise<Shown | undefined> => {
  const { [parameter]: value, ...query } = control.query ?? {};
  const isRequired = operation.parameters.some(({ name, required }) => name === parameter && required);
  if (!policy.judgesControls || value === undefined || isRequired || isAccepted(refusal)) return undefined;
  const twin = await context.send({ ...control, query, role: "control" });
  const result = checkAllowed(parameter, refusal, twin);
  return result && { result, exchanges: [refusal, twin] };
};

/**
 * Records a probe that held beside its control, or without one: an accepted limit is its own control, alone or with others
 * in one call.
 * @param isProven whether a probe without a control repeats what an earlier one has shown
 */
export const recordHeld = async (
  context: TrialContext,
  subject: Subject,
  choice: Choice,
  { result, exchanges }: Shown,
  isProven = false,
): Promise<void> => {
  const { requirement } = choice.rule;
  const [sent, control] = exchanges;
  context.judge.record(requirement, result, exchanges);
  if (control === undefined && isProven) return;
  await context.judge.askAgain(
    [requirement],
    exchanges,
    ([probe = sent, other = sent], judge) =>
      judged({ ...context, judge }, subject, choice, [probe, other])?.result,
  );
};

export const fieldIn = ({ place, parameter, pointer }: Rule): string => [place, parameter, pointer].join(" ");
