/** Judges every response by itself: its status, its media type and the shape of its body. */
import { checkDocumentedStatus, INTERRUPTIONS } from "../../checks/documented-status.ts";
import { wrongCoding } from "../../checks/json-body.ts";
import {
  checkOwnResource,
  type KnownIds,
  learnIds,
  noIds,
  wasAskedForTwo,
} from "../../checks/own-resource.ts";
import { checkRules, type RuleResult } from "../../checks/rules.ts";
import type { Contract, Operation, Response, Rule } from "../../contract/contract.ts";
import { isFreeId } from "../../contract/free-ids.ts";
import { isSame } from "../../contract/json.ts";
import { mayHaveEnded, requirementOf, responseOf, rulesOfType, schemaWords } from "../../contract/lookups.ts";
import { JSON_TYPE, jsonIn } from "../../contract/media-type.ts";
import { getOrInsert, groupBy, memoize } from "../../contract/memoize.ts";
import { OWN_RESOURCE } from "../../contract/operation-requirements.ts";
import { type OwnPlace, ownPlaces } from "../../contract/own-places.ts";
import { atPointer } from "../../contract/pointer.ts";
import type { ValidationError } from "../../contract/schemas/schema-validator.ts";
import { type CheckResult, checkThat, HOLDS, shownValue } from "../../exchange/check-result.ts";
import {
  type Exchange,
  isAccepted,
  type ReceivedResponse,
  sizeOf,
  statusOf,
} from "../../exchange/exchange.ts";
import { isProbed } from "../probed-resources.ts";
import type { ObservedContext, Trial } from "../trial.ts";
import { checkJsonAnswer, hasUnreadJson, mayBeJson, observeParts, partsOf } from "./answer-parts.ts";
import { chosenMembers, observeObedience, unlessChosen } from "./obedience.ts";
import type { AnswerCheck, Policy } from "./policy.ts";
import { shapeValidator } from "./shapes.ts";

/** Returns the full ids of the requirements that responses of the operation show, in any trial. */
export const requirementsOfResponses = (
  contract: Contract,
  policy: Policy,
  operation: Operation,
): string[] => {
  const { operationId, responses } = operation;
  const rules = Object.values(responses).flatMap(({ status }) => rulesAt(contract, operationId, status));
  return [
    `${contract.service}.${operationId}.documented-statuses`,
    ...answersOf(policy, operationId)
      .filter(({ isTriedByScenario }) => isTriedByScenario !== true)
      .map(({ requirement }) => `${contract.service}.${requirement}`),
    shapeOf(contract, operationId),
    `${contract.service}.${operationId}.${OWN_RESOURCE}`,
    ...partsOf(contract, operation).map(({ requirement }) => requirement),
    ...rules.filter(holdsAlone).map(({ requirement }) => requirement),
  ];
};

/** Returns the checks of the answers of an operation. */
const answersOf = ({ answers = [] }: Policy, operationId: string): readonly AnswerCheck[] =>
  answers.filter(({ operations }) => operations?.includes(operationId) !== false);

export const observeResponse =
  (policy: Policy): Trial["observe"] =>
  (exchange, context) => {
    const { contract, judge } = context;
    const promised = promisedBy(contract).get(exchange.operationId);
    if (exchange.response === undefined || promised === undefined) return;
    const { operation, ids } = promised;
    const gone = isGone(operation, exchange);
    const status = gone ? HOLDS : checkStatus(contract, policy, promised, exchange);
    judge.record(ids.statuses, status, [exchange]);
    // The body of a removed operation's response is not specified.
    if (gone) return;
    const response = responseFor(promised, exchange);
    observeParts(operation, response, exchange, context);
    if (mayBeJson(response)) observeOwnResource(promised, exchange, context);
    for (const { requirement, check, isTriedByScenario } of answersOf(policy, operation.operationId)) {
      const result = check(exchange, response, context);
      if (result === undefined || (isTriedByScenario === true && result.holds)) continue;
      judge.record(`${contract.service}.${requirement}`, result, [exchange]);
    }
    if (!mayBeJson(response)) return;
    observeObedience(operation, exchange, context);
    const results = observeBody(policy, promised, response, exchange, context);
    policy.judgeResponse?.(exchange, context, results);
  };

/** What the responses of an operation have to show. */
interface Promised {
  readonly operation: Operation;
  /** Whether a document lists the statuses. */
  readonly isListed: boolean;
  /** Full ids of the requirements that every operation has; `undefined` if the contract lacks one. */
  readonly ids: { readonly statuses: string; readonly shape: string; readonly own: string | undefined };
  /** The places that show the resource of the path. */
  readonly places: readonly OwnPlace[];
  /** The rules of the bodies, by status. */
  readonly bodies: ReadonlyMap<
    number,
    {
      /** The rules with a requirement of their own. */
      readonly own: readonly Rule[];
      /** A rule of those that share the requirement of the whole shape. */
      readonly shared: Rule | undefined;
    }
  >;
}

/** Reads the promises of each operation once, because trials ask for them with every response. */
const promisedBy = memoize(
  (contract: Contract): ReadonlyMap<string, Promised> =>
    new Map(contract.operations.map((operation) => [operation.operationId, promisesOf(contract, operation)])),
);

const promisesOf = (contract: Contract, operation: Operation): Promised => {
  const { operationId, responses } = operation;
  const of = `${contract.service}.${operationId}`;
  const own = `${of}.${OWN_RESOURCE}`;
  const shape = shapeOf(contract, operationId);
  return {
    operation,
    isListed: Object.values(responses).some(({ level }) => level !== "assumed"),
    ids: { statuses: `${of}.documented-statuses`, shape, own: requirementOf(contract, own)?.id },
    places: ownPlaces(operation, contract.rules),
    bodies: new Map(
      Object.values(responses).map(({ status }) => {
        const rules = rulesAt(contract, operationId, status);
        const isOwn = (rule: Rule): boolean =>
          holdsAlone(rule) &&
          (rule.requirement !== shape || rule.contradicted !== undefined) &&
          !isAssumedId(contract, rule);
        const shared = rules.find(
          ({ requirement, contradicted }) => requirement === shape && contradicted === undefined,
        );
        return [status, { own: rules.filter(isOwn), shared }];
      }),
    ),
  };
};

const observeOwnResource = (
  { operation, ids, places }: Promised,
  exchange: Exchange,
  { judge, session }: ObservedContext,
): void => {
  const known = getOrInsert(knownIds, session, noIds);
  learnIds(known, operation, exchange);
  const result = checkOwnResource(operation, places, exchange, known);
  if (result === undefined || ids.own === undefined) return;
  if (result.holds && !wasAskedForTwo(operation, places, known)) return;
  judge.record(ids.own, result, [exchange]);
  judge.sawOccasion([ids.own]);
};

/** By session: the resources that its calls named. */
const knownIds = new WeakMap<object, KnownIds>();

/** The statuses for an operation that has been removed (RFC 9110, 15.5.5 and 15.5.11). */
const GONE: readonly number[] = [404, 410];

/** Whether an operation has been removed as announced. */
export const isGone = (operation: Operation, exchange: Exchange): boolean =>
  mayHaveEnded(operation.sunset, Number(exchange.startedAt)) && GONE.includes(statusOf(exchange));

const checkStatus = (
  contract: Contract,
  { otherStatuses = [] }: Policy,
  { operation, isListed }: Promised,
  exchange: Exchange,
): CheckResult => {
  if (isListed) {
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
const responseFor = ({ operation, isListed }: Promised, exchange: Exchange): Response | undefined => {
  const own = responseOf(operation, statusOf(exchange));
  if (own !== undefined || isListed) return own;
  return Object.values(operation.responses).find((response) =>
    isAccepted(exchange) ? response.status < 300 : response.status >= 400,
  );
};

/** Records one verdict for the whole shape, and one for each rule with its own requirement. */
const observeBody = (
  policy: Policy,
  { operation, ids: { shape }, bodies }: Promised,
  response: Response | undefined,
  exchange: Exchange,
  context: ObservedContext,
): readonly RuleResult[] => {
  const { contract, validator, judge, session } = context;
  const received = exchange.response as ReceivedResponse;
  const body = received.numeric ?? received.json;
  const isLeftOut = (pointer: string): boolean => isProbed(session, contract, body, pointer);
  if (received.wrongCoding !== undefined && requirementOf(contract, shape) !== undefined)
    judge.record(shape, wrongCoding(received, received.wrongCoding), [exchange]);
  const promised = response && bodies.get(response.status);
  if (promised === undefined || isLeftOut("")) return [];
  if (body === undefined) {
    const unread = hasUnreadJson(policy, response, received)
      ? checkJsonAnswer(exchange, response, context)
      : undefined;
    if (unread?.holds === false && requirementOf(contract, shape) !== undefined)
      judge.record(shape, unread, [exchange]);
    return [];
  }
  const mediaType = mediaTypeOf(response, received);
  const schema = response?.content[mediaType];
  const chosen = chosenMembers(contract, operation, schema, exchange);
  const results = checkRules(rulesOfType(promised.own)(mediaType), body, validator, isLeftOut)
    .filter(({ rule }) => policy.isOpen?.(rule, exchange, context) !== true)
    .map((one) => ({ ...one, result: unlessChosen(one, chosen) }));
  for (const { rule, result } of results) judge.record(rule.requirement, result, [exchange]);
  if (schema === undefined || promised.shared === undefined) return results;
  const { level } = promised.shared;
  const errorsOf = (size: number) => shapeValidator(contract, level, size, validator).validate(schema, body);
  let [error] = errorsOf(sizeOf(received));
  // A document that demands an item of a list does not show the answer to a search without a match.
  const isOpen = (one: ValidationError): boolean =>
    isLeftOut(one.pointer) ||
    policy.isOpen?.(one, exchange, context) === true ||
    (one.keyword === "minItems" && isEmptyList(operation, exchange, one.pointer));
  // In a large body, more violations may follow the first.
  if (error !== undefined && isOpen(error)) error = errorsOf(0).find((one) => !isOpen(one));
  // A rule of its own may tell the same: reports show both as one.
  const told = results.find(({ result }) => !result.holds && result.pointer === error?.pointer);
  const whole: CheckResult =
    error === undefined
      ? HOLDS
      : {
          holds: false,
          ...(told?.result.suspected && { suspected: true }),
          pointer: error.pointer,
          message: `${error.pointer.slice(1) || "the body"} ${error.message}`,
          promise: `The body of a ${response?.status} response fits ${schemaWords(contract, schema)}.`,
          expected: told?.result.expected ?? `a body that fits ${schemaWords(contract, schema)}`,
          // A judge of what did not happen does not read it, and a body may be large.
          get actual() {
            return told?.result.actual ?? shownValue(body);
          },
        };
  judge.record(shape, whole, [exchange]);
  return results;
};

/** Returns the media type of JSON in the contract by whose schema a body is judged. */
const mediaTypeOf = (response: Response | undefined, { headers }: ReceivedResponse): string => {
  const [essence = ""] = (headers["content-type"] ?? "").toLowerCase().split(";");
  return jsonIn(response).find(([type]) => type === essence.trim())?.[0] ?? JSON_TYPE;
};

const isEmptyList = ({ list }: Operation, exchange: Exchange, pointer: string): boolean =>
  isAccepted(exchange) &&
  (pointer === "" || pointer === list?.items) &&
  isSame(atPointer(exchange.response?.json, pointer), []);

/** Returns the requirement that rules of a body share if they have no requirement of their own. */
const shapeOf = (contract: Contract, operationId: string): string => {
  const [usual = "", ofDocument = ""] = ["shape", "body"].map(
    (name) => `${contract.service}.${operationId}.response.${name}`,
  );
  return requirementOf(contract, usual) === undefined && requirementOf(contract, ofDocument) !== undefined
    ? ofDocument
    : usual;
};

/** Whether a rule is about the form of an identifier, which no document shows. */
const isAssumedId = (contract: Contract, { level, schema, keyword }: Rule): boolean =>
  level === "assumed" && keyword !== "required" && isFreeId(contract, schema);

/** Whether a rule applies to every body. A rule of one alternative does not apply to other alternatives. */
const holdsAlone = ({ alternative }: Rule): boolean => alternative === undefined;

/** Returns the rules of an operation's response with this status. */
const rulesAt = (contract: Contract, operationId: string, status: number): readonly Rule[] =>
  rulesOfResponses(contract).get(`${operationId} ${status}`) ?? [];

const rulesOfResponses = memoize(({ rules, contradicted }: Contract) =>
  groupBy(
    [...rules, ...contradicted].filter(({ direction }) => direction === "response"),
    ({ operationId, status }) => `${operationId} ${status}`,
  ),
);
