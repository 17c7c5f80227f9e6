/** Derives the requirements that every operation has from its documented statuses and its security. */
import type { Operation, Parameter, Requirement } from "./contract.ts";

/** @param source document and section, as requirements cite them */
export const operationRequirements = (operation: Operation, source: string): Requirement[] => {
  const { operationId, service, level } = operation;
  const row = (suffix: string, kind: string, statement: string): Requirement => ({
    id: `${service}.${operationId}.${suffix}`,
    service,
    level,
    statement,
    source,
    operations: [operationId],
    kind,
    subject: "service",
    observable: "needs-setup",
    hazards: operation.hazards,
    setup: "a call that the service accepts",
  });
  const success = successStatuses(operation).join(" or ");
  return [
    row("success", "status", `${operationId} answers a valid call with ${success}.`),
    ...(operation.security.length > 1
      ? [row("unauthenticated", "auth", `${operationId} refuses a call without credentials with 401.`)]
      : []),
    ...identifiersOf(operation).map(({ name }) =>
      row(`unknown-${name}`, "status", `${operationId} answers 404 to an unknown ${name}.`),
    ),
  ];
};

/** Returns the documented success statuses. Excludes 203, which asks the client for more input first. */
export const successStatuses = ({ responses }: Operation): number[] =>
  Object.values(responses)
    .map(({ status }) => status)
    .filter((status) => status >= 200 && status < 300 && status !== 203);

/** Returns the path parameters for which the document answers an unknown value with 404. */
export const identifiersOf = ({ parameters, responses }: Operation): Parameter[] =>
  responses["404"] === undefined
    ? []
    : parameters.filter((parameter) => parameter.in === "path" && parameter.resource !== undefined);
