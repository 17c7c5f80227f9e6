/**
 * Probes of a rule: inputs just inside it, just outside it, and inputs whose answer the documents leave
 * open.
 */
import fc from "fast-check";
import type { JsonSchema, Rule } from "../contract/contract.ts";
import { boundaries } from "./boundaries.ts";
import type { GenerateContext } from "./context.ts";
import { applyEdit, type Edit } from "./edit.ts";
import { nearMisses } from "./near-misses.ts";
import { observations } from "./observations.ts";
import { proveBoundary, proveNearMiss } from "./proof.ts";
import { certainEdits, type Draft, placeOf } from "./schema-location.ts";
import { validValues } from "./valid.ts";

export interface ProbeKind {
  /** What is tried, in words: `one character too long`. Unique among the kinds of a rule. */
  readonly kind: string;
  /** A boundary must be accepted, a near-miss refused; an observation is judged by nobody. */
  readonly class: "boundary" | "near-miss" | "observation";
  /** What makes the probe of its base. */
  readonly edit: fc.Arbitrary<Edit>;
  /** Places that the base must have, as `with` of the context that it is generated in. */
  readonly with: readonly string[];
  /**
   * The value names something that a server must know: its refusal may only mean that it does not know it.
   */
  readonly known: boolean;
}

export interface ProbePair {
  /** The control: a valid body. */
  readonly base: unknown;
  readonly edit: Edit;
  /** The base after the edit. */
  readonly edited: unknown;
}

/** A kind that may have no certain value: to look for one takes longer than all the rest. */
export interface PossibleKind extends Pick<ProbeKind, "kind" | "class"> {
  certain(): ProbeKind | undefined;
}

/**
 * @param body schema of the whole body (or of the plain value that is encrypted into it) in which
 * `rule.pointer` lies
 * @returns the kinds that this rule allows; a kind for which no certain value exists is left out
 */
export const probesFor = (rule: Rule, body: JsonSchema, context: GenerateContext): ProbeKind[] =>
  possibleProbes(rule, body, context).flatMap((possible) => possible.certain() ?? []);

/** As `probesFor`, for who needs few of them. */
export const possibleProbes = (rule: Rule, body: JsonSchema, context: GenerateContext): PossibleKind[] => {
  const place = placeOf(rule, body, context);
  const toKind =
    (probeClass: ProbeKind["class"]) =>
    (draft: Draft): PossibleKind => {
      const { kind, known = false } = draft;
      const named = { kind, class: draft.open === true ? "observation" : probeClass } as const;
      const certain = () => {
        const edit = certainEdits(draft);
        return edit && { ...named, edit, with: [place.pointer], known };
      };
      return { ...named, certain };
    };
  return [
    ...boundaries(place).map(toKind("boundary")),
    ...nearMisses(place).map(toKind("near-miss")),
    ...observations(place).map(toKind("observation")),
  ];
};

/** Bodies and what a probe makes of them, each proved by the validator. */
export const probePairs = (
  kind: ProbeKind,
  rule: Rule,
  body: JsonSchema,
  context: GenerateContext,
): fc.Arbitrary<ProbePair> =>
  fc
    .tuple(validValues(body, { ...context, with: [...(context.with ?? []), ...kind.with] }), kind.edit)
    .map(([base, edit]) => {
      if (kind.class === "near-miss") proveNearMiss(rule, body, base, edit, context);
      if (kind.class === "boundary") proveBoundary(rule, body, base, edit, context);
      return { base, edit, edited: applyEdit(base, edit) };
    });
