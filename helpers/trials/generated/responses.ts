/** Judges every response by itself: its status, its media type and the shape of its body. */
import { type CheckResult, checkThat, HOLDS, violation } from "../../checks/check.ts";
import { checkDocumentedStatus, INTERRUPTIONS } from "../../checks/documented-status.ts";
import { checkJsonBody, wrongCoding } from "../../checks/json-body.ts";
import { checkOwnResource, couldShowAnother, type KnownIds, learnIds } from "../../checks/own-resource.ts";
import { checkRules, type RuleResult, shorten } from "../../checks/rules.ts";
import type { Contract, JsonSchema, Operation, Response, Rule } from "../../contract/contract.ts";
import { isFreeId, withFreeIds } from "../../contract/free-ids.ts";
import { rewritten } from "../../contract/json.ts";
import { grouped, keptIn, oncePer } from "../../contract/once.ts";
import { OWN_RESOURCE } from "../../contract/operation-requirements.ts";
import { ownPlaces } from "../../contract/own-places.ts";
import { createValidator, type Validator } from "../../contract/schema-validator.ts";
import { type Exchange, isAccepted, sizeOf, statusOf } from "../../exchange/exchange.ts";
import type { Trial, TrialContext } from "../trial.ts";
import type { Policy } from "./policy.ts";
import { isStated } from "./stated.ts";

/** Returns the full ids of the requirements that responses of the operation show, in any trial. */
export const requirementsOfResponses = (
  contract: Contract,
  policy: Policy,
  { operationId, responses }: Operation,
): string[] => {
  const rules = Object.values(responses).flatMap(({ status }) => rulesAt(contract, operationId, status));
  const { jsonBodies } = policy.shared ?? {};
  return [
    `${contract.service}.${operationId}.documented-statuses`,
    ...(jsonBodies === undefined ? [] : [`${contract.service}.${jsonBodies}`]),
    shapeOf(contract, operationId),
    `${contract.service}.${operationId}.${OWN_RESOURCE}`,
    ...rules.filter(holdsAlone).map(({ requirement }) => requirement),
  ];
};

export const observeResponse =
  (policy: Policy): Trial["observe"] =>
  (exchange, context) => {
    const { contract, judge } = context;
    const operation = contract.operations.find(({ operationId }) => operationId === exchange.operationId);
    if (exchange.response === undefined || operation === undefined) return;
    const gone = isGone(operation, exchange);
    const status = gone ? HOLDS : checkStatus(contract, policy, operation, exchange);
    judge.record(`${contract.service}.${operation.operationId}.documented-statuses`, status, [exchange]);
    // The body of a removed operation's response is not specified.
    if (gone) return;
    const response = responseFor(operation, exchange);
    if (!mayBeJson(response)) return;
    observeOwnResource(operation, exchange, context);
    observeJson(policy, response, exchange, context);
    const results = observeBody(policy, response, exchange, context);
    policy.judgeResponse?.(exchange, context, results);
  };

const observeOwnResource = (
  operation: Operation,
  exchange: Exchange,
  { contract, judge, session }: TrialContext,
): void => {
  const known = keptIn(knownIds, session, (): KnownIds => new Map());
  learnIds(known, operation, exchange);
  const places = ownPlacesOf(contract).get(operation.operationId) ?? [];
  const result = checkOwnResource(operation, places, exchange, known);
  const id = `${contract.service}.${operation.operationId}.${OWN_RESOURCE}`;
  if (result === undefined || !isStated(contract, id)) return;
  judge.record(id, result, [exchange]);
  if (couldShowAnother(places, known)) judge.sawOccasion([id]);
};

const ownPlacesOf = oncePer(
  ({ operations, rules }: Contract) =>
    new Map(operations.map((operation) => [operation.operationId, ownPlaces(operation, rules)])),
);

/** By session: the resources that its calls named. */
const knownIds = new WeakMap<object, KnownIds>();

/** The statuses for an operation that has been removed (RFC 9110, 15.5.5 and 15.5.11). */
const GONE: readonly number[] = [404, 410];

/** Whether an operation has been removed on or after its announced end date. */
export const isGone = ({ ends }: Operation, exchange: Exchange): boolean =>
  ends !== undefined && exchange.startedAt.toISOString() >= ends && GONE.includes(statusOf(exchange));

const isListed = ({ responses }: Operation): boolean =>
  Object.values(responses).some(({ level }) => level !== "assumed");

const checkStatus = (
  contract: Contract,
  { otherStatuses = [] }: Policy,
  operation: Operation,
  exchange: Exchange,
): CheckResult => {
  if (isListed(operation)) {
    return checkDocumentedStatus(operation, exchange, [...contract.generalStatuses, ...otherStatuses]);
  }
  // No document lists a status, so any success or client error is allowed.
  const status = statusOf(exchange);
  const fits = isAccepted(exchange) || (status >= 400 && status < 500) || INTERRUPTIONS.includes(status);
  return checkThat(fits, {
    pointer: "",
    message: `${operation.operationId} answered with ${status}`,
    expected: "a success or a client error",
    actual: `${status}`,
  });
};

/** Returns the documented response. If no status is listed, any success or refusal uses the assumed response. */
const responseFor = (operation: Operation, exchange: Exchange): Response | undefined => {
  const status = statusOf(exchange);
  const own = operation.responses[String(status)];
  if (own !== undefined || isListed(operation)) return own;
  return Object.values(operation.responses).find((response) =>
    isAccepted(exchange) ? response.status < 300 : response.status >= 400,
  );
};

const mayBeJson = (response: Response | undefined): boolean => {
  const types = Object.keys(response?.content ?? {});
  return types.length === 0 || types.some((type) => /json/.test(type));
};

const observeJson = (
  { shared }: Policy,
  response: Response | undefined,
  exchange: Exchange,
  { contract, judge }: TrialContext,
): void => {
  if (shared?.jsonBodies === undefined) return;
  const isOneOfSeveral = Object.keys(response?.content ?? {}).length > 1;
  const isOther = !/json/.test(exchange.response?.headers["content-type"] ?? "json");
  const result = isOneOfSeveral && isOther ? undefined : checkJsonBody(exchange);
  if (result !== undefined) judge.record(`${contract.service}.${shared.jsonBodies}`, result, [exchange]);
};

/** Records one verdict for the whole shape, and one for each rule with its own requirement. */
const observeBody = (
  policy: Policy,
  response: Response | undefined,
  exchange: Exchange,
  context: TrialContext,
): readonly RuleResult[] => {
  const { contract, validator, judge } = context;
  const { operationId } = exchange;
  const body = exchange.response?.numeric ?? exchange.response?.json;
  const { wrongCoding: coding } = exchange.response ?? {};
  if (
    exchange.response !== undefined &&
    coding !== undefined &&
    isStated(contract, shapeOf(contract, operationId))
  )
    judge.record(shapeOf(contract, operationId), wrongCoding(exchange.response, coding), [exchange]);
  if (response === undefined || body === undefined) return [];
  const rules = rulesAt(contract, operationId, response.status);
  const shape = shapeOf(contract, operationId);
  const own = rules.filter(
    (rule) => holdsAlone(rule) && rule.requirement !== shape && !isAssumedId(contract, rule),
  );
  const results = checkRules(own, body, validator).filter(
    ({ rule }) => policy.isOpen?.(rule, exchange, context) !== true,
  );
  for (const { rule, result } of results) judge.record(rule.requirement, result, [exchange]);
  const schema = response.content["application/json"];
  const shared = rules.find(({ requirement }) => requirement === shape);
  if (schema === undefined || shared === undefined) return results;
  const isLarge = exchange.response !== undefined && sizeOf(exchange.response) > LARGE;
  const { freeIdsOf, statedOf } = isLarge ? FIRST_ERROR : ALL_ERRORS;
  const [error] =
    shared.level === "assumed"
      ? freeIdsOf(contract).validate(schema, body)
      : (statedOf(contract) ?? validator).validate(schema, body);
  const whole =
    error === undefined
      ? HOLDS
      : violation({
          pointer: error.pointer,
          message: `${error.pointer.slice(1) || "the body"} ${error.message}`,
          expected: `the shape of a ${operationId} response`,
          actual: shorten(body),
        });
  judge.record(shape, whole, [exchange]);
  return results;
};

/** The size of a body, in bytes, of which only the first violation is looked for. */
const LARGE = 300_000;

const shapeValidators = (allErrors: boolean) => ({
  /** Returns the validator for shapes that no document shows: the identifiers of the target may have any form. */
  freeIdsOf: oncePer((contract: Contract): Validator => {
    const { validate } = createValidator({ schemas: withFreeIds(contract, contract.schemas) }, allErrors);
    const free = oncePer((schema: JsonSchema) => withFreeIds(contract, schema));
    return { validate: (schema, body) => validate(free(schema), body) };
  }),
  /** Returns the validator without keywords that the provider's own examples break; `undefined` if it is the usual one. */
  statedOf: oncePer((contract: Contract): Validator | undefined => {
    if (contract.differences.contradictions.length === 0)
      return allErrors ? undefined : createValidator(contract, allErrors);
    const { validate } = createValidator({ schemas: withoutContradicted(contract.schemas) }, allErrors);
    const stated = oncePer((schema: JsonSchema) => withoutContradicted(schema));
    return { validate: (schema, body) => validate(stated(schema), body) };
  }),
});

const ALL_ERRORS = shapeValidators(true);
const FIRST_ERROR = shapeValidators(false);

const withoutContradicted = <Schemas>(schemas: Schemas): Schemas =>
  rewritten(schemas, (node) => {
    const broken = node["x-contradicted"];
    if (!Array.isArray(broken)) return node;
    return Object.fromEntries(Object.entries(node).filter(([keyword]) => !broken.includes(keyword)));
  }) as Schemas;

/** Returns the requirement that rules of a body share if they have no requirement of their own. */
const shapeOf = ({ service }: Contract, operationId: string): string =>
  `${service}.${operationId}.response.shape`;

/** Whether a rule is about the form of an identifier, which no document shows. */
const isAssumedId = (contract: Contract, { level, schema, keyword }: Rule): boolean =>
  level === "assumed" && keyword !== "required" && isFreeId(contract, schema);

/** Whether a rule applies to every body. A rule of one alternative does not apply to other alternatives. */
const holdsAlone = ({ alternative }: Rule): boolean => alternative === undefined;

/** Returns the rules of an operation's response with this status. */
const rulesAt = (contract: Contract, operationId: string, status: number): readonly Rule[] =>
  rulesOfResponses(contract).get(`${operationId} ${status}`) ?? [];

const rulesOfResponses = oncePer(({ rules }: Contract) =>
  grouped(
    rules.filter(({ direction }) => direction === "response"),
    ({ operationId, status }) => `${operationId} ${status}`,
  ),
);
