/** The register of a service: requirements derived from its rules, and those written in `requirements.yaml`. */
import type { Contract, JsonSchema, Level, Operation, Requirement, Rule } from "./contract.ts";
import { requirementOf, schemaWords } from "./lookups.ts";
import { answerRequirements, operationRequirements } from "./operation-requirements.ts";
import { isWholeAnswer, type RuleSource, sharedRequirement, splitRules, WHOLE_BODY } from "./rules.ts";

/** A row of `requirements.yaml`, `caller.yaml` or `listener.yaml`; `schemas/requirements.schema.json` describes its keys. */
export interface RequirementRow extends Omit<Requirement, "service" | "source"> {
  readonly section: string;
  readonly "rests-on"?: readonly string[];
}

interface RegisterInput extends RuleSource {
  /** The name of the document, for `source`. */
  readonly document: string;
  /** Whether success, refusal without credentials and unknown ids are requirements of each operation. */
  readonly eachOperation: boolean;
  /** The level of what is stated of answers beside their JSON; the level of the operation if absent. */
  readonly answers?: Level | undefined;
  readonly rules: readonly Rule[];
  readonly rows: readonly RequirementRow[];
}

/** Returns the written rows first, then the derived rows in the order of the OpenAPI document. */
export const registerOf = (input: RegisterInput): Requirement[] => {
  const written = input.rows.map((row) => requirement(input, row));
  const byId = new Map(written.map((row) => [row.id, row]));
  const derived = new Map<string, Requirement>();
  const stated = splitRules(input.rules).rules;
  for (const rule of input.rules) {
    if (byId.has(rule.requirement) || derived.has(rule.requirement)) continue;
    derived.set(rule.requirement, fromRule(input, rule));
  }
  const all = { operations: input.operations, rules: stated };
  for (const operation of input.operations) {
    const row = fromStatuses(input, operation);
    derived.set(row.id, row);
    if (input.eachOperation)
      for (const own of operationRequirements(operation, row.source, all))
        if (!byId.has(own.id)) derived.set(own.id, own);
    for (const own of answerRequirements(operation, row.source, input.answers ?? operation.level))
      derived.set(own.id, own);
  }
  return [...written, ...derived.values()];
};

const requirement = (input: RegisterInput, row: RequirementRow): Requirement => {
  const { section, "rests-on": _, ...stated } = row;
  const { document, service, operations } = input;
  return {
    ...stated,
    service,
    level: levelOfRow(input.rules, row),
    source: `${document}, ${section}`,
    operations: row.operations.includes("*")
      ? operations.map(({ operationId }) => operationId)
      : row.operations,
  };
};

/** Returns the level of a written row: `provider` if the provider's document describes every place that it rests on. */
const levelOfRow = (rules: readonly Rule[], { "rests-on": places = [], level }: RequirementRow): Level => {
  const isStated = (place: string): boolean =>
    rules.some((one) => one.level === "provider" && place === `${one.operationId} ${one.pointer}`);
  return places.length > 0 && places.every(isStated) ? "provider" : level;
};

const fromRule = (input: RegisterInput, rule: Rule): Requirement => {
  const setup = setupOf(rule);
  return {
    id: rule.requirement,
    service: input.service,
    level: rule.level,
    statement: statementOf(input, rule),
    derived: true,
    source: sourceOf(input, rule),
    operations: [rule.operationId],
    kind: LIMITS.has(rule.keyword) ? "limit" : rule.direction,
    subject: "service",
    observable: setup === undefined ? "from-outside" : "needs-setup",
    hazards: [],
    ...(setup !== undefined && { setup }),
  };
};

const setupOf = (rule: Rule): string | undefined => {
  if (rule.within !== undefined) return "the key that encrypts a Card for this environment";
  const needsAcceptance = rule.direction === "response" || ACCEPTING.has(rule.keyword);
  return needsAcceptance ? "a request that the service accepts" : undefined;
};

const isShared = (input: RegisterInput, rule: Rule): boolean =>
  rule.requirement === sharedRequirement(input, rule);

const statementOf = (input: RegisterInput, rule: Rule): string => {
  if (isShared(input, rule)) return sharedStatement(rule);
  if (rule.direction === "request") return requestStatement(input, rule, refusalsOf(input, rule));
  return isWholeAnswer(input, rule)
    ? `The body of each ${rule.operationId} response fits its schema.`
    : responseStatement(input, rule);
};

/**
 * Returns the promise of a rule of requests as a sentence; `undefined` if the document or the contract words it.
 * @param refusals the statuses that refuse what breaks the rule; `undefined` for the promise to accept what obeys it
 */
export const promiseOf = (contract: Contract, rule: Rule, refusals?: string): string | undefined => {
  if (requirementOf(contract, rule.requirement)?.derived !== true) return undefined;
  if (refusals !== undefined || ACCEPTING.has(rule.keyword))
    return requestStatement(contract, rule, refusals);
  return `A request whose ${fieldName(rule) || "body"} ${phrase(contract, rule)} is accepted when everything else in it is valid.`;
};

/** Returns the documented statuses that refuse an invalid request; 400 if there is none. */
const refusalsOf = ({ operations }: RegisterInput, { operationId }: Rule): string => {
  const operation = operations.find((one) => one.operationId === operationId);
  const listed = ["400", "422"].filter((status) => operation?.responses[status] !== undefined);
  return listed.join(" or ") || "400";
};

/** Returns the statement of a requirement that many rules share. It describes the body as a whole. */
const sharedStatement = ({ operationId, direction, level }: Rule): string => {
  const shape = level === "provider" ? "the shape in the provider's document" : `the ${level} shape`;
  return direction === "request"
    ? `A ${operationId} request is refused with 400 unless its body has ${shape}.${level === "provider" ? OUR_READING : ""}`
    : `The body of a ${operationId} response has ${shape}.`;
};

/** An OpenAPI document states what is valid, but not what a server does with anything else. */
const OUR_READING = " The provider's document states the rule; the refusal is our reading of it.";

const sourceOf = (input: RegisterInput, rule: Rule): string => {
  const whole = isShared(input, rule) || rule.parameter !== undefined;
  const operation = input.operations.find(({ operationId }) => operationId === rule.operationId);
  const section = whole ? operation?.section : rule.schemaName;
  return `${documentOf(input, rule.level)}, ${section ?? rule.operationId}`;
};

const documentOf = (input: RegisterInput, level: Requirement["level"]): string =>
  level === "provider" ? "the provider's document" : input.document;

const ACCEPTING = new Set(["optional", "enum-value"]);
const LIMITS = new Set(["minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems"]);

const fieldName = (rule: Rule): string => {
  const path = rule.pointer.slice(1).replaceAll("/", ".").replaceAll(".*", "[]");
  if (rule.parameter !== undefined)
    return [
      `${rule.place}${rule.place === "part" ? "" : " parameter"} ${rule.parameter}`,
      ...(/^\w/.test(path) ? [path] : []),
    ].join(".");
  return rule.within === undefined ? path : `Card ${path}`;
};

/** Phrases a length. `Card` states exact lengths as minimum and maximum, and both give the same phrase. */
const ofLength = (bound: string, value: unknown, { minLength, maxLength }: JsonSchema): string =>
  minLength === maxLength ? `is ${maxLength} characters long` : `has at ${bound} ${value} characters`;

const PHRASES: Readonly<Record<string, (value: unknown, schema: JsonSchema) => string>> = {
  minLength: (value, schema) => ofLength("least", value, schema),
  maxLength: (value, schema) => ofLength("most", value, schema),
  minimum: (value) => `is at least ${value}`,
  maximum: (value) => `is at most ${value}`,
  enum: (value) => `is one of ${(value as unknown[]).join(", ")}`,
  pattern: (value) => `matches ${value}`,
  format: (value) => `has the format ${value}`,
  type: (value) => `is of the type ${[value].flat().join(" or ")}`,
};

const phrase = (contract: Pick<Contract, "schemas">, { keyword, value, schema }: Rule): string =>
  keyword === WHOLE_BODY || keyword === "schema"
    ? `fits ${schemaWords(contract, schema)}`
    : (PHRASES[keyword]?.(value, schema) ?? `conforms to ${keyword} ${JSON.stringify(value)}`);

const requestStatement = (contract: Pick<Contract, "schemas">, rule: Rule, statuses = ""): string => {
  const field = fieldName(rule);
  const reading = rule.level === "provider" ? OUR_READING : "";
  switch (rule.keyword) {
    case "required":
      return `A request without ${field || "a body"} is refused with ${statuses}.${reading}`;
    case "optional":
      return `A request without ${field} is accepted when everything else in it is valid.`;
    case "enum-value":
      return `A request whose ${field} is ${rule.value} is accepted.`;
    default:
      return `A request is refused with ${statuses} unless its ${field || "body"} ${phrase(contract, rule)}.${reading}`;
  }
};

const responseStatement = (contract: Pick<Contract, "schemas">, rule: Rule): string => {
  const field = fieldName(rule);
  if (rule.keyword !== "required") {
    return `${field || "The body"} of a ${rule.status} response, when present, ${phrase(contract, rule)}.`;
  }
  const [name = "", ...parents] = field.split(".").reverse();
  return parents.length === 0
    ? `Every ${rule.status} response carries ${name}.`
    : `A ${rule.status} response that carries ${parents.reverse().join(".")} contains ${name} there.`;
};

/** Returns the level of the status list: `assumed` if one of the statuses is assumed. */
const levelOfStatuses = ({ level, responses }: Operation): Level =>
  Object.values(responses).some((response) => response.level === "assumed") ? "assumed" : level;

const fromStatuses = (input: RegisterInput, operation: Operation): Requirement => ({
  id: `${input.service}.${operation.operationId}.documented-statuses`,
  service: input.service,
  level: levelOfStatuses(operation),
  statement: `${operation.operationId} answers only with statuses that its document allows: ${Object.keys(operation.responses).join(", ")}.`,
  source: `${documentOf(input, operation.level)}, ${operation.section}`,
  operations: [operation.operationId],
  kind: "status",
  subject: "service",
  observable: "from-outside",
  hazards: [],
});
