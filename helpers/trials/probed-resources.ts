/** Knows the resources that accepted probes stored, so that no answer that shows one is held against the target. */
import type { Contract, Operation } from "../contract/contract.ts";
import { isObject } from "../contract/json.ts";
import { getOrInsert, memoize } from "../contract/memoize.ts";
import { segmentsOf } from "../contract/pointer.ts";
import { type Exchange, isAccepted } from "../exchange/exchange.ts";
import type { Call } from "./call.ts";
import { identifiersOf } from "./created-resources.ts";
import { idsGivenBy } from "./resource-providers.ts";

/** The ids of the resources. */
export interface ProbedIds {
  has(id: string): boolean;
  add(id: string): unknown;
}

/** By session. */
const probed = new WeakMap<object, ProbedIds>();

/** Lets a session know what the probes of all sessions of its run stored. */
export const shareProbed = (session: object, ids: ProbedIds): void => {
  probed.set(session, ids);
};

/** Notes the resource that a probe made or changed, if the probe may be invalid and was accepted. */
export const noteProbed = (
  session: object,
  operation: Operation,
  call: Call,
  exchange: Exchange,
  bindings: Readonly<Record<string, string>>,
): void => {
  if (call.role !== "probe" || (call.judged ?? true) === true || !isAccepted(exchange)) return;
  const known = getOrInsert(probed, session, (): ProbedIds => new Set<string>());
  const changed = CHANGING.includes(operation.method)
    ? Object.values(identifiersOf(operation, call)).at(-1)
    : undefined;
  if (changed !== undefined) known.add(changed);
  else
    for (const { value, isChosen } of idsGivenBy(operation, exchange, bindings))
      if (!isChosen) known.add(value);
};

const CHANGING: readonly string[] = ["PUT", "PATCH"];

/** Whether the value at a pointer of a body is part of a resource that an accepted probe of the session stored. */
export const isProbed = (session: object, contract: Contract, body: unknown, pointer: string): boolean => {
  const ids = probed.get(session);
  if (ids === undefined) return false;
  const fields = idFieldsOf(contract);
  const isOne = (value: unknown): boolean =>
    isObject(value) && fields.some((field) => ids.has(String(value[field])));
  let value = body;
  if (isOne(value)) return true;
  for (const segment of segmentsOf(pointer)) {
    value = Array.isArray(value) || isObject(value) ? (value as Record<string, unknown>)[segment] : undefined;
    if (isOne(value)) return true;
  }
  return false;
};

/** The names of the fields in which answers show the ids of their resources. */
const idFieldsOf = memoize(({ operations }: Contract): readonly string[] => [
  ...new Set(
    operations.flatMap(({ produces, finds }) =>
      [...produces, ...finds].flatMap(({ pointer }) => segmentsOf(pointer).at(-1) ?? []),
    ),
  ),
]);
