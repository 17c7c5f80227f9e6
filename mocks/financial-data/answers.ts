/** Builds the answers of the sections: bodies completed from the contract, and refusals in its shape. */
import type { JsonSchema, Operation } from "../../helpers/contract/contract.ts";
import { getOrInsert, memoize } from "../../helpers/contract/memoize.ts";
import { successStatuses } from "../../helpers/contract/operation-requirements.ts";
import type { Answer } from "../engine/call.ts";
import { besideSent, namedIn, sentIn } from "../engine/sent-values.ts";
import type { Completer, CreatedResource } from "../engine/values/complete.ts";
import { type Fields, fieldsIn, isObject } from "../engine/values/fields.ts";
import type { Call } from "./calls.ts";
import refusals from "./refusals.json" with { type: "json" };
import type { State } from "./state/state.ts";

/**
 * Builds the documented success from the known values and completes it from the schema of the operation.
 * @param options `status`: the lowest documented success if absent; `key`: determines the generated values: the id of
 *   the resource, or the path of the call if absent
 */
export const success = (
  state: State,
  call: Call,
  known: unknown = {},
  options: { readonly status?: number; readonly key?: string; readonly made?: CreatedResource } = {},
): Answer => {
  const { operation, path } = call;
  const { status = successStatus(operation), key = JSON.stringify(path), made = "optional" } = options;
  const schema = jsonSchemaOf(operation, status);
  if (schema === undefined) return status === CHALLENGED ? { status, json: CHALLENGE } : { status };
  const whole = `${operation.operationId} ${key}`;
  if (state.contract.provider === null) return { status, json: state.complete(schema, known, whole, made) };
  // The provider's document may show fields of the request that our contract does not show.
  const shown = isObject(known) ? besideSent(known, sentIn(call, schema)) : known;
  return { status, json: state.complete(schema, shown, whole, made, namedIn(call)) };
};

/** Whether the document demands a field in the success of the operation. */
export const demandsInSuccess = (state: State, { operation }: Call, name: string): boolean => {
  const schema = jsonSchemaOf(operation, successStatus(operation)) ?? {};
  return Object.hasOwn(fieldsIn(state.complete(schema, { [name]: undefined }, name, "required")), name);
};

/** The status of a multi-factor challenge. */
export const CHALLENGED = 203;

/** The question of a challenge, as real services ask it. The document shows no body. */
export const CHALLENGE = { questions: [{ text: "What is your code?", image: null }] };

const successStatus = memoize((operation: Operation): number => Math.min(...successStatuses(operation)));

interface Refused {
  readonly status: number;
  /** A unique word for each reason, by which faults select the answer. */
  readonly cause: string;
  readonly message: string;
  /** The error number in the body; derived from the status if absent. */
  readonly code?: number;
}

/** A refusal that a handler throws: `throw refused("unknown-customer")`. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
  readonly refusal: Refused;
  constructor(refusal: Refused) {
    // The stack of a refusal is never read, and collecting it takes longer than most handlers.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(refusal.message);
    Error.stackTraceLimit = stackTraceLimit;
    this.refusal = refusal;
  }
}

/** @param of the subject of the message, for messages with a placeholder */
export const refused = (
  reason: Reason,
  { of = "", status = REFUSALS[reason].status }: { readonly of?: string; readonly status?: number } = {},
): RefusedError => {
  const message = REFUSALS[reason].message.replace("{}", () => of);
  return new RefusedError({ ...REFUSALS[reason], status, cause: reason, message });
};

export type Reason = keyof typeof refusals;

const REFUSALS: Readonly<Record<Reason, Omit<Refused, "cause">>> = refusals;

/** @throws RefusedError when the value is `undefined` */
export const existing = <Resource>(resource: Resource | undefined, reason: Reason): Resource => {
  if (resource === undefined) throw refused(reason);
  return resource;
};

/** Refuses an unknown resource that the body names, with 400 if the operation does not document 404. */
export const missing = ({ operation }: Call, reason: Reason): RefusedError =>
  refused(reason, { status: operation.responses[404] === undefined ? 400 : 404 });

/** Whether the refusals of a schema have the errors in a list. */
const listsErrors = new WeakMap<JsonSchema, boolean>();

const CODES: Readonly<Record<number, number>> = { 400: 10_400, 401: 10_022, 404: 14_001, 409: 11_000 };

/** Builds the body of a refusal in the contract's shape for the status, or for any error of the operation. */
export const refusalAnswer = (
  complete: Completer | undefined,
  operation: Operation | undefined,
  { status, cause, message, code = CODES[status] ?? 10_000 + status }: Refused,
): Answer => {
  const plain = { code, message };
  const schema = operation && (jsonSchemaOf(operation, status) ?? anyRefusalSchema(operation));
  if (schema === undefined || complete === undefined) return { status, json: plain, cause };
  const isListed = getOrInsert(listsErrors, schema, () =>
    Object.hasOwn(complete(schema, {}, "refusal", "required") as object, "Errors"),
  );
  const known = isListed ? { Errors: { Error: [itemOf(code, message)] } } : plain;
  return { status, json: complete(schema, known, "refusal", "required"), cause };
};

/** Builds the error item that some operations use. */
const itemOf = (code: number, message: string): Fields => ({
  Source: "sandbox",
  ReasonCode: String(code),
  Description: message,
  Recoverable: false,
});

const anyRefusalSchema = ({ responses }: Operation): JsonSchema | undefined =>
  Object.values(responses).find(
    ({ status, content }) => status >= 400 && content["application/json"] !== undefined,
  )?.content["application/json"];

export const jsonSchemaOf = ({ responses }: Operation, status: number): JsonSchema | undefined =>
  responses[status]?.content["application/json"];
