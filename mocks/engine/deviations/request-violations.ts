/** Violations of a rule of requests: the rule is not enforced, its limit moves, or values are accepted by mistake. */
import type { Contract, JsonSchema, Rule } from "../../../helpers/contract/contract.ts";
import { escapeSegment } from "../../../helpers/contract/pointer.ts";
import { parametersOf } from "../parameters.ts";
import type { SchemaEdit } from "../values/schema-edit.ts";
import type { Effect } from "./deviation.ts";
import { changesNothing } from "./equivalent.ts";
import { mistakesOf } from "./rule-mistakes.ts";

/** A part of a deviation: it violates one rule. */
export interface RuleViolation {
  readonly name: string;
  readonly effect: Effect;
}

export const requestViolations = (rule: Rule, contract: Contract): RuleViolation[] => {
  const { keyword, operationId, schema } = rule;
  if (namesResource(rule, contract)) {
    // An exact length has two rules with one requirement, and a path has no place for an empty value.
    if (keyword === "minLength" && (schema.minLength === schema.maxLength || schema.minLength === 1))
      return [];
    const when = { operationId, cause: ["invalid-parameter"] };
    return [{ name: "crashes", effect: { kind: "status", when, to: 500 } }];
  }
  const of = violatedPart(rule, contract);
  const pointer = rule.parameter === undefined ? rule.pointer : `/${parameterKey(rule)}${rule.pointer}`;
  const violation = (name: string, edit: SchemaEdit): RuleViolation => ({
    name,
    effect: { kind: "request", of, pointer, edit },
  });
  return [
    ...ownViolations(rule, violation),
    ...mistakesOf(rule).map(({ name, edit }) => violation(name, edit)),
  ].filter((one) => isEffective(rule, contract, one));
};

const isEffective = (
  { schema, keyword }: Rule,
  { provider }: Contract,
  { name, effect }: RuleViolation,
): boolean => {
  // A server may know no generated value of a resource, which only the provider's document limits.
  const isForm = name === "boundary-refused" || keyword === "format";
  if (provider !== null && isForm && schema["x-resource"] !== undefined) return false;
  return effect.kind !== "request" || !changesNothing(schema, effect.edit);
};

/** Returns the violations that drop the rule or move its limit. */
const ownViolations = (
  rule: Rule,
  violation: (name: string, edit: SchemaEdit) => RuleViolation,
): RuleViolation[] => {
  const { keyword } = rule;
  if (keyword === "required") return [violation("not-enforced", { waive: true })];
  if (keyword === "optional") return [violation("demanded", { demand: true })];
  if (keyword === "type") return [violation("not-enforced", { admit: { not: { type: rule.value } } })];
  // A wrong default changes only the behaviour, so the service defines the fault in its handler.
  if (keyword === "default") return [];
  if (keyword === "enum-value") {
    const others = (rule.schema.enum as unknown[]).filter((value) => value !== rule.value);
    return [violation("refused", { set: "enum", to: others })];
  }
  const step = LIMIT_STEPS[keyword];
  if (step === undefined) return [violation("not-enforced", { drop: keyword })];
  const limit = rule.value as number;
  const refused = violation("boundary-refused", { set: keyword, to: limit - step });
  // If a value exceeds such a limit, a service may refuse the call or apply the limit.
  if (rule.schema["x-beyond"] !== undefined) return [refused];
  // An empty item of a list in a query does not count as an item.
  if (keyword === "minLength" && limit === 1 && rule.parameter !== undefined && rule.pointer !== "")
    return [refused];
  const exact =
    isTuple(rule.schema) ||
    BOUNDS.some(
      ([least, most]) => rule.schema[least] !== undefined && rule.schema[least] === rule.schema[most],
    );
  if (exact) {
    return [violation(step > 0 ? "longer-accepted" : "shorter-accepted", { set: keyword, to: limit + step })];
  }
  return [
    violation("not-enforced", { drop: keyword }),
    violation("off-by-one", { set: keyword, to: limit + step }),
    refused,
  ];
};

/** Whether a list has a fixed number of items. */
const isTuple = ({ items, prefixItems, minItems }: JsonSchema): boolean =>
  items === false && Array.isArray(prefixItems) && prefixItems.length === minItems;

const BOUNDS = [
  ["minLength", "maxLength"],
  ["minItems", "maxItems"],
  ["minimum", "maximum"],
] as const;

/** The step that makes a limit laxer. */
const LIMIT_STEPS: Readonly<Record<string, 1 | -1>> = {
  maxLength: 1,
  maximum: 1,
  maxItems: 1,
  minLength: -1,
  minimum: -1,
  minItems: -1,
};

/** Whether the rule is about an identifier in the path. It is refused as unknown even if nobody checks its form. */
export const namesResource = ({ operationId, place, parameter }: Rule, { operations }: Contract): boolean =>
  place === "path" &&
  operations
    .find((operation) => operation.operationId === operationId)
    ?.parameters.find(({ name }) => name === parameter)?.resource !== undefined;

/** Returns the name under which effects refer to the part of a request to which the rule applies. */
export const violatedPart = (rule: Rule, contract: Contract): string => {
  if (rule.place !== undefined) return parametersOf(rule.operationId, rule.place);
  return rule.within === undefined ? rule.operationId : encryptedSchema(rule, contract);
};

const parameterKey = ({ place, parameter = "" }: Rule): string =>
  escapeSegment(place === "header" ? parameter.toLowerCase() : parameter);

const encryptedSchema = (rule: Rule, contract: Contract): string => {
  const root = contract.rules.find(
    (other) => other.operationId === rule.operationId && other.within === rule.within && other.pointer === "",
  );
  return root?.schemaName ?? rule.schemaName ?? "";
};
