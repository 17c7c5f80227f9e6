/** Which probes a requirement gets: at least one of each sort, and as many for each rule as the depth allows. */
import fc from "fast-check";
import type { Rule } from "../../contract/contract.ts";
import { type PossibleKind, type ProbeKind, possibleProbes } from "../../generate/probes.ts";
import { groupedBy } from "../../grouped.ts";
import type { Depth } from "../trial.ts";
import type { Requests } from "./policy.ts";

export interface Choice<Kind extends PossibleKind | ProbeKind = ProbeKind> {
  readonly rule: Rule;
  readonly kind: Kind;
  /** Whether it is about one item of a list in a parameter. */
  readonly isItem: boolean;
}

/** For a rule, or for all rules of a body that share a requirement; at standard depth one of each sort at least. */
const MOST = { quick: 4, standard: 12, exhaustive: Number.POSITIVE_INFINITY } as const;

/** What may be tried of a rule. @param observes whether observations are sent as well */
export const possibleChoices = (rule: Rule, requests: Requests, observes: boolean): Choice<PossibleKind>[] =>
  asProbed(rule).flatMap((probed) =>
    kindsOf(probed.rule, requests)
      .filter(({ class: kindClass }) => observes || kindClass !== "observation")
      .map((kind) => ({ ...probed, kind })),
  );

interface Effort {
  readonly depth: Depth;
  readonly seed: number;
}

export const chooseProbes = (possible: readonly Choice<PossibleKind>[], effort: Effort): Choice[] => {
  const groups = groupedBy(possible, ({ rule }) => (isShape(rule) ? "shape" : rule));
  return [...groups.values()].flatMap((group) => chooseFrom(group, effort));
};

/** Whether its requirement stands for a whole body. */
const isShape = ({ requirement }: Rule): boolean => requirement.endsWith(".shape");

/** The first certain choice of each sort, then the second of each, and so on, until they are enough. */
const chooseFrom = (possible: readonly Choice<PossibleKind>[], { depth, seed }: Effort): Choice[] => {
  const shuffled = fc.shuffledSubarray([...possible], { minLength: possible.length });
  const [drawn = []] = fc.sample(shuffled, { seed, numRuns: 1 });
  const sorts = new Map<string, Iterator<Choice>>();
  for (const [sort, members] of groupedBy(drawn, sortOf)) sorts.set(sort, certainOf(members));
  const chosen: Choice[] = [];
  for (let isFirstRound = true; sorts.size > 0; isFirstRound = false) {
    for (const [sort, members] of sorts) {
      if (chosen.length >= MOST[depth] && (depth === "quick" || !isFirstRound)) return chosen;
      const { value, done } = members.next();
      if (done === true) sorts.delete(sort);
      else chosen.push(value);
    }
  }
  return chosen;
};

/** Of a list in a parameter one item is sent, which is the whole value unless it looks like several or none. */
const asProbed = (rule: Rule): Omit<Choice, "kind">[] => {
  if (rule.parameter === undefined || rule.pointer === "") return [{ rule, isItem: false }];
  return rule.pointer === "/*" ? [{ rule: { ...rule, pointer: "" }, isItem: true }] : [];
};

/** A parameter arrives as text, which breaks a type only where it can't be read as one. */
const kindsOf = (rule: Rule, requests: Requests): PossibleKind[] => {
  const kinds = possibleProbes(rule, requests.schemaOf(rule), requests.generation).filter(
    // Each value of such an enum has a rule of its own.
    (kind) => !(rule.keyword === "enum" && rule.schema["x-values"] === true && kind.class === "boundary"),
  );
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

function* certainOf(possible: readonly Choice<PossibleKind>[]): Generator<Choice> {
  for (const { kind, ...choice } of possible) {
    const certain = kind.certain();
    if (certain !== undefined) yield { ...choice, kind: certain };
  }
}

/**
 * Where one requirement stands for a whole body, places of one type are many and all held alike. Any other rule is a
 * sort of its own, and of limits and formats each way to miss them.
 */
const sortOf = ({ rule, kind }: Choice<PossibleKind>): string => {
  const { keyword, pointer, value } = rule;
  if (keyword === "type" && isShape(rule)) return `${keyword} ${value} ${kind.class}`;
  const way = /^(required|min|max|exclusive|format)/.test(keyword) ? kind.kind : kind.class;
  return `${keyword} ${pointer} ${way}`;
};
