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
export const checkRules = (rules: readonly Rule[], body: unknown, validator: Validator): RuleResult[] => {
  const results: RuleResult[] = [];
  for (const rule of rules) {
    const result = checkRule(rule, body, validator);
    if (result !== undefined) results.push({ rule, result });
  }
  return results;
};

const checkRule = (rule: Rule, body: unknown, validator: Validator): CheckResult | undefined => {
  const { keyword } = rule;
  if (keyword === "optional" || keyword === "enum-value") return undefined;
  if (keyword === "required") return checkRequired(rule, body);
  let result: CheckResult | undefined;
  for (const instance of instancesAt(body, rule.pointer)) {
    const { value } = instance;
    if (!appliesTo(keyword, value)) continue;
    const [error] = validator.validate(keywordSchema(rule), value);
    result = HOLDS;
    if (error === undefined) continue;
    return violation({
      pointer: instance.pointer,
      message: `${instance.pointer.slice(1) || "the body"} ${error.message}`,
      expected: `${keyword} ${JSON.stringify(rule.value)}`,
      actual: shorten(value),
    });
  }
  return result;
};

/** Checks that each instance of the parent object has the property. */
const checkRequired = (rule: Rule, body: unknown): CheckResult | undefined => {
  const { parent, property } = placeOf(rule);
  let result: CheckResult | undefined;
  for (const instance of instancesAt(body, parent)) {
    const { value } = instance;
    if (!isObject(value)) continue;
    result = HOLDS;
    if (value[property] !== undefined) continue;
    return violation({
      pointer: `${instance.pointer}/${property}`,
      message: `${instance.pointer.slice(1) || "the body"} lacks ${property}`,
      expected: `${property} is there`,
      actual: `only ${Object.keys(value).join(", ") || "nothing"}`,
    });
  }
  return result;
};

const placeOf = oncePer(({ pointer }: Rule) => {
  const cut = pointer.lastIndexOf("/");
  return { parent: pointer.slice(0, cut), property: unescaped(pointer.slice(cut + 1)) };
});

const unescaped = (segment: string): string =>
  segment.includes("~") ? segment.replaceAll("~1", "/").replaceAll("~0", "~") : segment;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
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
  let found: readonly Instance[] = [new Place(body)];
  for (const step of stepsOf(template)) {
    const next: Instance[] = [];
    for (const instance of found) addBelow(instance, step, next);
    if (next.length === 0) return next;
    found = next;
  }
  return found;
};

/** One step of a pointer template. */
interface Step {
  readonly segment: string;
  /** The name of the field, without escapes. */
  readonly name: string;
  readonly isIndex: boolean;
}

const stepsOf = (template: string): readonly Step[] => {
  const known = read.get(template);
  if (known !== undefined) return known;
  const steps = template
    .split("/")
    .slice(1)
    .map((segment) => ({ segment, name: unescaped(segment), isIndex: INDEX.test(segment) }));
  if (read.size < MOST_READ) read.set(template, steps);
  return steps;
};

/** The templates so far, because every response is read with the same ones. Servers may cause others without end. */
const read = new Map<string, readonly Step[]>();
const MOST_READ = 10_000;
const INDEX = /^\d+$/;

/** Adds the instances that one step finds below an instance. */
const addBelow = (parent: Instance, { segment, name, isIndex }: Step, found: Instance[]): void => {
  const { value } = parent;
  if (segment === "*") {
    if (!Array.isArray(value)) return;
    for (let index = 0; index < value.length; index += 1) found.push(new Place(value[index], parent, index));
    return;
  }
  const isFound = Array.isArray(value) ? isIndex : isObject(value);
  const child = isFound ? (value as Record<string, unknown>)[name] : undefined;
  if (child !== undefined) found.push(new Place(child, parent, segment));
};

/** Makes its pointer when it is read, because few of the items of a long list are ever shown. */
class Place implements Instance {
  readonly value: unknown;
  readonly #parent: Instance | undefined;
  readonly #segment: string | number;

  constructor(value: unknown, parent?: Instance, segment: string | number = "") {
    this.value = value;
    this.#parent = parent;
    this.#segment = segment;
  }

  get pointer(): string {
    return this.#parent === undefined ? "" : `${this.#parent.pointer}/${this.#segment}`;
  }
}

export const shorten = (value: unknown): string => {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 120 ? `${text.slice(0, 120)}… (${text.length} characters)` : text;
};
