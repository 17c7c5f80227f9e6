/** How the sections answer: bodies filled up from the contract, and refusals in its shape. */

import type { Contract, JsonSchema, Operation } from "../../helpers/contract/contract.ts";
import type { Answer, Refusal } from "../engine/service.ts";
import { type Completer, completerOf, type Made } from "../engine/values/complete.ts";
import type { Fields } from "../engine/values/fields.ts";
import type { Call } from "./faults.ts";
import type { World } from "./world/world.ts";

export interface SuccessOptions {
  /** The lowest documented success status if absent. */
  readonly status?: number;
  /** What the made values depend on: the id of the resource. The path of the call if absent. */
  readonly key?: string;
  readonly made?: Made;
}

/** The documented success with what is known, filled up from the schema of the operation. */
export const success = (
  world: World,
  { operation, path }: Call,
  known: unknown = {},
  { status = successStatus(operation), key = JSON.stringify(path), made = "optional" }: SuccessOptions = {},
): Answer => {
  const schema = jsonSchemaOf(operation, status);
  if (schema === undefined) return { status };
  return { status, json: world.complete(schema, known, `${operation.operationId} ${key}`, made) };
};

const successStatuses = new WeakMap<Operation, number>();

/** The lowest documented status of success. */
const successStatus = (operation: Operation): number => {
  const known = successStatuses.get(operation);
  if (known !== undefined) return known;
  const statuses = Object.values(operation.responses).map(({ status }) => status);
  const lowest = Math.min(...statuses.filter((status) => status < 300 && status !== 203));
  successStatuses.set(operation, lowest);
  return lowest;
};

/** A handler refuses by throwing one: `throw refused(404, "unknown-customer", "There is no such customer.")`. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
  readonly status: number;
  /** Single word of its own for each reason, by which faults find the answer. */
  readonly reason: string;
  readonly code: string | number;
  constructor(status: number, reason: string, message: string, code: string | number) {
    super(message);
    this.status = status;
    this.reason = reason;
    this.code = code;
  }
}

/** @param code number of the error in the body; one is made from the status if absent */
export const refused = (
  status: number,
  reason: string,
  message: string,
  code: string | number = CODES[status] ?? 10_000 + status,
): RefusedError => new RefusedError(status, reason, message, code);

/** @throws RefusedError with 404 where there is none */
export const existing = <Thing>(thing: Thing | undefined, reason: string, message: string): Thing => {
  if (thing === undefined) throw refused(404, reason, message);
  return thing;
};

const CODES: Readonly<Record<number, number>> = { 400: 10_400, 401: 10_022, 404: 14_001, 409: 11_000 };

/** The body of a refusal in the shape that the contract gives its status, or any status of the operation. */
export const refusalAnswer = (
  world: { readonly complete: Completer } | undefined,
  operation: Operation | undefined,
  { status, reason, message, code }: Pick<RefusedError, "status" | "reason" | "message" | "code">,
): Answer => {
  const plain = { code, message };
  const schema = operation && (jsonSchemaOf(operation, status) ?? anyRefusalSchema(operation));
  if (schema === undefined || world === undefined) return { status, json: plain, cause: reason };
  const shape = world.complete(schema, {}, "refusal", "required") as object;
  const known = Object.hasOwn(shape, "Errors") ? { Errors: { Error: [itemOf(code, message)] } } : plain;
  return { status, json: world.complete(schema, known, "refusal", "required"), cause: reason };
};

/** How some operations wrap what went wrong. */
const itemOf = (code: string | number, message: string): Fields => ({
  Source: "sandbox",
  ReasonCode: String(code),
  Description: message,
  Recoverable: false,
});

/** For refusals that are decided before any world is asked. */
export const completerFor = (contract: Contract): { readonly complete: Completer } => {
  const known = completers.get(contract);
  if (known !== undefined) return known;
  const fresh = { complete: completerOf(contract.schemas, 0, 0) };
  completers.set(contract, fresh);
  return fresh;
};

const completers = new WeakMap<Contract, { readonly complete: Completer }>();

const anyRefusalSchema = ({ responses }: Operation): JsonSchema | undefined =>
  Object.values(responses)
    .filter(({ status }) => status >= 400)
    .map(({ content }) => content["application/json"])
    .find((schema) => schema !== undefined);

export const jsonSchemaOf = ({ responses }: Operation, status: number): JsonSchema | undefined =>
  responses[status]?.content["application/json"];

export const refusedBySandbox = ({ status, cause, message }: Refusal): RefusedError =>
  refused(status, cause, message);
