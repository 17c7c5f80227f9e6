/** Proves with the validator that a probe has the intended effect, before the probe is sent. */
import type { JsonSchema, Rule } from "../contract/contract.ts";
import { WHOLE_BODY } from "../contract/rules.ts";
import type { GenerateContext } from "./context.ts";
import { differences, type Edit, isWithin, type ProbePair } from "./edit.ts";
import { NoValue } from "./later.ts";

type Proof = (
  rule: Rule,
  body: JsonSchema,
  pair: ProbePair,
  context: Pick<GenerateContext, "validator">,
) => void;

/** @throws unless the base is valid (NoValue: another base may be) */
export const proveBase: Proof = (rule, body, { base, edit }, { validator }) => {
  const [error] = validator.validate(body, base);
  if (error !== undefined)
    throw new NoValue(unprovedWords(rule, edit, `its base is invalid: ${error.keyword} at ${error.pointer}`));
};

/** @throws unless the edit changes one place of the base and violates the rule there (NoValue: another base may do) */
export const proveNearMiss: Proof = (rule, body, pair, { validator }) => {
  proveOnePlace(rule, pair);
  const { edit, edited } = pair;
  const here = validator
    .validate(body, edited)
    .filter(({ pointer }) => isWithin(pointer, edit.pointer) || isWithin(edit.pointer, pointer));
  if (here.length === 0) throw new NoValue(unprovedWords(rule, edit, "the contract allows it"));
  if (!ANY_KEYWORD.includes(rule.keyword) && !here.some(({ keyword }) => keyword === rule.keyword)) {
    const instead = here.map(({ keyword }) => keyword).join(", ");
    throw new NoValue(unprovedWords(rule, edit, `it breaks ${instead} instead`));
  }
};

/** @throws unless the base stays valid after the edit, which changes one place (NoValue: another base may do) */
export const proveBoundary: Proof = (rule, body, pair, { validator }) => {
  proveOnePlace(rule, pair);
  const [error] = validator.validate(body, pair.edited);
  if (error !== undefined)
    throw new NoValue(
      unprovedWords(rule, pair.edit, `the contract refuses it: ${error.keyword} at ${error.pointer}`),
    );
};

/** Rules that a violation of any keyword breaks. */
const ANY_KEYWORD: readonly string[] = ["required", WHOLE_BODY];

const proveOnePlace = (rule: Rule, { base, edit, edited }: ProbePair): void => {
  const strays = differences(base, edited).filter((pointer) => !isWithin(pointer, edit.pointer));
  if (strays.length > 0) throw unproved(rule, edit, `it also differs from its base at ${strays.join(", ")}`);
};

const unproved = (rule: Rule, edit: Edit, why: string): Error => new Error(unprovedWords(rule, edit, why));

const unprovedWords = (rule: Rule, edit: Edit, why: string): string => {
  const value = "remove" in edit ? "left out" : (JSON.stringify(edit.value) ?? "nothing").slice(0, 200);
  return `A probe of ${rule.requirement} (${rule.keyword}) proves nothing: ${edit.pointer} = ${value}; ${why}.`;
};
