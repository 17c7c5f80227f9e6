/** Proves with the validator that a probe has the intended effect, before the probe is sent. */
import type { JsonSchema, Rule } from "../contract/contract.ts";
import type { GenerateContext } from "./context.ts";
import { applyEdit, differences, type Edit } from "./edit.ts";

type Proof = (
  rule: Rule,
  body: JsonSchema,
  base: unknown,
  edit: Edit,
  context: Pick<GenerateContext, "validator">,
) => void;

/** @throws unless `base` is valid, and the edit changes one place and violates the rule there */
export const proveNearMiss: Proof = (rule, body, base, edit, context) => {
  proveBase(rule, body, base, edit, context);
  const errors = context.validator.validate(body, applyEdit(base, edit));
  const here = errors.filter(
    ({ pointer }) => isWithin(pointer, edit.pointer) || isWithin(edit.pointer, pointer),
  );
  if (here.length === 0) throw unproved(rule, edit, "the contract allows it");
  if (rule.keyword !== "required" && !here.some(({ keyword }) => keyword === rule.keyword)) {
    throw unproved(rule, edit, `it breaks ${here.map(({ keyword }) => keyword).join(", ")} instead`);
  }
};

/** @throws unless `base` is valid, and stays valid after the edit, which changes one place */
export const proveBoundary: Proof = (rule, body, base, edit, context) => {
  proveBase(rule, body, base, edit, context);
  const [error] = context.validator.validate(body, applyEdit(base, edit));
  if (error !== undefined)
    throw unproved(rule, edit, `the contract refuses it: ${error.keyword} at ${error.pointer}`);
};

const proveBase: Proof = (rule, body, base, edit, context) => {
  const [error] = context.validator.validate(body, base);
  if (error !== undefined)
    throw unproved(rule, edit, `its base is invalid: ${error.keyword} at ${error.pointer}`);
  const strays = differences(base, applyEdit(base, edit)).filter(
    (pointer) => !isWithin(pointer, edit.pointer),
  );
  if (strays.length > 0) throw unproved(rule, edit, `it also differs from its base at ${strays.join(", ")}`);
};

const isWithin = (pointer: string, outer: string): boolean =>
  pointer === outer || pointer.startsWith(`${outer}/`);

const unproved = (rule: Rule, edit: Edit, why: string): Error => {
  const value = "remove" in edit ? "left out" : (JSON.stringify(edit.value) ?? "nothing").slice(0, 200);
  return new Error(
    `A probe of ${rule.requirement} (${rule.keyword}) proves nothing: ${edit.pointer} = ${value}; ${why}.`,
  );
};
