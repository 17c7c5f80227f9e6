/** Checks that a correlation id traces one enrollment. */
import { isDeepStrictEqual } from "node:util";
import { isObject } from "../../../../../helpers/contract/json.ts";
import { atPointer } from "../../../../../helpers/contract/pointer.ts";
import { HOLDS } from "../../../../../helpers/exchange/check-result.ts";
import { isAccepted } from "../../../../../helpers/exchange/exchange.ts";
import { isAbsent } from "../../../../../helpers/traffic/absent.ts";
import { Memory } from "../../../../../helpers/traffic/memory.ts";
import type { Seen } from "../../../../../helpers/traffic/seen.ts";
import { broken, history, isRedacted } from "../../../judging/check.ts";

const ID = "/srcCorrelationId";
const SEALED = "/encryptedCard";

export const tracesOneRequest = history("two enrollments with srcCorrelationId", ({ show }) => {
  const accepted = new Memory<string, Seen>();
  return (seen) => {
    const { exchange, body } = seen;
    const id = atPointer(body, ID);
    if (exchange.operationId !== "putCard" || typeof id !== "string" || isRedacted(id)) return;
    const before = accepted.get(id);
    if (before !== undefined && areDifferent(before, seen)) show(SHARED, seen, before);
    else if (before === undefined && accepted.size > 0 && isAccepted(exchange)) show(HOLDS, seen);
    // A client may correct a refused enrollment under its id.
    if (isAccepted(exchange)) accepted.set(id, seen);
  };
});

/** Encryption gives the same card another text each time, so the texts alone show no difference. */
const areDifferent = (before: Seen, seen: Seen): boolean => {
  if ([before, seen].some(({ exchange }) => isAbsent(exchange.request.body))) return false;
  if (before.marks.body === seen.marks.body) return false;
  const isSealed = [before, seen].every(({ body }) => atPointer(body, SEALED) !== undefined);
  const isOpened = [before, seen].every(({ opened }) => SEALED in opened);
  return !isSealed || isOpened || !isDeepStrictEqual(restOf(before.body), restOf(seen.body));
};

const restOf = (body: unknown): unknown => {
  if (!isObject(body)) return body;
  const { encryptedCard: _, srcCorrelationId: __, ...rest } = body;
  return rest;
};

const SHARED = broken({
  pointer: ID,
  message: "two different enrollments have one srcCorrelationId",
  ...{ expected: "a srcCorrelationId for each request", actual: "the same one" },
});
