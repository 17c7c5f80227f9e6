/** The calls by which the doctor examines a service: a log-in, a read, and a request for a path that does not exist. */
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import type { Contract, Operation } from "../../helpers/contract/contract.ts";
import { oncePer } from "../../helpers/contract/once.ts";
import { createValidator } from "../../helpers/contract/schema-validator.ts";
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
export const logInOf = oncePer(
  (contract: Contract): Operation | undefined =>
    contract.operations.find(({ token }) => token !== undefined) ?? grantOperation(contract),
);

/**
 * Returns the operation that shows most for the least harm: it needs no resource in its path, changes nothing if
 * possible, and documents how it refuses credentials.
 */
export const sampleOperation = (contract: Contract): Operation | undefined =>
  contract.operations
    .filter((one) => one !== logInOf(contract) && isHarmless(one))
    .sort((a, b) => worthOf(b) - worthOf(a))[0];

const isHarmless = ({ hazards, outbound, internal, beta, legacy, parameters }: Operation): boolean =>
  hazards.length === 0 &&
  !outbound &&
  !internal &&
  !beta &&
  !legacy &&
  !parameters.some(({ required }) => required);

const worthOf = ({ method, list, produces, responses }: Operation): number =>
  (method === "GET" || list !== undefined ? 8 : 0) +
  (produces.length === 0 ? 4 : 0) +
  (responses[401] !== undefined || responses[403] !== undefined ? 2 : 0) +
  (method === "GET" ? 1 : 0);

/**
 * Returns a valid call with the configured resources only. If these do not suffice, or it would create a resource, returns
 * a call with an empty body, whose answer still shows whether the service is reached.
 */
export const sampleCall = async (
  contract: Contract,
  operation: Operation,
  target: Target,
): Promise<{ readonly call: Call; readonly isValid: boolean }> => {
  try {
    if (operation.produces.length > 0) throw new NotTried("the doctor creates nothing");
    return { call: await configuredCall(contract, operation, target), isValid: true };
  } catch (error) {
    if (!(error instanceof NoValue || error instanceof NotTried)) throw error;
    return { call: { operationId: operation.operationId, json: {} }, isValid: false };
  }
};

/** @throws NotTried when a setting is missing */
export const configuredCall = async (
  contract: Contract,
  operation: Operation,
  target: Target,
  sources: Sources = sourcesOf(contract.service),
): Promise<Call> => {
  const [grant] = contract.operations.includes(operation) ? [] : grantCalls(contract, target);
  if (grant !== undefined) return grant;
  const arrange = createArranger({
    ...{ contract, target, sources, capabilities: NOTHING, bindings: {} },
    call: async () => {
      throw new NotTried("the doctor creates nothing");
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
