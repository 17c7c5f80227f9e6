/**
 * Probes of a rule: inputs just inside it, just outside it, and inputs whose answer the documents leave
 * open.
 */
import fc from "fast-check";
import type { JsonSchema, Rule } from "../contract/contract.ts";
import { boundaries } from "./boundaries.ts";
import { applyEdit, type Edit } from "./edit.ts";
import { nearMisses } from "./near-misses.ts";
import { observations } from "./observations.ts";
import { type Draft, placeOf } from "./place.ts";
import { proveBoundary, proveNearMiss } from "./proof.ts";
import { type GenerateContext, validValues } from "./valid.ts";

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
  /** The twin: a valid body. */
  readonly base: unknown;
  readonly edit: Edit;
  /** The base after the edit. */
  readonly edited: unknown;
}

/**
 * @param body schema of the whole body (or of the plain value that is encrypted into it) in which
 * `rule.pointer` lies
 * @returns the kinds that this rule allows; a kind for which no certain value exists is left out
 */
export const probesFor = (rule: Rule, body: JsonSchema, context: GenerateContext): ProbeKind[] => {
  const place = placeOf(rule, body, context);
  const toKind =
    (probeClass: ProbeKind["class"]) =>
    ({ kind, edit, known, open }: Draft): ProbeKind => ({
      kind,
      class: open === true ? "observation" : probeClass,
      edit,
      with: [place.pointer],
      known: known ?? false,
    });
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
