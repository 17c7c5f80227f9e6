/** The calls by which the doctor examines a service: a log-in, a read, and a request for a path that does not exist. */
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import type { Contract, Operation } from "../../helpers/contract/contract.ts";
import { createValidator } from "../../helpers/contract/schema-validator.ts";
import { serviceDescriptor } from "../../helpers/contract/services.ts";
import { NoValue } from "../../helpers/generate/later.ts";
import type { Target } from "../../helpers/target/target.ts";
import { type Arranger, needing } from "../../helpers/trials/arrange.ts";
import type { Call } from "../../helpers/trials/call.ts";
import { sourcesOf } from "../../helpers/trials/sources.ts";
import { NotTried } from "../../helpers/trials/stopped.ts";
import { validCalls } from "../../helpers/trials/valid-call.ts";

/** Returns the operation that issues tokens, if there is one. */
export const logInOf = ({ operations }: Contract): Operation | undefined =>
  operations.find(({ token }) => token !== undefined);

/**
 * Returns the operation that shows most for the least harm: it needs no resource in its path, changes nothing if
 * possible, and documents how it refuses credentials.
 */
export const sampleOperation = (contract: Contract): Operation | undefined =>
  contract.operations
    .filter((one) => one !== logInOf(contract) && isHarmless(one))
    .map((operation) => ({ operation, worth: worthOf(operation) }))
    .sort((a, b) => b.worth - a.worth)[0]?.operation;

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

/** A call, and whether its body is known to be valid by the contract. */
export interface SampleCall {
  readonly call: Call;
  readonly isValid: boolean;
}

/**
 * Returns a valid call with the configured resources only. If these do not suffice, returns a call with an empty body,
 * whose answer still shows whether the service is reached.
 */
export const sampleCall = async (
  contract: Contract,
  operation: Operation,
  target: Target,
): Promise<SampleCall> => {
  try {
    return { call: await configuredCall(contract, operation, target), isValid: true };
  } catch (error) {
    if (!(error instanceof NoValue || error instanceof NotTried)) throw error;
    return { call: { operationId: operation.operationId, json: {} }, isValid: false };
  }
};

/**
 * @param kind `disposable` to use the account that a test may lock instead of the user's own
 * @throws NotTried when a setting is missing
 */
export const configuredCall = async (
  contract: Contract,
  operation: Operation,
  target: Target,
  kind: "own" | "disposable" = "own",
): Promise<Call> => {
  const sources = sourcesOf(contract.service);
  const arrange = fromSettings((resource) => {
    const setting =
      (kind === "disposable" ? sources[`disposable-${resource}`] : undefined) ?? sources[resource];
    const value = setting && target.values[setting.name];
    return value === undefined
      ? { missing: setting === undefined ? `needs ${resource}` : `set ${setting.name}` }
      : { value };
  });
  const context = { contract, validator: createValidator(contract), arrange, tag: randomUUID().slice(0, 6) };
  const { calls } = await validCalls(context, operation);
  const [call] = fc.sample(calls, { numRuns: 1, seed: 1, unbiased: true });
  return call as Call;
};

const fromSettings = (
  read: (resource: string) => { readonly value: string } | { readonly missing: string },
): Arranger => {
  const arranger: Arranger = {
    ...needing(async (resource) => read(resource)),
    exclusive: () => arranger,
    mutable: () => arranger,
    others: () => arranger,
  };
  return arranger;
};

/** Whether the service has a second account that tests may lock, and the user configured it. */
export const hasDisposableAccount = ({ service }: Contract, { values }: Target): boolean =>
  serviceDescriptor(service).settings.some(
    ({ name, account }) => account === "disposable" && values[name] !== undefined,
  );

/** Returns a call of a path that no service has. */
export const unknownPath = (operation: Operation): Call => ({
  operationId: operation.operationId,
  method: "GET",
  at: `/${randomUUID()}`,
});
