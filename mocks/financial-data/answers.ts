/** How the sections answer: bodies filled up from the contract, and refusals in its shape. */

import type { JsonSchema, Operation } from "../../helpers/contract/contract.ts";
import type { Answer, Refusal } from "../engine/service.ts";
import type { Completer, Made } from "../engine/values/complete.ts";
import type { Fields } from "../engine/values/fields.ts";
import { oncePer } from "../engine/values/once-per.ts";
import type { Call } from "./faults.ts";
import refusals from "./refusals.json" with { type: "json" };
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

/** The lowest documented status of success. */
const successStatus = oncePer(({ responses }: Operation): number => {
  const statuses = Object.values(responses).map(({ status }) => status);
  return Math.min(...statuses.filter((status) => status < 300 && status !== 203));
});

/** A handler refuses by throwing one: `throw refused("unknown-customer")`. */
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

/** @param of what the message is about, where it leaves room for it */
export const refused = (
  reason: Reason,
  { of = "", status = REFUSALS[reason].status }: { readonly of?: string; readonly status?: number } = {},
): RefusedError => {
  const { message, code = codeOf(status) } = REFUSALS[reason];
  return new RefusedError(
    status,
    reason,
    message.replace("{}", () => of),
    code,
  );
};

export type Reason = keyof typeof refusals;

/** `code`: number of the error in the body; one is made from the status if absent. */
const REFUSALS: Readonly<
  Record<Reason, { readonly status: number; readonly message: string; readonly code?: number }>
> = refusals;

/** @throws RefusedError where there is none */
export const existing = <Thing>(thing: Thing | undefined, reason: Reason): Thing => {
  if (thing === undefined) throw refused(reason);
  return thing;
};

/** Where the operation documents no 404, what the body names in vain makes the request a bad one. */
export const missing = ({ operation }: Call, reason: Reason): RefusedError =>
  refused(reason, { status: operation.responses[404] === undefined ? 400 : 404 });

const CODES: Readonly<Record<number, number>> = { 400: 10_400, 401: 10_022, 404: 14_001, 409: 11_000 };

const codeOf = (status: number): number => CODES[status] ?? 10_000 + status;

/** The body of a refusal in the shape that the contract gives its status, or any status of the operation. */
export const refusalAnswer = (
  complete: Completer | undefined,
  operation: Operation | undefined,
  { status, reason, message, code }: Pick<RefusedError, "status" | "reason" | "message" | "code">,
): Answer => {
  const plain = { code, message };
  const schema = operation && (jsonSchemaOf(operation, status) ?? anyRefusalSchema(operation));
  if (schema === undefined || complete === undefined) return { status, json: plain, cause: reason };
  const shape = complete(schema, {}, "refusal", "required") as object;
  const known = Object.hasOwn(shape, "Errors") ? { Errors: { Error: [itemOf(code, message)] } } : plain;
  return { status, json: complete(schema, known, "refusal", "required"), cause: reason };
};

/** How some operations wrap what went wrong. */
const itemOf = (code: string | number, message: string): Fields => ({
  Source: "sandbox",
  ReasonCode: String(code),
  Description: message,
  Recoverable: false,
});

const anyRefusalSchema = ({ responses }: Operation): JsonSchema | undefined =>
  Object.values(responses)
    .filter(({ status }) => status >= 400)
    .map(({ content }) => content["application/json"])
    .find((schema) => schema !== undefined);

export const jsonSchemaOf = ({ responses }: Operation, status: number): JsonSchema | undefined =>
  responses[status]?.content["application/json"];

export const refusedBySandbox = ({ status, cause, message }: Refusal): RefusedError =>
  new RefusedError(status, cause, message, codeOf(status));
