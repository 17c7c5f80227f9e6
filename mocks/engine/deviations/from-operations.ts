/** Derives faults from the operations of a contract: calls are answered with a wrong status. */
import type { Contract, Operation } from "../../../helpers/contract/contract.ts";
import { responseOf } from "../../../helpers/contract/lookups.ts";
import { JSON_TYPE } from "../../../helpers/contract/media-type.ts";
import {
  DISTINCT_IDS,
  OWN_RESOURCE,
  REQUEST_TYPE,
  STALE,
} from "../../../helpers/contract/operation-requirements.ts";
import type { AnswerEffect, Fault } from "./deviation.ts";
import { cutShort, empty, json, status, violating } from "./rows.ts";

export const faultsOfOperations = (contract: Contract): Fault[] => {
  const known = new Set(contract.requirements.map(({ id }) => id));
  return contract.operations
    .flatMap((operation) => faultsOf(contract, operation))
    .filter(({ violates }) => known.has(violates));
};

const faultsOf = ({ service, generalStatuses }: Contract, operation: Operation): Fault[] => {
  const { operationId, requestBody, parameters, unauthenticated: refused = [] } = operation;
  const { schemaRequirement = "", optionalRequirement = "" } = requestBody ?? {};
  const other = SUCCESSES.find(
    (code) => responseOf(operation, code) === undefined && !generalStatuses.includes(code),
  );
  const own = (requirement: string, ...[name, effects]: Parameters<ReturnType<typeof violating>>): Fault =>
    violating(service, `${service}.${operationId}.${requirement}`)(name, effects);
  const paths = parameters.filter(({ in: place }) => place === "path");
  return [
    ...(other ? [own("documented-statuses", "other-success", becomes(operation, other))] : []),
    own("success", "refused", becomes(operation, 400)),
    own("success", "failing", becomes(operation, 500)),
    own("unauthenticated", "open", `open-${operationId}`),
    own("wrong-credentials", "accepted", `unchecked-${operationId}`),
    refused.includes(403)
      ? own("unauthenticated", "invalid", status(400, { operationId, status: 401 }))
      : own("unauthenticated", "forbidden", status(403, { operationId, status: 401 })),
    ...[OWN_RESOURCE, DISTINCT_IDS].flatMap((requirement) => [
      own(requirement, "cached-by-operation", `first-answer-repeated-${operationId}`),
      own(requirement, "simultaneous-calls-mixed", `simultaneous-answers-shared-${operationId}`),
    ]),
    own(STALE, "accepted", `stale-accepted-${operationId}`),
    own(REQUEST_TYPE, "accepted", `any-content-type-${operationId}`),
    ...(isReadAsJson(operation)
      ? [
          own("response.body", "empty", empty({ operationId, status: 200 })),
          own("response.body", "cut", cutShort({ operationId, status: 200 })),
        ]
      : []),
    ...paths.flatMap(({ name }) => [
      own(`unknown-${name}`, "accepted", accepts(operation)),
      own(`unknown-${name}`, "failing", status(500, { operationId, status: 404 })),
    ]),
    violating(service, schemaRequirement)(`${operationId}-refused`, becomes(operation, 400)),
    violating(service, optionalRequirement)(`${operationId}-demanded`, `body-demanded-${operationId}`),
  ];
};

/** Whether a call reads something that its document describes as JSON, and as nothing else. */
const isReadAsJson = (operation: Operation): boolean => {
  const { content = {} } = responseOf(operation, 200) ?? {};
  const [[type, schema = {}] = []] = Object.entries(content);
  return (
    operation.method === "GET" &&
    type === JSON_TYPE &&
    Object.keys(content).length === 1 &&
    Object.keys(schema).length > 0
  );
};

/** Answers a request for an unknown resource with success instead of 404. */
export const accepts = ({ operationId, responses }: Operation): AnswerEffect[] => {
  const when = { operationId, status: 404 };
  const to = Math.min(...Object.keys(responses).map(Number));
  return [...status(to, when), ...json(when, "", {})];
};

/** Statuses of success. An operation leaves one of them undocumented, unless it documents the whole class. */
const SUCCESSES = [202, 203, 206, 226];

const becomes = ({ operationId, responses }: Operation, to: number): AnswerEffect[] =>
  Object.values(responses)
    .filter((response) => response.status < 300)
    .flatMap((response) => status(to, { operationId, status: response.status }));
