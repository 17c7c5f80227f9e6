/** Checks a body against rules, each at its place. */
import type { Rule } from "../contract/contract.ts";
import { memoize } from "../contract/memoize.ts";
import { unescapeSegment } from "../contract/pointer.ts";
import { mayBeMeant } from "../contract/schemas/formats.ts";
import type { Validator } from "../contract/schemas/schema-validator.ts";
import { type CheckResult, HOLDS, shownValue, violation } from "../exchange/check-result.ts";

export interface RuleResult {
  readonly rule: Rule;
  readonly result: CheckResult;
}

/**
 * Returns a result for each rule that applies to a value in the body.
 * @param rules rules of one operation, direction and status
 * @param isLeftOut whether the value at a pointer is not judged; asked for violations only
 */
export const checkRules = (
  rules: readonly Rule[],
  body: unknown,
  validator: Validator,
  isLeftOut: (pointer: string) => boolean = () => false,
): RuleResult[] => {
  const results: RuleResult[] = [];
  const places = createPlaces(body);
  // Rules follow each other as in the document: those below a value that the body lacks are left out together.
  let lacking: string | undefined;
  for (const rule of rules) {
    const template = rule.keyword === "required" ? placeOf(rule).parent : rule.pointer;
    if (lacking !== undefined && isWithin(template, lacking)) continue;
    const result = checkRule(rule, places, validator, isLeftOut);
    lacking = places.lacking();
    if (result !== undefined) results.push({ rule, result: unlessContradicted(rule, result) });
  }
  return results;
};

/** A document that contradicts its rule does not prove that its violation is wrong. */
export const unlessContradicted = ({ contradicted }: Rule, result: CheckResult): CheckResult =>
  contradicted === undefined || result.holds
    ? result
    : {
        ...result,
        message: `${result.message}, but the document contradicts itself: ${contradicted}`,
        suspected: true,
      };

const checkRule = (
  rule: Rule,
  places: Places,
  validator: Validator,
  isLeftOut: (pointer: string) => boolean,
): CheckResult | undefined => {
  const { keyword } = rule;
  if (keyword === "optional" || keyword === "enum-value" || rule.untried !== undefined) return undefined;
  if (keyword === "required") return checkRequired(rule, places, isLeftOut);
  let result: CheckResult | undefined;
  for (const instance of places.at(rule.pointer)) {
    const { value } = instance;
    if (!appliesTo(keyword, value)) continue;
    const [error] = validator.validate(keywordSchema(rule), value);
    if (error !== undefined && isLeftOut(instance.pointer)) continue;
    result = HOLDS;
    if (error === undefined) continue;
    return {
      holds: false,
      pointer: instance.pointer,
      message: `${instance.pointer.slice(1) || "the body"} ${error.message}`,
      expected: `${keyword} ${JSON.stringify(rule.value)}`,
      ...(keyword === "format" && mayBeMeant(rule.value, value) && { suspected: true }),
      // A value may be large, and not everybody who gets the result reads it.
      get actual() {
        return shownValue(value);
      },
    };
  }
  return result;
};

/** Checks that each instance of the parent object has the property. */
const checkRequired = (
  rule: Rule,
  places: Places,
  isLeftOut: (pointer: string) => boolean,
): CheckResult | undefined => {
  const { parent, property } = placeOf(rule);
  let result: CheckResult | undefined;
  for (const instance of places.at(parent)) {
    const { value } = instance;
    if (!isObject(value)) continue;
    const isThere = Object.hasOwn(value, property) && value[property] !== undefined;
    if (!isThere && isLeftOut(instance.pointer)) continue;
    result = HOLDS;
    if (isThere) continue;
    return violation({
      pointer: `${instance.pointer}/${property}`,
      message: `${instance.pointer.slice(1) || "the body"} lacks ${property}`,
      expected: `${property} is there`,
      actual: `only ${Object.keys(value).join(", ") || "nothing"}`,
    });
  }
  return result;
};

const placeOf = memoize(({ pointer }: Rule) => {
  const cut = pointer.lastIndexOf("/");
  return { parent: pointer.slice(0, cut), property: unescapeSegment(pointer.slice(cut + 1)) };
});

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const STRING_KEYWORDS = new Set(["pattern", "minLength", "maxLength"]);

/** Whether a keyword applies to the type of a value. Formats apply to strings and numbers. */
const appliesTo = (keyword: string, value: unknown): boolean =>
  typeof value === "string" ||
  !(STRING_KEYWORDS.has(keyword) || (keyword === "format" && typeof value !== "number"));

/** Returns the same schema object each time, so that the validator reuses its compiled form. */
const keywordSchema = memoize(({ keyword, value }: Rule) => ({ [keyword]: value }));

interface Instance {
  readonly pointer: string;
  readonly value: unknown;
}

/** The places of one body. */
interface Places {
  /** Returns all instances at a pointer template, in which `*` matches every item of an array. */
  at(template: string): readonly Instance[];
  /** Returns the outermost template around the last one that has no instances; `undefined` if all have some. */
  lacking(): string | undefined;
}

/**
 * Rules in a row are about the same places and the places around them, so these are kept. No others are, because a long
 * list has millions.
 */
const createPlaces = (body: unknown): Places => {
  const root: readonly Instance[] = [new Place(body)];
  /** The last template and the templates around it, from the outermost. */
  const kept: { readonly template: string; readonly found: readonly Instance[] }[] = [];
  const at = (template: string): readonly Instance[] => {
    let last = kept.at(-1);
    while (last !== undefined && !isWithin(template, last.template)) {
      kept.pop();
      last = kept.at(-1);
    }
    if (last?.template === template) return last.found;
    const step = lastStepOf(template);
    const found = step === undefined ? root : instancesBelow(at(step.outer), step);
    kept.push({ template, found });
    return found;
  };
  return { at, lacking: () => kept.find(({ found }) => found.length === 0)?.template };
};

const isWithin = (template: string, outer: string): boolean =>
  template.startsWith(outer) && (template.length === outer.length || template[outer.length] === "/");

/** Returns all instances at a pointer template, in which `*` matches every item of an array. */
export const instancesAt = (body: unknown, template: string): readonly Instance[] =>
  createPlaces(body).at(template);

/** The last step of a pointer template. */
interface Step {
  /** The template of the value around it. */
  readonly outer: string;
  readonly segment: string;
  /** The name of the field, without escapes. */
  readonly name: string;
  readonly isIndex: boolean;
}

/** Returns `undefined` for the template of the body itself. */
const lastStepOf = (template: string): Step | undefined => {
  const known = read.get(template);
  if (known !== undefined) return known;
  const cut = template.lastIndexOf("/");
  if (cut < 0) return undefined;
  const segment = template.slice(cut + 1);
  const step = {
    outer: template.slice(0, cut),
    segment,
    name: unescapeSegment(segment),
    isIndex: INDEX.test(segment),
  };
  if (read.size < MOST_READ) read.set(template, step);
  return step;
};

/** The templates so far, because every response is read with the same ones. Servers may cause others without end. */
const read = new Map<string, Step>();
const MOST_READ = 10_000;
const INDEX = /^\d+$/;

/** Returns the instances that a step finds below others. */
const instancesBelow = (parents: readonly Instance[], step: Step): readonly Instance[] => {
  const found: Instance[] = [];
  for (const parent of parents) addBelow(parent, step, found);
  return found;
};

const addBelow = (parent: Instance, { segment, name, isIndex }: Step, found: Instance[]): void => {
  const { value } = parent;
  if (segment === "*") {
    if (!Array.isArray(value)) return;
    for (let index = 0; index < value.length; index += 1) found.push(new Place(value[index], parent, index));
    return;
  }
  const isFound = Array.isArray(value) ? isIndex : isObject(value) && Object.hasOwn(value, name);
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
