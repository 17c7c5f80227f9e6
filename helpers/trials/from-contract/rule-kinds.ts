/** Chooses the probes of a requirement: one of each sort if possible, and as many for each rule as the depth allows. */
import fc from "fast-check";
import type { Rule } from "../../contract/contract.ts";
import { groupBy } from "../../contract/memoize.ts";
import {
  isInSecondItem,
  listOf,
  type PossibleKind,
  type ProbeKind,
  possibleProbes,
} from "../../generate/probes.ts";
import type { Depth } from "../trial.ts";
import type { Policy, Requests } from "./policy.ts";

export interface Choice<Kind extends PossibleKind | ProbeKind = ProbeKind> {
  readonly rule: Rule;
  readonly kind: Kind;
  /** Whether the probe concerns one item of a list parameter. */
  readonly isItem: boolean;
}

/** The maximum for a rule, or for the shared shape of a body. Standard depth always tries one of each sort. */
const MOST = { quick: 4, standard: 12, exhaustive: Number.POSITIVE_INFINITY } as const;

/** The maximum for a requirement: the requirement of a whole body may cover the types of hundreds of fields. */
const MOST_TOGETHER = { quick: 24, standard: 240, exhaustive: Number.POSITIVE_INFINITY } as const;

/** Returns the possible probes of a rule that is tried. @param gapOf names the gap of an observation: others are left out */
export const possibleChoices = (
  rule: Rule,
  requests: Requests,
  gapOf?: Policy["gapOf"],
): Choice<PossibleKind>[] =>
  (rule.untried === undefined ? asProbed(rule) : []).flatMap((probed) =>
    kindsOf(probed.rule, requests)
      .filter((kind) => kind.class !== "observation" || gapOf?.(rule, kind) !== undefined)
      .map((kind) => ({ ...probed, kind })),
  );

interface Effort {
  readonly depth: Depth;
  readonly seed: number;
  /** Returns the place of the operation among those that take turns with the kinds of probes of a rule at quick depth. */
  readonly turnOf?: (rule: Rule) => { readonly index: number; readonly of: number };
}

export const chooseProbes = (
  possible: readonly Choice<PossibleKind>[],
  effort: Effort,
): readonly Choice[] => {
  const most = MOST_TOGETHER[effort.depth];
  const groups = groupBy(possible, ({ rule }) =>
    isShape(rule) && rule.contradicted === undefined ? "shape" : rule,
  );
  const few = spread([...groups.values()], most, effort, ([one]) => one && kindOf(one));
  const { depth, turnOf } = effort;
  const chosen = few.flatMap((group) =>
    depth === "quick" && turnOf !== undefined && group.some(({ rule }) => isShape(rule))
      ? chooseInTurn(group, effort, turnOf)
      : chooseFrom(group, effort),
  );
  return spread(chosen, most, effort, (one) => `${kindOf(one)} ${one.kind.class}`);
};

const kindOf = ({ rule }: Pick<Choice, "rule">): string => `${rule.keyword} ${rule.value}`;

/** Returns no more than so many items: about as many of each sort, and in an order that the seed decides if there are more. */
const spread = <Item>(
  items: readonly Item[],
  most: number,
  { seed }: Effort,
  sort: (item: Item) => string | undefined,
): readonly Item[] => {
  if (items.length <= most) return items;
  const rounds = [...groupBy(drawn(items, seed), sort).values()].flatMap((members) =>
    members.map((item, round) => ({ item, round })),
  );
  return rounds
    .sort((one, other) => one.round - other.round)
    .slice(0, most)
    .map(({ item }) => item);
};

/** Returns the plainest probe of the kind of a choice that was violated, if it is not among the chosen. */
export const plainestOf = (
  { rule, kind }: Choice,
  possible: readonly Choice<PossibleKind>[],
  chosen: readonly Choice[],
): Choice | undefined => {
  const [plainest] = possible
    .filter((one) => one.rule === rule && one.kind.class === kind.class)
    .sort((one, other) => one.kind.rank - other.kind.rank);
  const [certain] = plainest === undefined ? [] : firstCertain([plainest]);
  return certain !== undefined && chosen.some((one) => isSame(one, certain)) ? undefined : certain;
};

/** Returns all of the list in an order that the seed decides. */
const drawn = <Item>(list: readonly Item[], seed: number): readonly Item[] => {
  const shuffled = fc.shuffledSubarray([...list], { minLength: list.length });
  return fc.sample(shuffled, { seed, numRuns: 1 })[0] ?? [];
};

/** Whether the requirement of the rule covers a whole body. */
const isShape = ({ requirement }: Rule): boolean => requirement.endsWith(".shape");

/** Chooses in rounds: the first certain choice of each sort, then the second of each, and so on up to the maximum. */
const chooseFrom = (possible: readonly Choice<PossibleKind>[], { depth, seed }: Effort): Choice[] => {
  const all = drawn(possible, seed);
  const sorts = new Map<string, Iterator<Choice>>();
  for (const [sort, members] of groupBy(all, sortOf)) sorts.set(sort, certainOf(members));
  const chosen: Choice[] = [];
  for (let isFirstRound = true; sorts.size > 0; isFirstRound = false) {
    for (const [sort, members] of sorts) {
      if (chosen.length >= MOST[depth] && (depth === "quick" || !isFirstRound)) return chosen;
      const { value, done } = members.next();
      if (done === true) sorts.delete(sort);
      else if (!chosen.some((one) => isSame(one, value))) chosen.push(value);
    }
    if (isFirstRound && depth !== "quick") chosen.push(...missingSlips(all, chosen));
  }
  return chosen;
};

/**
 * Chooses one probe of each kind whose turn it is, and others up to the maximum of a rule: a server checks the bodies of
 * alike operations alike, so that each kind is tried in one of them.
 */
const chooseInTurn = (
  possible: readonly Choice<PossibleKind>[],
  { seed }: Effort,
  turnOf: NonNullable<Effort["turnOf"]>,
): Choice[] => {
  const chosen: Choice[] = [];
  const others: Choice<PossibleKind>[] = [];
  for (const group of groupBy(drawn(possible, seed), ({ rule }) => sortInBody(rule)).values()) {
    const kinds = [...groupBy(group, ({ kind }) => kind.kind)].sort(([one], [other]) =>
      one < other ? -1 : 1,
    );
    for (const [place, [, alike]] of kinds.entries()) {
      const { index, of } = turnOf((alike[0] as Choice<PossibleKind>).rule);
      if (place % of !== index) others.push(...alike);
      else chosen.push(...firstCertain(alike));
    }
  }
  for (const other of others) if (chosen.length < MOST.quick) chosen.push(...firstCertain([other]));
  return chosen;
};

const firstCertain = (possible: readonly Choice<PossibleKind>[]): Choice[] => {
  const { value, done } = certainOf(possible).next();
  return done === true ? [] : [value];
};

/** Names what a rule of a body demands, and how deep in the body. */
export const sortInBody = ({ keyword, value, pointer }: Rule): string =>
  [keyword, ...(/^(format|type)$/.test(keyword) ? [value] : []), levelOf(pointer)].join(" ");

/** Names how deep a place is in a body. */
export const levelOf = (pointer: string): "item" | "nested" | "top" =>
  pointer.includes("/*") ? "item" : pointer.split("/").length > 2 ? "nested" : "top";

const isSame = (one: Choice, other: Choice): boolean =>
  one.rule === other.rule && one.kind.kind === other.kind.kind;

/** Slips that lax servers accept. Each is tried at one place at least. */
const SLIPS = [
  /^other letter case$/,
  /^surrounding white space$/,
  /^string instead of (number|integer)/,
  /^string instead of boolean/,
  /^number instead of string$/,
  /^(foreign character|one character more) at the start$|^plus sign$/,
  /^foreign character at the end$|^one character more$|^decimal point$/,
];

/** Returns one choice of each slip that is not among the chosen. */
const missingSlips = (given: readonly Choice<PossibleKind>[], chosen: readonly Choice[]): Choice[] => {
  const tried = new Set(chosen.map(slipOf));
  return [...groupBy(given, slipOf)].flatMap(([slip, members]) => {
    if (slip === undefined || tried.has(slip)) return [];
    const { value, done } = certainOf(members).next();
    return done === true ? [] : [value];
  });
};

/** Returns a name of the slip and its keyword; `undefined` if the probe is not a slip, or another rule refuses it too. */
const slipOf = ({ rule: { keyword, schema }, kind }: Choice | Choice<PossibleKind>): string | undefined => {
  const index = SLIPS.findIndex((slip) => slip.test(kind.kind));
  if (index < 0 || kind.class !== "near-miss") return undefined;
  const isPlain = ["enum", "pattern", "format", "x-resource"].every((name) => schema[name] === undefined);
  return keyword === "type" && kind.kind.endsWith("of string") && !isPlain
    ? undefined
    : `${keyword} ${index}`;
};

/** Adapts a rule to its parameter: one item is sent as a whole list, and an object with the value of one property. */
const asProbed = (rule: Rule): Omit<Choice, "kind">[] => {
  if (rule.parameter === undefined || rule.pointer === "") return [{ rule, isItem: false }];
  if (rule.pointer === "/*") return [{ rule: { ...rule, pointer: "" }, isItem: true }];
  return /^\/[^/*]+$/.test(rule.pointer) ? [{ rule, isItem: false }] : [];
};

/** Returns the kinds of probes. A parameter is sent as text, so only text that can't be parsed violates its type. */
const kindsOf = (rule: Rule, requests: Requests): PossibleKind[] => {
  const kinds = possibleProbes(rule, requests.schemaOf(rule), requests.generation).filter(
    // Each value of this enum has its own rule.
    (kind) => !(rule.keyword === "enum" && rule.schema["x-values"] === true && kind.class === "boundary"),
  );
  if (rule.parameter === undefined) return kinds;
  if (rule.keyword !== "type") return kinds.filter(({ kind }) => kind !== "null");
  const [near] = kinds.flatMap((kind) => (kind.class === "near-miss" ? (kind.certain() ?? []) : []));
  if (near === undefined) return [];
  const letters: ProbeKind = {
    ...near,
    kind: `letters instead of ${rule.value}`,
    edit: fc.constant({ pointer: rule.pointer, value: "letters" }),
  };
  const observed = kinds.filter(({ kind }) => kind.endsWith("without a minimum"));
  return [{ ...letters, certain: () => letters }, ...observed];
};

function* certainOf(possible: readonly Choice<PossibleKind>[]): Generator<Choice> {
  for (const { kind, ...choice } of possible) {
    const certain = kind.certain();
    if (certain !== undefined) yield { ...choice, kind: certain };
  }
}

/**
 * Names the sort of a probe. In the shape of a whole body, all places of one type have the same sort. Otherwise each
 * rule has its own sort, and each kind of violation of a limit or format has its own sort.
 */
const sortOf = ({ rule, kind }: Choice<PossibleKind>): string => {
  const { keyword, pointer, value } = rule;
  if (isInSecondItem(kind)) return `${keyword} in the second item of ${listOf(rule)}`;
  if (keyword === "type" && isShape(rule)) return `${keyword} ${value} ${kind.class}`;
  const way = /^(required|min|max|exclusive|format|whole)/.test(keyword) ? kind.kind : kind.class;
  return `${keyword} ${pointer} ${way}`;
};
