/** Derives faults from the rules of a contract: each fault violates one rule. */
import type { Contract, Rule } from "../../../helpers/contract/contract.ts";
import { isFreeId } from "../../../helpers/contract/free-ids.ts";
import { groupBy } from "../../../helpers/contract/memoize.ts";
import { isInForm } from "../../../helpers/contract/operation-requirements.ts";
import { segmentsOf } from "../../../helpers/contract/pointer.ts";
import { WHOLE_BODY } from "../../../helpers/contract/rules.ts";
import { parametersNamed } from "../parameters.ts";
import type { Effect, Fault } from "./deviation.ts";
import { namesResource, type RuleViolation, requestViolations, violatedPart } from "./request-violations.ts";
import { responseViolations } from "./response-violations.ts";

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
      rule.untried === undefined &&
      isJudged(rule, contract) &&
      (!isImplied(rule) || namesResource(rule, contract)),
  );
  const rows = rules.flatMap((rule) =>
    violationsOf(rule, contract).map((violation) => ({ rule, ...violation })),
  );
  const single = rows.filter(({ rule }) => !isShape(rule));
  const alike = groupBy(single, ({ rule, name }) => `${rule.requirement} ${name}`);
  const places = groupBy(single, ({ rule }) => rule.requirement);
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
  const lists = groupBy(inLists, ({ requirement, operationId, pointer }) =>
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

/** Keywords of rules about values that must be accepted. */
const NEVER_REFUSING: readonly string[] = ["optional", "default", "enum-value"];

/** Whether all rules of a body share one requirement: `….request.shape`. */
const isShape = ({ requirement }: Rule): boolean => requirement.endsWith(".shape");

interface ViolatedRule extends RuleViolation {
  readonly rule: Rule;
}

/** Groups shape violations by keyword. Each fault applies at all places, since most of them are optional. */
const faultsOfShapes = (rows: readonly ViolatedRule[], contract: Contract): Fault[] => {
  const groups = groupBy(rows, ({ name, rule: { requirement, keyword, direction } }) => {
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
const namesakesOf = ({ rule, effect }: ViolatedRule, { operations }: Contract): Effect[] => {
  const operation = operations.find(({ operationId }) => operationId === rule.operationId);
  if (effect.kind !== "request" || rule.place !== undefined || operation === undefined) return [];
  return parametersNamed(operation, rule.pointer.slice(1)).map((of) => ({ ...effect, of }));
};

/**
 * Drops a fault with a wrong type of the whole response body if there are other faults, because the wrong type would
 * hide them.
 */
const inner = (group: readonly ViolatedRule[]): readonly ViolatedRule[] => {
  const inside = group.filter(({ rule }) => rule.direction === "request" || rule.pointer !== "");
  return inside.length === 0 ? group : inside;
};

/** Whether a violation can be detected. Every parameter is a text, so no value violates the type of a text parameter. */
const isJudged = (rule: Rule, contract: Contract): boolean => {
  const { place, keyword, value, direction, level, schema, pointer } = rule;
  // Faults drop single keywords of single places.
  if (
    keyword === WHOLE_BODY ||
    (direction === "request" && place === undefined && pointer === "" && keyword === "required")
  )
    return false;
  // An identifier of another form is a permitted difference.
  if (direction === "response" && level === "assumed" && keyword !== "required" && isFreeId(contract, schema))
    return false;
  return place === undefined || keyword !== "type" || value !== "string";
};

const violationsOf = (rule: Rule, contract: Contract): RuleViolation[] =>
  rule.direction === "request" ? requestViolations(rule, contract) : responseViolations(rule);

/** Returns the shortest name that distinguishes the place from its neighbours, up to the full path. */
const placeOf = (rule: Rule, several: boolean): string => {
  const start = rule.parameter ?? (rule.within === undefined ? [] : segmentsOf(rule.within));
  const form = isInForm(rule.place) ? rule.place : [];
  const way = [form, start, segmentsOf(rule.pointer)]
    .flat()
    .map((token) => (token === "*" ? "items" : token))
    .join("-");
  const place = way === "" ? "body" : way;
  return several ? `${rule.operationId}-${rule.status ?? "request"}-${place}` : place;
};
