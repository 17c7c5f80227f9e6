/** Judges whether an answer is JSON, its media type and headers, and what changed in it since another version of its document. */
import { checkHeader, checkMediaType, checkText } from "../../checks/answer-parts.ts";
import { checkJsonBody, isOfGateway } from "../../checks/json-body.ts";
import type { Contract, Operation, Response } from "../../contract/contract.ts";
import { requirementOf } from "../../contract/lookups.ts";
import { JSON_TYPE, jsonIn } from "../../contract/media-type.ts";
import { getOrInsert, memoize } from "../../contract/memoize.ts";
import { headerSuffix, headersOf, MEDIA_TYPE, TEXT } from "../../contract/operation-requirements.ts";
import type { CheckResult } from "../../exchange/check-result.ts";
import { type Exchange, type ReceivedResponse, sizeOf, statusOf } from "../../exchange/exchange.ts";
import type { ObservedContext } from "../trial.ts";
import { changeParts } from "./changed-answers.ts";
import type { AnswerCheck, Policy } from "./policy.ts";

interface Part {
  readonly requirement: string;
  check(exchange: Exchange, response: Response, context: ObservedContext): CheckResult | undefined;
}

/** Returns the checks of media types, headers and changes that the contract has requirements for. */
export const partsOf = (contract: Contract, operation: Operation): readonly Part[] =>
  getOrInsert(partsByOperation(contract), operation, () => {
    const of = `${contract.service}.${operation.operationId}`;
    const all: readonly Part[] = [
      { requirement: `${of}.${MEDIA_TYPE}`, check: checkMediaType },
      {
        requirement: `${of}.${TEXT}`,
        check: (exchange, response, { validator }) => checkText(exchange, response, validator),
      },
      ...headersOf(operation).map(
        (name): Part => ({
          requirement: `${of}.${headerSuffix(name)}`,
          check: (exchange, { headers = {} }, { validator }) => {
            const header = headers[name];
            return header && checkHeader(exchange, name, header, { schemas: contract.schemas, validator });
          },
        }),
      ),
      ...(contract.changes === undefined ? [] : changeParts(contract, operation)),
    ];
    return all.filter(({ requirement }) => requirementOf(contract, requirement) !== undefined);
  });

const partsByOperation = memoize((_: Contract) => new WeakMap<Operation, readonly Part[]>());

export const observeParts = (
  operation: Operation,
  response: Response | undefined,
  exchange: Exchange,
  context: ObservedContext,
): void => {
  // Our document assumes an answer that the provider's document states.
  if (response === undefined || (response.level === "assumed" && context.contract.provider === null)) return;
  if (isOfGateway(exchange, context.hasOwnCredentials === true)) return;
  for (const { requirement, check } of partsOf(context.contract, operation)) {
    const result = check(exchange, response, context);
    if (result !== undefined) context.judge.record(requirement, result, [exchange]);
  }
};

export const mayBeJson = (response: Response | undefined): boolean => {
  const types = Object.keys(response?.content ?? {});
  return types.length === 0 || types.some((type) => /json/.test(type));
};

/** Checks that an answer is JSON where the contract promises nothing else, unless a gateway answered. */
export const checkJsonAnswer: AnswerCheck["check"] = (exchange, promised, { hasOwnCredentials = false }) => {
  const isOneOfSeveral = Object.keys(promised?.content ?? {}).length > 1;
  const isOther = !/json/.test(exchange.response?.headers["content-type"] ?? "json");
  const isOpen =
    !mayBeJson(promised) || (isOneOfSeveral && isOther) || isOfGateway(exchange, hasOwnCredentials);
  // What a read is for is in its body. Other calls may succeed without one.
  const isRead = exchange.request.method === "GET" && statusOf(exchange) === 200;
  const isPromised = Object.keys(promised?.content ?? {}).length > 0;
  return isOpen ? undefined : checkJsonBody(exchange, isRead && isPromised);
};

/**
 * Whether an answer should be JSON, and can't be read. A policy may have a requirement of its own for that. Types such as
 * `application/json-seq` are not JSON.
 */
export const hasUnreadJson = (
  { answers = [] }: Policy,
  response: Response | undefined,
  received: ReceivedResponse,
) => {
  const [essence = ""] = (received.headers["content-type"] ?? "").split(";");
  return (
    !answers.some(({ check }) => check === checkJsonAnswer) &&
    [
      sizeOf(received) === 0 ? JSON_TYPE : essence.trim() || JSON_TYPE,
      ...jsonIn(response).map(([type]) => type),
    ].every((one) => JSON_NAME.test(one))
  );
};

const JSON_NAME = /^[^;]*[/+]json\s*(?:;|$)/i;
