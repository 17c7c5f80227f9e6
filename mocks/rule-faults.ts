/** Faults that follow from the rules of a contract: each rule not kept, in one or a few ways. */
import type { Contract, Rule } from "../helpers/contract/contract.ts";
import type { Bend, Fault } from "./fault.ts";
import { tokensOf } from "./pointer.ts";
import type { SchemaEdit } from "./schema-edit.ts";
import { outsideFormat, outsidePattern, wrongType } from "./wrong-values.ts";

/** Rules of one alternative among several are left to the service: what it answers fits only one of them. */
export const faultsOfRules = (contract: Contract): Fault[] => {
  const obliging = new Set(
    contract.requirements
      .filter(({ subject, observable }) => subject === "service" && observable !== "not-observable")
      .map(({ id }) => id),
  );
  const rows = contract.rules
    .filter((rule) => obliging.has(rule.requirement) && rule.alternative === undefined)
    .flatMap((rule) => violationsOf(rule, contract).map((violation) => ({ rule, ...violation })));
  const shared = countBy(rows, ({ rule, name }) => `${rule.requirement} ${name}`);
  return rows.map(({ rule, name, bend }) => {
    const alone = shared.get(`${rule.requirement} ${name}`) === 1;
    const segment = alone
      ? name
      : `${placeOf(
          rule,
          rows.map((row) => row.rule),
        )}-${name}`;
    return {
      id: `${rule.requirement}.${segment}`,
      violates: rule.requirement,
      service: contract.service,
      bends: [bend],
    };
  });
};

interface RuleViolation {
  readonly name: string;
  readonly bend: Bend;
}

const violationsOf = (rule: Rule, contract: Contract): RuleViolation[] =>
  rule.direction === "request" ? requestViolations(rule, contract) : responseViolations(rule);

const requestViolations = (rule: Rule, contract: Contract): RuleViolation[] => {
  const of = rule.within === undefined ? rule.operationId : encryptedSchema(rule, contract);
  const { keyword } = rule;
  const violation = (name: string, edit: SchemaEdit): RuleViolation => ({
    name,
    bend: { kind: "request", of, pointer: rule.pointer, edit },
  });
  if (keyword === "required") return [violation("not-enforced", { waive: true })];
  if (keyword === "optional") return [violation("demanded", { demand: true })];
  if (keyword === "type") return [violation("not-enforced", { admit: { not: { type: rule.value } } })];
  if (keyword === "enum-value") {
    const others = (rule.schema.enum as unknown[]).filter((value) => value !== rule.value);
    return [violation("refused", { set: "enum", to: others })];
  }
  const step = LIMIT_STEPS[keyword];
  if (step === undefined) return [violation("not-enforced", { drop: keyword })];
  const limit = rule.value as number;
  const exact = rule.schema.minLength !== undefined && rule.schema.minLength === rule.schema.maxLength;
  if (exact) {
    return [violation(step > 0 ? "longer-accepted" : "shorter-accepted", { set: keyword, to: limit + step })];
  }
  return [
    violation("not-enforced", { drop: keyword }),
    violation("off-by-one", { set: keyword, to: limit + step }),
    violation("boundary-refused", { set: keyword, to: limit - step }),
  ];
};

/** What added to a limit makes it laxer. */
const LIMIT_STEPS: Readonly<Record<string, 1 | -1>> = {
  maxLength: 1,
  maximum: 1,
  maxItems: 1,
  minLength: -1,
  minimum: -1,
  minItems: -1,
};

const encryptedSchema = (rule: Rule, contract: Contract): string => {
  const root = contract.rules.find(
    (other) => other.operationId === rule.operationId && other.within === rule.within && other.pointer === "",
  );
  return root?.schemaName ?? rule.schemaName ?? "";
};

const responseViolations = (rule: Rule): RuleViolation[] => {
  const { keyword, value, pointer, operationId, status, schema } = rule;
  const when = { operationId, ...(status !== undefined && { status }) };
  const becomes = (name: string, to: unknown): RuleViolation[] => [
    { name, bend: { kind: "json", when, pointer, edit: { set: to } } },
  ];
  switch (keyword) {
    case "required":
      return [{ name: "missing", bend: { kind: "json", when, pointer, edit: { remove: true } } }];
    case "type":
      return becomes("wrong-type", wrongType(value as string | string[]));
    case "enum":
      return becomes("outside-enum", "UNHEARD_OF");
    case "pattern":
      return becomes("outside-pattern", outsidePattern(value as string));
    case "format":
      return becomes("outside-format", outsideFormat(value as string));
    case "maxLength":
      return becomes("too-long", tooLong(schema.format, (value as number) + 1));
    case "minLength":
      return becomes("too-short", "a".repeat(Math.max(0, (value as number) - 1)));
    case "maximum":
      return becomes("above-maximum", (value as number) + 1);
    case "minimum":
      return becomes("below-minimum", (value as number) - 1);
    default:
      return [];
  }
};

/** Too long and nothing else: a URI stays one. */
const tooLong = (format: unknown, length: number): string =>
  (format === "uri" ? "https://cards.example.com/" : "").padEnd(length, "a");

/** As short as tells it from its neighbours: the whole way where it must. */
const placeOf = (rule: Rule, all: readonly Rule[]): string => {
  const several = new Set(
    all.filter((other) => other.requirement === rule.requirement).map((other) => other.operationId),
  );
  const way = [...(rule.within === undefined ? [] : tokensOf(rule.within)), ...tokensOf(rule.pointer)]
    .map((token) => (token === "*" ? "items" : token))
    .join("-");
  const place = way === "" ? "body" : way;
  return several.size > 1 ? `${rule.operationId}-${rule.status ?? "request"}-${place}` : place;
};

const countBy = <Item>(items: readonly Item[], key: (item: Item) => string): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1);
  return counts;
};
