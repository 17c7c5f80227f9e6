/** Judges whether answers are JSON where the contract promises JSON. */
import { checkJsonBody, isOfGateway } from "../../checks/json-body.ts";
import type { Response } from "../../contract/contract.ts";
import { JSON_TYPE, jsonIn } from "../../contract/media-type.ts";
import { type ReceivedResponse, sizeOf, statusOf } from "../../exchange/exchange.ts";
import type { AnswerCheck, Policy } from "./policy.ts";

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
