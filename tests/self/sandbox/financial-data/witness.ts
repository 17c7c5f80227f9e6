/** Calls operations of financial data, checks each body against the contract, and records the statuses. */
import { expect } from "@playwright/test";
import type { Contract, Operation } from "../../../../helpers/contract/contract.ts";
import { createValidator, type Validator } from "../../../../helpers/contract/schema-validator.ts";
import { type Answered, type Client, credentialled } from "./client.ts";

export interface Witness {
  /** Calls the operation and expects the status, with a body that matches the contract. */
  see(
    operationId: string,
    status: number,
    path?: Record<string, string>,
    body?: unknown,
    query?: string,
  ): Promise<Answered>;
  /** Calls each of the operations with a token that the sandbox did not issue. */
  seeUnauthorized(operationIds: readonly string[]): Promise<void>;
  /** Returns the documented statuses of the operations that no call has returned. */
  missing(operationIds: readonly string[]): string[];
}

export const witnessOf = (contract: Contract, client: Client): Witness => {
  const { validate } = validatorOf(contract);
  const seen = new Set<string>();
  const operationWith = (operationId: string): Operation => {
    const operation = contract.operations.find((candidate) => candidate.operationId === operationId);
    if (operation === undefined) throw new Error(`No operation ${operationId}`);
    return operation;
  };
  const hold = (operationId: string, status: number, answered: Answered): Answered => {
    expect([operationId, answered.status, answered.text]).toEqual([operationId, status, expect.any(String)]);
    const { responses } = operationWith(operationId);
    const schema = responses[status]?.content["application/json"];
    if (schema !== undefined)
      expect([operationId, validate(schema, answered.json)]).toEqual([operationId, []]);
    else if (status < 300) expect([operationId, answered.text]).toEqual([operationId, ""]);
    seen.add(`${operationId} ${status}`);
    return answered;
  };
  return {
    see: async (operationId, status, path = {}, body = undefined, query = "") =>
      hold(operationId, status, await client.operate(operationId, path, body, query)),
    seeUnauthorized: async (operationIds) => {
      const unauthenticated = credentialled(contract, client.environment, "none");
      for (const operationId of operationIds)
        hold(operationId, 401, await unauthenticated.operate(operationId));
    },
    missing: (operationIds) =>
      operationIds.flatMap((operationId) =>
        Object.keys(operationWith(operationId).responses)
          .map((status) => `${operationId} ${status}`)
          .filter((pair) => !seen.has(pair)),
      ),
  };
};

/** Returns one shared validator per contract, because compiling the schemas takes longer than most tests. */
export const validatorOf = (contract: Contract): Validator => {
  const validator = validators.get(contract) ?? createValidator(contract);
  validators.set(contract, validator);
  return validator;
};

const validators = new WeakMap<Contract, Validator>();
