/** Proves with the validator that a probe has the intended effect, before the probe is sent. */
import type { JsonSchema, Rule } from "../contract/contract.ts";
import type { GenerateContext } from "./context.ts";
import { differences, type Edit, isWithin, type ProbePair } from "./edit.ts";

type Proof = (
  rule: Rule,
  body: JsonSchema,
  pair: ProbePair,
  context: Pick<GenerateContext, "validator">,
) => void;

/** @throws unless the base is valid */
export const proveBase: Proof = (rule, body, { base, edit }, { validator }) => {
  const [error] = validator.validate(body, base);
  if (error !== undefined)
    throw unproved(rule, edit, `its base is invalid: ${error.keyword} at ${error.pointer}`);
};

/** @throws unless the edit changes one place of the base and violates the rule there */
export const proveNearMiss: Proof = (rule, body, pair, { validator }) => {
  proveOnePlace(rule, pair);
  const { edit, edited } = pair;
  const here = validator
    .validate(body, edited)
    .filter(({ pointer }) => isWithin(pointer, edit.pointer) || isWithin(edit.pointer, pointer));
  if (here.length === 0) throw unproved(rule, edit, "the contract allows it");
  if (rule.keyword !== "required" && !here.some(({ keyword }) => keyword === rule.keyword)) {
    throw unproved(rule, edit, `it breaks ${here.map(({ keyword }) => keyword).join(", ")} instead`);
  }
};

/** @throws unless the base stays valid after the edit, which changes one place */
export const proveBoundary: Proof = (rule, body, pair, { validator }) => {
  proveOnePlace(rule, pair);
  const [error] = validator.validate(body, pair.edited);
  if (error !== undefined)
    throw unproved(rule, pair.edit, `the contract refuses it: ${error.keyword} at ${error.pointer}`);
};

const proveOnePlace = (rule: Rule, { base, edit, edited }: ProbePair): void => {
  const strays = differences(base, edited).filter((pointer) => !isWithin(pointer, edit.pointer));
  if (strays.length > 0) throw unproved(rule, edit, `it also differs from its base at ${strays.join(", ")}`);
};

const unproved = (rule: Rule, edit: Edit, why: string): Error => {
  const value = "remove" in edit ? "left out" : (JSON.stringify(edit.value) ?? "nothing").slice(0, 200);
  return new Error(
    `A probe of ${rule.requirement} (${rule.keyword}) proves nothing: ${edit.pointer} = ${value}; ${why}.`,
  );
};
