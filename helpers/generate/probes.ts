/**
 * Probes of a rule: inputs just inside and just outside the rule, and inputs for which the documents do not define the
 * answer.
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
  /** The label of the input: `one character too long`. Unique among the kinds of a rule. */
  readonly kind: string;
  /** A boundary must be accepted, a near-miss refused; an observation is not judged. */
  readonly class: "boundary" | "near-miss" | "observation";
  /** The edit that turns the base into the probe. */
  readonly edit: fc.Arbitrary<Edit>;
  /** Places that the base must have, for `with` of its context. */
  readonly with: readonly string[];
  /** Whether the value must exist on the server. The server may refuse such a value only because it is unknown. */
  readonly known: boolean;
}

export interface ProbePair {
  /** The control: a valid body. */
  readonly base: unknown;
  readonly edit: Edit;
  /** The base after the edit. */
  readonly edited: unknown;
}

/** A kind of probe that may have no certain value. Searching for a value is expensive. */
export interface PossibleKind extends Pick<ProbeKind, "kind" | "class"> {
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

/** Generates bases and their edits. The validator proves each of them. */
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
