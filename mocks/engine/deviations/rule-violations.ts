/** Derives faults from the rules of a contract: each fault violates one rule. */

import type { Contract, JsonSchema, Rule } from "../../../helpers/contract/contract.ts";
import { isFreeId } from "../../../helpers/contract/free-ids.ts";
import { grouped } from "../../../helpers/contract/once.ts";
import { escapeSegment, segmentsOf } from "../../../helpers/contract/pointer.ts";
import { parametersNamed, parametersOf } from "../parameters.ts";
import type { Edit } from "../values/pointer.ts";
import type { SchemaEdit } from "../values/schema-edit.ts";
import type { Effect, Fault } from "./deviation.ts";
import { changesNothing } from "./equivalent.ts";
import { mistakesOf } from "./rule-mistakes.ts";
import { outsideFormat, outsidePattern, wrongType } from "./wrong-values.ts";

/**
 * Derives faults from all rules except the rules of a single alternative, because an answer matches only one
 * alternative.
 */
export const violationsOfRules = (contract: Contract): Fault[] => {
  const obliging = new Set(
    contract.requirements
      .filter(({ subject, observable }) => subject === "service" && observable !== "not-observable")
      .map(({ id }) => id),
  );
  const rules = contract.rules.filter(
    (rule) =>
      obliging.has(rule.requirement) &&
      rule.alternative === undefined &&
      isJudged(rule, contract) &&
      (!isImplied(rule) || namesResource(rule, contract)),
  );
  const rows = rules.flatMap((rule) =>
    violationsOf(rule, contract).map((violation) => ({ rule, ...violation })),
  );
  const single = rows.filter(({ rule }) => !isShape(rule));
  const alike = grouped(single, ({ rule, name }) => `${rule.requirement} ${name}`);
  const places = grouped(single, ({ rule }) => rule.requirement);
  const { service } = contract;
  return [
    ...single.map(({ rule, name, effect }): Fault => {
      const alone = alike.get(`${rule.requirement} ${name}`)?.length === 1;
      const several = places.get(rule.requirement)?.some((row) => row.rule.operationId !== rule.operationId);
      const id = `${rule.requirement}.${alone ? name : `${placeOf(rule, several === true)}-${name}`}`;
      return { id, violates: rule.requirement, service, effects: [effect] };
    }),
    ...faultsOfShapes(
      rows.filter(({ rule }) => isShape(rule)),
      contract,
    ),
    ...faultsOfLists(rules, contract),
  ];
};

/** Returns a fault for each list in a body: only its first item is checked. */
const faultsOfLists = (rules: readonly Rule[], contract: Contract): Fault[] => {
  const inLists = rules.filter(
    ({ direction, parameter, pointer, keyword, schema, value }) =>
      direction === "request" &&
      parameter === undefined &&
      // The value of an identifier is refused anyway, because it is unknown.
      schema["x-resource"] === undefined &&
      `${pointer}/`.includes("/*/") &&
      !NEVER_REFUSING.includes(keyword) &&
      !(keyword === "minLength" && value === 0),
  );
  const lists = grouped(inLists, ({ requirement, operationId, pointer }) =>
    [requirement, operationId, `${pointer}/`.slice(0, `${pointer}/`.lastIndexOf("/*/"))].join(" "),
  );
  return [...lists].map(([key, [rule]]): Fault => {
    const [requirement = "", operationId = "", pointer = ""] = key.split(" ");
    const place = segmentsOf(pointer).map((token) => (token === "*" ? "items" : token));
    return {
      id: `${requirement}.${[operationId, ...place].join("-")}-of-first-items-only`,
      violates: requirement,
      service: contract.service,
      effects: [
        { kind: "request", of: violatedPart(rule as Rule, contract), pointer, edit: { firstOnly: true } },
      ],
    };
  });
};

/** Whether another rule of a request implies the length: an enumeration, a resource, or a format without empty values. */
const isImplied = ({ direction, keyword, schema }: Rule): boolean =>
  direction === "request" &&
  /^m(in|ax)Length$/.test(keyword) &&
  schema.minLength !== schema.maxLength &&
  (schema.enum !== undefined ||
    schema["x-resource"] !== undefined ||
    (keyword === "minLength" && schema.format !== undefined));

/** Whether all rules of a body share one requirement: `….request.shape`. */
const isShape = ({ requirement }: Rule): boolean => requirement.endsWith(".shape");

interface Row extends RuleViolation {
  readonly rule: Rule;
}

/** Groups shape violations by keyword. Each fault applies at all places, since most of them are optional. */
const faultsOfShapes = (rows: readonly Row[], contract: Contract): Fault[] => {
  const groups = grouped(rows, ({ name, rule: { requirement, keyword, direction } }) => {
    return `${requirement}.${direction === "request" ? `${keyword}-` : ""}${name}`;
  });
  return [...groups].map(([id, group]) => ({
    id,
    violates: group[0]?.rule.requirement ?? "",
    service: contract.service,
    effects: inner(group).flatMap((row) => [row.effect, ...namesakesOf(row, contract)]),
  }));
};

/** Returns the effect at parameters with the name of a field of the body: a server may read the value in either place. */
const namesakesOf = ({ rule, effect }: Row, { operations }: Contract): Effect[] => {
  const operation = operations.find(({ operationId }) => operationId === rule.operationId);
  if (effect.kind !== "request" || rule.place !== undefined || operation === undefined) return [];
  return parametersNamed(operation, rule.pointer.slice(1)).map((of) => ({ ...effect, of }));
};

/**
 * Drops a fault with a wrong type of the whole response body if there are other faults, because the wrong type would
 * hide them.
 */
const inner = (group: readonly Row[]): readonly Row[] => {
  const inside = group.filter(({ rule }) => rule.direction === "request" || rule.pointer !== "");
  return inside.length === 0 ? group : inside;
};

/** Whether a violation can be detected. Every parameter is a text, so no value violates the type of a text parameter. */
const isJudged = (rule: Rule, contract: Contract): boolean => {
  const { place, keyword, value, direction, level, schema } = rule;
  // An identifier of another form is a permitted difference.
  if (direction === "response" && level === "assumed" && keyword !== "required" && isFreeId(contract, schema))
    return false;
  return place === undefined || keyword !== "type" || value !== "string";
};

/** Whether the rule is about an identifier in the path. It is refused as unknown even if nobody checks its form. */
const namesResource = ({ operationId, place, parameter }: Rule, { operations }: Contract): boolean =>
  place === "path" &&
  operations
    .find((operation) => operation.operationId === operationId)
    ?.parameters.find(({ name }) => name === parameter)?.resource !== undefined;

interface RuleViolation {
  readonly name: string;
  readonly effect: Effect;
}

const violationsOf = (rule: Rule, contract: Contract): RuleViolation[] =>
  rule.direction === "request" ? requestViolations(rule, contract) : responseViolations(rule);

const requestViolations = (rule: Rule, contract: Contract): RuleViolation[] => {
  const { keyword, operationId, schema } = rule;
  if (namesResource(rule, contract)) {
    // An exact length has two rules with one requirement.
    if (keyword === "minLength" && schema.minLength === schema.maxLength) return [];
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

/** Keywords of rules about values that must be accepted. */
const NEVER_REFUSING: readonly string[] = ["optional", "default", "enum-value"];

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

const violatedPart = (rule: Rule, contract: Contract): string => {
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

const responseViolations = (rule: Rule): RuleViolation[] => {
  const { keyword, pointer, operationId, status } = rule;
  const when = { operationId, ...(status !== undefined && { status }) };
  const [name, edit] = WRONG[keyword] ?? [];
  if (name === undefined || edit === undefined) return [];
  return [{ name, effect: { kind: "json", when, pointer, edit: edit(rule) } }];
};

/** By keyword: the name of the fault, and the change of the value. */
const WRONG: Readonly<Record<string, [name: string, edit: (rule: Rule) => Edit]>> = {
  required: ["missing", () => ({ remove: true })],
  type: ["wrong-type", ({ value }) => ({ set: wrongType(value as string | string[]) })],
  enum: ["outside-enum", () => ({ set: "UNHEARD_OF" })],
  pattern: ["outside-pattern", ({ value }) => ({ set: outsidePattern(value as string) })],
  format: ["outside-format", ({ value }) => ({ set: outsideFormat(value as string) })],
  maxLength: ["too-long", ({ value, schema }) => ({ set: tooLong(schema.format, (value as number) + 1) })],
  minLength: ["too-short", ({ value }) => ({ set: "a".repeat(Math.max(0, (value as number) - 1)) })],
  maximum: ["above-maximum", ({ value }) => ({ set: (value as number) + beyond(value as number) })],
  minimum: ["below-minimum", ({ value }) => ({ set: (value as number) - beyond(value as number) })],
  exclusiveMaximum: ["at-maximum", ({ value }) => ({ set: value })],
  exclusiveMinimum: ["at-minimum", ({ value }) => ({ set: value })],
  const: ["another-value", ({ value }) => ({ set: typeof value === "string" ? "UNHEARD_OF" : null })],
};

/** Returns a step that changes a number: 1, or more for a number of many digits. */
const beyond = (limit: number): number => Math.max(1, Math.abs(limit) * 2 ** -50);

/** Returns a text that violates only the length, so a URI is still a URI. */
const tooLong = (format: unknown, length: number): string =>
  (format === "uri" ? "https://cards.example.com/" : "").padEnd(length, "a");

/** Returns the shortest name that distinguishes the place from its neighbours, up to the full path. */
const placeOf = (rule: Rule, several: boolean): string => {
  const start = rule.parameter ?? (rule.within === undefined ? [] : segmentsOf(rule.within));
  const way = [start, segmentsOf(rule.pointer)]
    .flat()
    .map((token) => (token === "*" ? "items" : token))
    .join("-");
  const place = way === "" ? "body" : way;
  return several ? `${rule.operationId}-${rule.status ?? "request"}-${place}` : place;
};
