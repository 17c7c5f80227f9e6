/** The calls by which the doctor examines a service: a log-in, a read, and a request for a path that does not exist. */
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import type { Contract, Operation } from "../../helpers/contract/contract.ts";
import { creates, mayAlwaysRefuse } from "../../helpers/contract/lookups.ts";
import { memoize } from "../../helpers/contract/memoize.ts";
import { createValidator } from "../../helpers/contract/schemas/schema-validator.ts";
import { NoValue } from "../../helpers/generate/later.ts";
import { NOTHING } from "../../helpers/situations/sandbox-capabilities.ts";
import type { Target } from "../../helpers/target/target.ts";
import { createArranger } from "../../helpers/trials/arrange.ts";
import type { Call } from "../../helpers/trials/call.ts";
import { grantCalls, grantOperation } from "../../helpers/trials/grant.ts";
import { type Sources, sourcesOf } from "../../helpers/trials/sources.ts";
import { NotTried } from "../../helpers/trials/stopped.ts";
import { validCalls } from "../../helpers/trials/valid-call.ts";

/** Returns the operation that issues tokens, if there is one. */
export const logInOf = memoize(
  (contract: Contract): Operation | undefined =>
    contract.operations.find(({ token }) => token !== undefined) ?? grantOperation(contract),
);

/**
 * Returns the harmless operations. The first one shows most: it changes nothing if possible, needs no parameter, and
 * documents how it refuses credentials.
 */
export const sampleOperations = (contract: Contract): Operation[] =>
  contract.operations
    .filter((one) => one !== logInOf(contract) && isHarmless(one))
    .sort((a, b) => worthOf(b) - worthOf(a));

const isHarmless = (operation: Operation): boolean =>
  operation.hazards.length === 0 &&
  !mayAlwaysRefuse(operation) &&
  (operation.method === "GET" || !needsValues(operation));

/** Whether a call needs values that only the service may know. */
export const needsValues = ({ parameters }: Operation): boolean =>
  parameters.some(({ required }) => required);

const worthOf = (operation: Operation): number =>
  (operation.method === "GET" || operation.list !== undefined ? 16 : 0) +
  (needsValues(operation) ? 0 : 8) +
  (creates(operation) ? 0 : 4) +
  (operation.responses[401] !== undefined || operation.responses[403] !== undefined ? 2 : 0) +
  (operation.method === "GET" ? 1 : 0);

/**
 * Returns a valid call with the configured resources only. If these do not suffice, returns a read with made identifiers.
 * If the call would create something, returns one with an empty body, whose answer still shows whether the service is
 * reached.
 */
export const sampleCall = async (
  contract: Contract,
  operation: Operation,
  target: Target,
): Promise<{ readonly call: Call; readonly isValid: boolean }> => {
  try {
    if (creates(operation)) throw new NoValue("the doctor creates nothing");
    return { call: await configuredCall(contract, operation, target), isValid: true };
  } catch (error) {
    if (!(error instanceof NoValue || error instanceof NotTried)) throw error;
    const { operationId, method } = operation;
    const made = method === "GET" ? await madeCall(contract, operation, target) : { operationId, json: {} };
    return { call: made, isValid: false };
  }
};

/** Returns a call with made values in place of what the configuration does not name. */
const madeCall = (contract: Contract, operation: Operation, target: Target): Promise<Call> => {
  const sources = sourcesOf(contract.service);
  const parameters = operation.parameters.map(({ resource, ...parameter }) => ({
    ...parameter,
    ...(resource !== undefined && target.values[sources[resource]?.name ?? ""] !== undefined && { resource }),
  }));
  return drawnCall(contract, { ...operation, needs: [], parameters }, target, sources);
};

/** @throws NotTried when a setting is missing, or NoValue when the call needs what only another call creates */
export const configuredCall = async (
  contract: Contract,
  operation: Operation,
  target: Target,
  sources: Sources = sourcesOf(contract.service),
): Promise<Call> => {
  const [grant] = contract.operations.includes(operation) ? [] : grantCalls(contract, target);
  return grant ?? drawnCall(contract, operation, target, sources);
};

const drawnCall = async (
  contract: Contract,
  operation: Operation,
  target: Target,
  sources: Sources,
): Promise<Call> => {
  const arrange = createArranger({
    ...{ contract, target, sources, capabilities: NOTHING, bindings: {} },
    call: async () => {
      throw new NoValue("the doctor creates nothing");
    },
  });
  const context = { contract, validator: createValidator(contract), arrange, tag: randomUUID().slice(0, 6) };
  const { calls } = await validCalls(context, operation);
  const [call] = fc.sample(calls, { numRuns: 1, seed: 1, unbiased: true });
  return call as Call;
};

/**
 * Returns the settings of a service with a second account that tests may lock in place of the user's own; `undefined`
 * if the user configured none.
 */
export const disposableSources = ({ service }: Contract, { values }: Target): Sources | undefined => {
  const sources = sourcesOf(service);
  const isConfigured = Object.values(sources).some(
    ({ name, account }) => account === "disposable" && values[name] !== undefined,
  );
  const others = Object.entries(sources).flatMap(([resource, setting]) => {
    const [, own] = /^disposable-(.+)$/.exec(resource) ?? [];
    return own === undefined ? [] : [[own, setting]];
  });
  return isConfigured ? { ...sources, ...Object.fromEntries(others) } : undefined;
};

/** Returns a call of a path that no service has. */
export const unknownPath = (operation: Operation): Call => ({
  operationId: operation.operationId,
  method: "GET",
  at: `/${randomUUID()}`,
});
