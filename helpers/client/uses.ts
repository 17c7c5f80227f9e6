/** Notes what a client uses of its services: operations, the fields that it sends, and the fields of answers that it sends on. */
import type { Service } from "../contract/contract.ts";
import { keptIn } from "../contract/once.ts";
import { escapeSegment } from "../contract/pointer.ts";
import { isAccepted } from "../exchange/exchange.ts";
import { Memory } from "../traffic/memory.ts";
import type { Seen } from "../traffic/seen.ts";

export const USES_FORMAT = "uses/1";

/** The use of one operation. A field is a JSON pointer with `*` for items; a parameter is its name. */
export interface OperationUse {
  readonly requests: number;
  readonly sent: readonly string[];
  /** The fields of answers whose values a later request has. What a client only shows or stores is not seen. */
  readonly read: readonly string[];
}

export interface Uses {
  readonly format: typeof USES_FORMAT;
  readonly services: Readonly<Record<Service, Readonly<Record<string, OperationUse>>>>;
}

interface Noted {
  requests: number;
  readonly sent: Set<string>;
  readonly read: Set<string>;
}

const VALUES_KEPT = 20_000;
const FIELDS_KEPT = 200;
/** Shorter values occur in several fields by chance. */
const SHORTEST = 5;

export const createUses = () => {
  const services = new Map<Service, Map<string, Noted>>();
  /** The fields of answers by their values. */
  const answered = new Memory<string, readonly [Noted, string]>(VALUES_KEPT);
  const add = (fields: Set<string>, field: string): void => {
    if (fields.size < FIELDS_KEPT) fields.add(field);
  };
  const noteSent = (noted: Noted, { query, body, path }: Seen): void => {
    const leaves = leavesOf(body);
    for (const name of query.keys()) add(noted.sent, named(name));
    for (const [pointer] of leaves) add(noted.sent, pointer);
    const values = [...Object.values(path), ...query.values(), ...leaves.map(([, value]) => value)];
    for (const value of values) {
      const [origin, pointer = ""] = answered.get(value) ?? [];
      if (origin !== undefined) add(origin.read, pointer);
    }
  };
  return {
    see(seen: Seen): void {
      const { service, operation, exchange, answer } = seen;
      if (operation === undefined) return;
      const noted = keptIn(
        keptIn(services, service, () => new Map<string, Noted>()),
        operation.operationId,
        () => ({ requests: 0, sent: new Set<string>(), read: new Set<string>() }),
      );
      noted.requests += 1;
      noteSent(noted, seen);
      if (!isAccepted(exchange)) return;
      for (const [pointer, value] of leavesOf(answer).slice(0, FIELDS_KEPT))
        if (value.length >= SHORTEST) answered.set(value, [noted, pointer]);
    },
    uses: (): Uses => ({
      format: USES_FORMAT,
      services: Object.fromEntries(
        [...services].map(([service, operations]) => [
          service,
          Object.fromEntries([...operations].map(([id, noted]) => [id, useOf(noted)])),
        ]),
      ),
    }),
  };
};

const useOf = ({ requests, sent, read }: Noted): OperationUse => ({
  requests,
  sent: [...sent].sort(),
  read: [...read].sort(),
});

/** Returns the fields of a body with their values as texts. */
const leavesOf = (value: unknown, path = ""): (readonly [pointer: string, value: string])[] => {
  if (typeof value !== "object" || value === null)
    return value === undefined || value === null || path === "" ? [] : [[path, String(value)]];
  return Object.entries(value).flatMap(([name, inner]) =>
    leavesOf(inner, `${path}/${Array.isArray(value) ? "*" : escapeSegment(named(name))}`),
  );
};

/** Replaces a name that may be a value, such as an identifier. */
const named = (name: string): string => (/^[\w.$-]{1,64}$/.test(name) && !/\d{4}/.test(name) ? name : "…");
