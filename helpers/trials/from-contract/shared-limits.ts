/**
 * Limits of an operation whose results the run can't remove: one call contains the limits of many rules, so that few
 * calls leave something on the target.
 */
import fc from "fast-check";
import type { Rule } from "../../contract/contract.ts";
import { isSame } from "../../contract/json.ts";
import { requestRulesOf } from "../../contract/lookups.ts";
import { getOrInsert, groupBy, memoize } from "../../contract/memoize.ts";
import { type Exchange, isAccepted } from "../../exchange/exchange.ts";
import { applyEdit, type Edit, isWithin } from "../../generate/edit.ts";
import { NoValue } from "../../generate/later.ts";
import { validValues } from "../../generate/valid.ts";
import { lasts } from "../created-resources.ts";
import type { TrialContext } from "../trial.ts";
import type { Subject } from "./operation-trial.ts";
import type { Requests, Sample } from "./policy.ts";
import { type Choice, chooseProbes, possibleChoices } from "./rule-kinds.ts";
import { requestsByRule, requestsFor } from "./rule-requests.ts";
import { shareControl } from "./shared-controls.ts";

/** The result of shared calls, by rule. */
export type SharedLimits = ReadonlyMap<Rule, TriedLimits>;

interface TriedLimits {
  /** Accepted calls that contain a limit of the rule. */
  readonly accepted: { readonly choice: Choice; readonly exchange: Exchange }[];
  /** Kinds of limits that were refused, or that no body can share: they are tried alone. */
  readonly alone: Set<string>;
}

/** Returns what shared calls show: nothing if the calls of the operation do no harm. */
export const sharedLimits = (context: TrialContext, subject: Subject): Promise<SharedLimits> =>
  context.savesRequests || lasts(subject.contract, subject.operation, context.target)
    ? // The context of the trial has what the policy adds.
      context.once(ownerOf(subject.operation), () => tryLimits(context, subject))
    : NOTHING;

type Several = readonly [Choice, ...Choice[]];

const NOTHING: Promise<SharedLimits> = Promise.resolve(new Map());

const ownerOf = memoize((_: object) => ({}));

const tryLimits = async (context: TrialContext, subject: Subject): Promise<SharedLimits> => {
  const tried = new Map<Rule, TriedLimits>();
  const of = ({ rule }: Choice): TriedLimits =>
    getOrInsert(tried, rule, () => ({ accepted: [], alone: new Set() }));
  const trySome = async (choices: Several): Promise<void> => {
    const sent = await sendTogether(context, subject, choices);
    if (sent !== undefined && isAccepted(sent) && subject.policy.isCarriedOut?.(sent) !== false) {
      for (const choice of choices) of(choice).accepted.push({ choice, exchange: sent });
    } else if (sent === undefined || choices.length === 1) {
      for (const choice of choices) of(choice).alone.add(choice.kind.kind);
    } else {
      const half = Math.ceil(choices.length / 2);
      await trySome(choices.slice(0, half) as [Choice]);
      await trySome(choices.slice(half) as [Choice]);
    }
  };
  for (const [requests, choices] of await limitsOf(context, subject)) {
    for (const pack of packed(requests, choices)) await trySome(pack);
  }
  return tried;
};

/** The limits of the bodies of an operation, with the requests whose body can contain them. */
type Limits = readonly (readonly [Requests, readonly Choice[]])[];

const limitsOf = async (context: TrialContext, subject: Subject): Promise<Limits> => {
  const { contract, operation } = subject;
  const groups: [Requests, Choice[]][] = [];
  const rules = requestRulesOf(contract, operation.operationId).filter(
    ({ parameter }) => parameter === undefined,
  );
  for (const own of groupBy(rules, ({ requirement }) => requirement).values()) {
    const { known } = await requestsByRule(context, subject, own);
    const possible = [...known].flatMap(([rule, requests]) => possibleChoices(rule, requests));
    const limits = possible.filter(({ kind }) => kind.class === "boundary");
    // A further limit seldom needs a further call.
    const depth = context.depth === "quick" ? "standard" : context.depth;
    for (const choice of chooseProbes(limits, { depth, seed: context.runSeed })) {
      const requests = known.get(choice.rule) as Requests;
      const group = groups.find(([other]) => isAlike(choice.rule, requests, other));
      if (group === undefined) groups.push([requests, [choice]]);
      else group[1].push(choice);
    }
  }
  return groups;
};

/** Whether one body fits both requests. */
const isAlike = (rule: Rule, one: Requests, other: Requests): boolean =>
  one.schemaOf(rule) === other.schemaOf(rule) &&
  isSame(
    PLACES.map((name) => one.generation[name]),
    PLACES.map((name) => other.generation[name]),
  );

const PLACES = ["with", "without"] as const;

/** A body with several limits. */
interface Body {
  readonly json: unknown;
  readonly edits: readonly Edit[];
}

/** Distributes limits to as few bodies as possible. */
const packed = (requests: Requests, choices: readonly Choice[]): Several[] => {
  const base = baseOf(requests, choices);
  if (base === undefined) return [];
  const packs: { body: Body; readonly choices: [Choice, ...Choice[]] }[] = [];
  for (const choice of choices) {
    const isAdded = packs.some((pack) => {
      const body = withLimit(requests, pack.body, choice);
      if (body !== undefined) {
        pack.body = body;
        pack.choices.push(choice);
      }
      return body !== undefined;
    });
    const body = isAdded ? undefined : withLimit(requests, { json: base, edits: [] }, choice);
    if (body !== undefined) packs.push({ body, choices: [choice] });
  }
  return packs.map((pack) => pack.choices);
};

/** Returns a valid body that has all places of the limits; `undefined` if there is none. */
const baseOf = ({ schemaOf, generation }: Requests, choices: readonly Choice[]): unknown => {
  const places = choices.flatMap(({ kind }) => kind.with);
  const [choice] = choices;
  if (choice === undefined) return undefined;
  const within = { ...generation, with: [...(generation.with ?? []), ...places] };
  try {
    return fc.sample(validValues(schemaOf(choice.rule), within), { seed: 1, numRuns: 1 })[0];
  } catch (error) {
    if (error instanceof NoValue) return undefined;
    throw error;
  }
};

/** Returns the body with one more limit; `undefined` if the limit contradicts the others. */
const withLimit = (requests: Requests, { json, edits }: Body, { rule, kind }: Choice): Body | undefined => {
  const [edit] = fc.sample(kind.edit, { seed: 1, numRuns: 1 }) as [Edit];
  const touches = (one: Edit) => isWithin(one.pointer, edit.pointer) || isWithin(edit.pointer, one.pointer);
  if (edits.some(touches)) return undefined;
  const edited = applyEdit(kind.prepare?.(json) ?? json, edit);
  const isValid = requests.generation.validator.validate(requests.schemaOf(rule), edited).length === 0;
  return isValid ? { json: edited, edits: [...edits, edit] } : undefined;
};

/** @returns `undefined` if no body can share the limits */
const sendTogether = async (
  context: TrialContext,
  subject: Subject,
  choices: Several,
): Promise<Exchange | undefined> => {
  const [{ rule }] = choices;
  const requests = await requestsFor(context, subject, rule, 0);
  const base = baseOf(requests, choices);
  let body: Body | undefined = { json: base, edits: [] };
  for (const choice of choices) body = body && withLimit(requests, body, choice);
  const [edit] = body?.edits ?? [];
  if (body === undefined || edit === undefined) return undefined;
  const pair = fc.constant({ base, edit, edited: body.json });
  const [{ probe }] = fc.sample(requests.samples(rule, pair), { seed: 1, numRuns: 1 }) as [Sample];
  const exchange = await context.send({ ...probe, role: "probe", tries: "limits together" });
  shareControl(context, subject.operation, { call: probe, exchange });
  return exchange;
};
