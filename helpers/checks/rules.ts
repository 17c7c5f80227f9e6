/** Checks a body against rules, each at its place. */
import type { Rule } from "../contract/contract.ts";
import { oncePer } from "../contract/once.ts";
import type { Validator } from "../contract/schema-validator.ts";
import { type CheckResult, HOLDS, violation } from "./check.ts";

export interface RuleResult {
  readonly rule: Rule;
  readonly result: CheckResult;
}

/**
 * Returns a result for each rule that applies to a value in the body.
 * @param rules rules of one operation, direction and status
 */
export const checkRules = (rules: readonly Rule[], body: unknown, validator: Validator): RuleResult[] =>
  rules.flatMap((rule) => {
    const result = checkRule(rule, body, validator);
    return result === undefined ? [] : [{ rule, result }];
  });

const checkRule = (rule: Rule, body: unknown, validator: Validator): CheckResult | undefined => {
  if (rule.keyword === "optional" || rule.keyword === "enum-value") return undefined;
  if (rule.keyword === "required") return checkRequired(rule, body);
  const instances = instancesAt(body, rule.pointer).filter(({ value }) => appliesTo(rule.keyword, value));
  if (instances.length === 0) return undefined;
  for (const { pointer, value } of instances) {
    const [error] = validator.validate(keywordSchema(rule), value);
    if (error === undefined) continue;
    return violation({
      pointer,
      message: `${pointer.slice(1) || "the body"} ${error.message}`,
      expected: `${rule.keyword} ${JSON.stringify(rule.value)}`,
      actual: shorten(value),
    });
  }
  return HOLDS;
};

/** Checks that each instance of the parent object has the property. */
const checkRequired = (rule: Rule, body: unknown): CheckResult | undefined => {
  const cut = rule.pointer.lastIndexOf("/");
  const property = unescaped(rule.pointer.slice(cut + 1));
  const parents = instancesAt(body, rule.pointer.slice(0, cut)).filter(({ value }) => isObject(value));
  if (parents.length === 0) return undefined;
  const lacking = parents.find(({ value }) => (value as Record<string, unknown>)[property] === undefined);
  if (lacking === undefined) return HOLDS;
  return violation({
    pointer: `${lacking.pointer}/${property}`,
    message: `${lacking.pointer.slice(1) || "the body"} lacks ${property}`,
    expected: `${property} is there`,
    actual: `only ${Object.keys(lacking.value as object).join(", ") || "nothing"}`,
  });
};

const unescaped = (segment: string): string =>
  segment.includes("~") ? segment.replaceAll("~1", "/").replaceAll("~0", "~") : segment;

const isObject = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const STRING_KEYWORDS = new Set(["pattern", "minLength", "maxLength"]);

/** Whether a keyword applies to the type of a value. Formats apply to strings and numbers. */
const appliesTo = (keyword: string, value: unknown): boolean =>
  typeof value === "string" ||
  !(STRING_KEYWORDS.has(keyword) || (keyword === "format" && typeof value !== "number"));

/** Returns the same schema object each time, so that the validator reuses its compiled form. */
const keywordSchema = oncePer(({ keyword, value }: Rule) => ({ [keyword]: value }));

interface Instance {
  readonly pointer: string;
  readonly value: unknown;
}

/** Returns all instances at a pointer template, in which `*` matches every item of an array. */
export const instancesAt = (body: unknown, template: string): readonly Instance[] => {
  let found: readonly Instance[] = [{ pointer: "", value: body }];
  for (const segment of template.split("/").slice(1)) {
    const below = segment === "*" ? itemsOf : childOf(segment);
    const next: Instance[] = [];
    for (const instance of found) below(instance, next);
    found = next;
  }
  return found;
};

/** Adds the instances below an instance. */
type Below = (instance: Instance, found: Instance[]) => void;

const itemsOf: Below = (parent, found) => {
  if (!Array.isArray(parent.value)) return;
  for (const [index, item] of parent.value.entries()) found.push(new Child(parent, index, item));
};

const childOf = (segment: string): Below => {
  const name = unescaped(segment);
  return (parent, found) => {
    const { value } = parent;
    const isFound = Array.isArray(value) ? INDEX.test(segment) : isObject(value);
    const child = isFound ? (value as Record<string, unknown>)[name] : undefined;
    if (child !== undefined) found.push(new Child(parent, segment, child));
  };
};

const INDEX = /^\d+$/;

/** Makes its pointer when it is read, because few of the items of a long list are ever shown. */
class Child implements Instance {
  readonly value: unknown;
  readonly #parent: Instance;
  readonly #segment: string | number;

  constructor(parent: Instance, segment: string | number, value: unknown) {
    this.value = value;
    this.#parent = parent;
    this.#segment = segment;
  }

  get pointer(): string {
    return `${this.#parent.pointer}/${this.#segment}`;
  }
}

export const shorten = (value: unknown): string => {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 120 ? `${text.slice(0, 120)}… (${text.length} characters)` : text;
};
