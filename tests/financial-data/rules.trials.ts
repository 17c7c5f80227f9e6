/** Each rule of a request: what keeps to it is accepted, what just breaks it is refused. */
import fc from "fast-check";
import { operationTrial } from "../../fixtures/financial-data/trial.ts";
import { type CheckResult, violation } from "../../helpers/checks/check.ts";
import { checkAccepted, checkRefused } from "../../helpers/checks/refusal.ts";
import type { Contract, JsonSchema, Operation, Rule } from "../../helpers/contract/contract.ts";
import { type Exchange, isAccepted, statusOf } from "../../helpers/exchange/exchange.ts";
import {
  type PossibleKind,
  type ProbeKind,
  possibleProbes,
  probePairs,
} from "../../helpers/generate/probes.ts";
import type { Call } from "../../helpers/trials/call.ts";
import { TargetLost } from "../../helpers/trials/stopped.ts";
import type { Depth, Trial, TrialContext } from "../../helpers/trials/trial.ts";
import { type CallMaker, validCalls } from "../../helpers/trials/valid-call.ts";
import { consumes } from "./success.trials.ts";

/** Any client error but those that speak of credentials or of waiting (gaps: missing from or to date, and others). */
const REFUSALS: readonly number[] = [
  400, 404, 405, 406, 409, 410, 411, 412, 413, 414, 415, 416, 417, 422, 428, 431,
];

export const ruleTrials = (contract: Contract): Trial[] => {
  const operations = new Map(contract.operations.map((operation) => [operation.operationId, operation]));
  const groups = new Map<string, Rule[]>();
  for (const rule of contract.rules) {
    const operation = operations.get(rule.operationId);
    // Refused log-ins lock an account: the rules of credentials have scenarios of their own.
    if (rule.direction !== "request" || operation === undefined || operation.refusalHazards.length > 0)
      continue;
    const key = `${rule.operationId} ${rule.requirement}`;
    groups.set(key, [...(groups.get(key) ?? []), rule]);
  }
  return [...groups.values()].flatMap((rules) => {
    const [first] = rules;
    const operation = operations.get(first?.operationId ?? "");
    if (first === undefined || operation === undefined) return [];
    const suffix = first.requirement.slice("financial-data.".length);
    const name = `rule/${suffix.replace(`${operation.operationId}.`, "")}`;
    return [
      operationTrial(operation, name, `requests that break ${suffix} are refused`, [suffix], (context) =>
        tryRules(context, operation, rules),
      ),
    ];
  });
};

interface Choice<Kind extends PossibleKind | ProbeKind = ProbeKind> {
  readonly rule: Rule;
  readonly kind: Kind;
  /** Whether it is about one item of a list in a parameter. */
  readonly isItem: boolean;
}

/** How many kinds of probes a requirement that stands for a whole body gets; at standard depth one of each sort at least. */
const KINDS = { quick: 4, standard: 12, exhaustive: Number.POSITIVE_INFINITY } as const;

const tryRules = async (
  context: TrialContext,
  operation: Operation,
  rules: readonly Rule[],
): Promise<void> => {
  const maker = await validCalls(context, operation);
  const possible = rules
    .flatMap((rule) => asProbed(rule))
    .flatMap(({ rule, isItem }) => kindsOf(rule, maker).map((kind) => ({ rule, kind, isItem })))
    .filter(({ kind }) => kind.class !== "observation");
  const [drawn = []] = fc.sample(fc.shuffledSubarray(possible, { minLength: possible.length }), {
    seed: context.seed,
    numRuns: 1,
  });
  const choices = chosenFrom(drawn, context.depth);
  let proved = 0;
  for (const choice of choices) {
    if (await tryChoice(context, operation, choice)) proved += 1;
  }
  const requirement = rules[0]?.requirement ?? "";
  if (proved === 0 && !context.judge.hasVerdict(requirement)) {
    context.judge.notTried(
      requirement,
      choices.length === 0 ? "there is no input that certainly breaks it" : whyUnproved(rules),
    );
  }
};

const whyUnproved = (rules: readonly Rule[]): string =>
  rules.every(({ place }) => place === "path")
    ? "valid values are refused too, which name nothing that is there: a refusal tells nothing of the form"
    : "valid requests are refused too: which payload is valid is assumed; give the provider's document with --contract";

/** Of a list in a parameter one item is sent, which is the whole value unless it looks like several or none. */
const asProbed = (rule: Rule): { readonly rule: Rule; readonly isItem: boolean }[] => {
  if (rule.parameter === undefined || rule.pointer === "") return [{ rule, isItem: false }];
  return rule.pointer === "/*" ? [{ rule: { ...rule, pointer: "" }, isItem: true }] : [];
};

/** The first certain choice of each sort, then the second of each, and so on, until they are enough. */
const chosenFrom = (possible: readonly Choice<PossibleKind>[], depth: Depth): Choice[] => {
  const sorts = new Map<string, Iterator<Choice>>();
  for (const [sort, members] of groupedBySort(possible)) sorts.set(sort, certainOf(members));
  const chosen: Choice[] = [];
  for (let isFirstRound = true; sorts.size > 0; isFirstRound = false) {
    for (const [sort, members] of sorts) {
      if (chosen.length >= KINDS[depth] && (depth === "quick" || !isFirstRound)) return chosen;
      const { value, done } = members.next();
      if (done === true) sorts.delete(sort);
      else chosen.push(value);
    }
  }
  return chosen;
};

function* certainOf(possible: readonly Choice<PossibleKind>[]): Generator<Choice> {
  for (const { kind, ...choice } of possible) {
    const certain = kind.certain();
    if (certain !== undefined) yield { ...choice, kind: certain };
  }
}

const groupedBySort = (choices: readonly Choice<PossibleKind>[]): Map<string, Choice<PossibleKind>[]> => {
  const groups = new Map<string, Choice<PossibleKind>[]>();
  for (const choice of choices) {
    const sort = sortOf(choice);
    const group = groups.get(sort);
    if (group === undefined) groups.set(sort, [choice]);
    else group.push(choice);
  }
  return groups;
};

/**
 * Places of one type are many and all held alike; of the other rules each is a sort, and of limits and formats each way
 * to miss them.
 */
const sortOf = ({ rule: { keyword, pointer, value }, kind }: Choice<PossibleKind>): string => {
  if (keyword === "type") return `${keyword} ${value} ${kind.class}`;
  const way = /^(required|min|max|exclusive|format)/.test(keyword) ? kind.kind : kind.class;
  return `${keyword} ${pointer} ${way}`;
};

/** A parameter arrives as text, which breaks a type only where it can't be read as one. */
const kindsOf = (rule: Rule, maker: CallMaker): PossibleKind[] => {
  const kinds = possibleProbes(rule, schemaOf(rule, maker), maker.generation);
  if (rule.parameter === undefined) return kinds;
  if (rule.keyword !== "type") return kinds.filter(({ kind }) => kind !== "null");
  const [near] = kinds.flatMap((kind) => (kind.class === "near-miss" ? (kind.certain() ?? []) : []));
  if (near === undefined) return [];
  const letters: ProbeKind = {
    ...near,
    kind: `letters instead of ${rule.value}`,
    edit: fc.constant({ pointer: "", value: "letters" }),
  };
  return [{ ...letters, certain: () => letters }];
};

/** A parameter's rule speaks about its value alone. */
const schemaOf = (rule: Rule, { body }: CallMaker): JsonSchema =>
  rule.parameter === undefined ? (body ?? {}) : rule.schema;

/** @returns whether the probe and its twin showed anything */
const tryChoice = async (
  context: TrialContext,
  operation: Operation,
  { rule, kind, isItem }: Choice,
): Promise<boolean> => {
  const arrange = consumes(operation) ? context.arrange.apart() : context.arrange;
  const maker = await validCalls({ ...context, arrange }, operation);
  const samples = fc
    .tuple(maker.calls, probePairs(kind, rule, schemaOf(rule, maker), maker.generation))
    .map(([call, { base, edited }]) => ({
      twin: withValue(call, rule, base),
      probe: withValue(call, rule, edited),
    }));
  let failure: Shown | undefined;
  let proved = false;
  await context.property.tries(`${rule.parameter ?? rule.pointer} ${kind.kind}`, samples, async (sample) => {
    if (isItem && SEVERAL_OR_NONE.test(textOf(sample.probe, rule))) return true;
    const found = await trySample(context, rule, kind, sample);
    proved ||= found !== undefined;
    if (found?.result.holds === true) context.judge.record(rule.requirement, found.result, found.exchanges);
    // The last one to fail is the smallest, and others may have held after it.
    if (found?.result.holds === false) failure = found;
    return found?.result.holds !== false;
  });
  if (failure !== undefined) context.judge.record(rule.requirement, failure.result, failure.exchanges);
  return proved;
};

interface Shown {
  readonly result: CheckResult;
  readonly exchanges: Exchange[];
}

const trySample = async (
  context: TrialContext,
  rule: Rule,
  kind: ProbeKind,
  { twin, probe }: { readonly twin: Call; readonly probe: Call },
): Promise<Shown | undefined> => {
  const sent = await context.send(probe);
  const accepted = await context.send(twin);
  if (sent.failure !== undefined && accepted.failure !== undefined)
    throw new TargetLost(accepted.failure.message);
  const field = rule.parameter ?? (rule.pointer.slice(1).replaceAll("/", ".") || "the body");
  const what = { what: `${field}: ${kind.kind}`, pointer: rule.pointer, keyword: rule.keyword };
  if (kind.class === "boundary" && owesAcceptance(context, accepted)) {
    return { result: validRefused(what, accepted), exchanges: [accepted] };
  }
  const result =
    kind.class === "boundary"
      ? checkAccepted(what, sent, accepted)
      : checkRefused(what, sent, accepted, REFUSALS);
  const unknown = kind.known && result?.holds === false;
  if (result === undefined || unknown || (kind.class === "boundary" && isConflict(sent))) return undefined;
  return { result, exchanges: [sent, accepted] };
};

/** Who has written a server from this contract takes whatever fits it. */
const owesAcceptance = ({ capabilities, contract }: TrialContext, twin: Exchange): boolean =>
  statusOf(twin) === 400 && capabilities.has("new-implementation") && contract.provider === null;

const validRefused = ({ what, pointer }: { what: string; pointer: string }, twin: Exchange): CheckResult =>
  violation({
    pointer,
    message: `the valid twin of ${what} was refused`,
    expected: "accepted",
    actual: `${statusOf(twin)}`,
  });

const SEVERAL_OR_NONE = /^$|,/;

const textOf = ({ query, headers }: Call, { parameter = "" }: Rule): string =>
  String(query?.[parameter] ?? headers?.[parameter] ?? "");

/** A boundary value may meet something that exists already. */
const isConflict = (exchange: Exchange): boolean => !isAccepted(exchange) && statusOf(exchange) === 409;

const withValue = (call: Call, rule: Rule, value: unknown): Call => {
  if (rule.parameter === undefined || rule.place === undefined) return { ...call, json: value };
  const place = ({ query: "query", header: "headers", path: "path" } as const)[rule.place];
  const { [rule.parameter]: _, ...others } = { ...call[place] } as Record<string, string>;
  const text = Array.isArray(value) ? value.join(",") : String(value);
  return { ...call, [place]: value === undefined ? others : { ...others, [rule.parameter]: text } };
};
