/**
 * Probes of a rule: inputs just inside and just outside the rule, and inputs for which the documents do not define the
 * answer.
 */
import fc from "fast-check";
import type { JsonSchema, Rule } from "../contract/contract.ts";
import { atPointer } from "../contract/pointer.ts";
import { boundaries } from "./boundaries.ts";
import type { GenerateContext } from "./context.ts";
import { applyEdit, type Edit, type ProbePair } from "./edit.ts";
import { NoValue } from "./later.ts";
import { nearMisses } from "./near-misses.ts";
import { observations } from "./observations.ts";
import { proveBase, proveBoundary, proveNearMiss } from "./proof.ts";
import { LONGEST } from "./scalars.ts";
import { certainEdits, type Draft, placeOf } from "./schema-location.ts";
import { validValues } from "./valid.ts";

export interface ProbeKind {
  /** The label of the input: `one character too long`. Unique among the kinds of a rule. */
  readonly kind: string;
  /** A boundary must be accepted, a near-miss refused; an observation is not judged. */
  readonly class: "boundary" | "near-miss" | "observation";
  /** How plain an example of its rule the input is: 0 for the plainest. */
  readonly rank: number;
  /** The edit that turns the base into the probe. */
  readonly edit: fc.Arbitrary<Edit>;
  /** Places that the base must have, for `with` of its context. */
  readonly with: readonly string[];
  /** Changes the base, so that the control has this change too. */
  prepare?(base: unknown): unknown;
  /** Whether the value must exist on the server. The server may refuse such a value only because it is unknown. */
  readonly known: boolean;
}

/** A kind of probe that may have no certain value. Searching for a value is expensive. */
export interface PossibleKind extends Pick<ProbeKind, "kind" | "class" | "rank"> {
  certain(): ProbeKind | undefined;
}

/**
 * @param body schema of the whole body (or of the plain value that is encrypted into it) that contains
 * `rule.pointer`
 * @returns the kinds of probes for this rule; a kind without a certain value is left out
 */
export const probesFor = (rule: Rule, body: JsonSchema, context: GenerateContext): ProbeKind[] =>
  possibleProbes(rule, body, context).flatMap((possible) => possible.certain() ?? []);

/** Returns the same kinds as `probesFor`, but searches for certain values only on demand. */
export const possibleProbes = (rule: Rule, body: JsonSchema, context: GenerateContext): PossibleKind[] => {
  if (/^m(in|ax)(Length|Items)$/.test(rule.keyword) && Number(rule.value) > LONGEST) return [];
  const place = placeOf(rule, body, context);
  const toKind =
    (probeClass: ProbeKind["class"]) =>
    (draft: Draft, rank: number): PossibleKind => {
      const { kind, known = false } = draft;
      const named = { kind, class: draft.open === true ? "observation" : probeClass, rank } as const;
      const certain = () => {
        const edit = certainEdits(draft);
        const { prepare } = draft;
        return edit && { ...named, edit, with: [place.pointer], known, ...(prepare && { prepare }) };
      };
      return { ...named, certain };
    };
  const near = nearMisses(place).map(toKind("near-miss"));
  let drawn: readonly unknown[] | undefined;
  const bodies = (): readonly unknown[] => {
    const generation = { ...context, with: [place.pointer] };
    drawn ??= fc.sample(validValues(body, generation), { numRuns: 4, seed: 1 });
    return drawn;
  };
  const isValid = (value: unknown): boolean => context.validator.validate(body, value).length === 0;
  return [
    ...boundaries(place).map(toKind("boundary")),
    ...near,
    ...near.flatMap((possible) => inSecondItem(possible, rule, bodies, isValid) ?? []),
    ...observations(place).map(toKind("observation")),
  ];
};

/**
 * Returns the same near-miss for the second item of a list, next to a valid first item; `undefined` if the rule is not
 * about the items of a list in a body.
 * @param bodies draws valid bodies, the same ones for all near-misses of the rule
 */
const inSecondItem = (
  possible: PossibleKind,
  rule: Rule,
  bodies: () => readonly unknown[],
  isValid: (body: unknown) => boolean,
): PossibleKind | undefined => {
  const list = listOf(rule);
  if (list === undefined || possible.class !== "near-miss") return undefined;
  const rank = possible.rank + LESS_PLAIN;
  const named = { kind: `${possible.kind}${IN_SECOND_ITEM}`, class: possible.class, rank } as const;
  const certain = () => {
    const kind = possible.certain();
    if (kind === undefined) return undefined;
    const items = bodies().flatMap((one) => firstItem(one, list) ?? []);
    const prepare = (base: unknown) => withSecond(base, list, items);
    // The list may allow only one item.
    if (!isValid(prepare(bodies()[0]))) return undefined;
    const edit = kind.edit.map((one) => ({ ...one, pointer: one.pointer.replace(`${list}/0`, `${list}/1`) }));
    return { ...kind, ...named, edit, prepare };
  };
  return { ...named, certain };
};

/** More than a rule has kinds of near-misses: an example in the first item is plainer. */
const LESS_PLAIN = 1_000;

/** The end of the names of near-misses in the second item of a list. */
const IN_SECOND_ITEM = ", in the second item";

/**
 * Returns the list in a body whose items the rule is about, as a pointer to the list of the first item of each
 * surrounding list.
 */
export const listOf = ({ parameter, pointer }: Rule): string | undefined => {
  const end = `${pointer}/`.lastIndexOf("/*/");
  return parameter !== undefined || end < 0 ? undefined : pointer.slice(0, end).replaceAll("*", "0");
};

export const isInSecondItem = ({ kind }: Pick<ProbeKind, "kind">): boolean => kind.endsWith(IN_SECOND_ITEM);

const firstItem = (body: unknown, list: string): unknown => {
  const items = atPointer(body, list);
  return Array.isArray(items) ? items[0] : undefined;
};

/** Returns the body with a second item in the list: a new one if possible, because a server may refuse an item twice. */
const withSecond = (base: unknown, list: string, others: readonly unknown[]): unknown => {
  const items = atPointer(base, list);
  if (!Array.isArray(items)) return base;
  const [first, , ...rest] = items;
  const known = new Set([first, ...rest].map((item) => JSON.stringify(item)));
  const second = others.find((other) => !known.has(JSON.stringify(other))) ?? first;
  return applyEdit(base, { pointer: list, value: [first, second, ...rest] });
};

/** Generates bases and their edits. The validator proves each of them. */
export const probePairs = (
  kind: ProbeKind,
  rule: Rule,
  body: JsonSchema,
  context: GenerateContext,
): fc.Arbitrary<ProbePair> => {
  let misses = 0;
  const isProved = ([made, pair]: readonly [made: unknown, pair: ProbePair]): boolean => {
    // Prefers a base that may lack the property for no other reason.
    if (rule.keyword === "required" && misses < FEW_MISSES && breaksMore(body, pair, context)) {
      misses += 1;
      return false;
    }
    try {
      // The generator has proved what it made, but a prepared base may repeat an item of a list, for example.
      if (kind.class !== "observation" && pair.base !== made) proveBase(rule, body, pair, context);
      if (kind.class === "near-miss") proveNearMiss(rule, body, pair, context);
      else if (kind.class === "boundary") proveBoundary(rule, body, pair, context);
      misses = 0;
      return true;
    } catch (error) {
      misses += 1;
      if (misses >= MOST_MISSES || !(error instanceof NoValue)) throw error;
      return false;
    }
  };
  return fc
    .tuple(validValues(body, { ...context, with: [...(context.with ?? []), ...kind.with] }), kind.edit)
    .map(([made, edit]): [unknown, ProbePair] => {
      const base = kind.prepare?.(made) ?? made;
      return [made, { base, edit, edited: applyEdit(base, edit) }];
    })
    .filter(isProved)
    .map(([, pair]) => pair);
};

/** The number of bases next to which a value proves nothing, for example because another field limits it further. */
const MOST_MISSES = 30;
const FEW_MISSES = 10;

const breaksMore = (body: JsonSchema, { edit, edited }: ProbePair, { validator }: GenerateContext): boolean =>
  "remove" in edit &&
  validator
    .validate(body, edited)
    .some(({ keyword, pointer }) => keyword !== "required" || pointer !== edit.pointer);
