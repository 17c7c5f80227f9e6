/** Finds the fields of answers that a client reads, and that a new version of a document may no longer send as before. */
import { isAt, versionOf } from "../../../helpers/contract/changes.ts";
import type { Contract } from "../../../helpers/contract/contract.ts";
import { getOrInsert } from "../../../helpers/contract/memoize.ts";
import { escapeSegment } from "../../../helpers/contract/pointer.ts";
import { isAccepted } from "../../../helpers/exchange/exchange.ts";
import type { Redactor } from "../../../helpers/exchange/redact.ts";
import { Memory } from "../../../helpers/traffic/memory.ts";
import type { Seen } from "../../../helpers/traffic/seen.ts";
import type { DocumentComparison } from "../../../runner/extensions.ts";

const VALUES_KEPT = 20_000;
const FIELDS_KEPT = 200;
/** Shorter values occur in several fields by chance. */
const SHORTEST = 5;

/**
 * A client reads a field of an answer if a later request has its value. What a client only shows or stores is not seen.
 * @param changes what the document of the contract changes in answers
 */
export const openChangedReads = (
  contract: Contract,
  changes: ReturnType<DocumentComparison["changedAnswers"]>,
  { text }: Pick<Redactor, "text">,
) => {
  /** JSON pointers with `*` for items, by operationId. */
  const reads = new Map<string, Set<string>>();
  /** The fields of answers by their values. */
  const answered = new Memory<string, readonly [operationId: string, pointer: string]>(VALUES_KEPT);
  return {
    see({ service, operation, exchange, path, query, body, answer }: Seen): void {
      if (operation === undefined || service !== contract.service) return;
      const sent = leavesOf(body).map(([, value]) => value);
      for (const value of [...Object.values(path), ...query.values(), ...sent]) {
        const [operationId, pointer = ""] = answered.get(value) ?? [];
        if (operationId !== undefined) getOrInsert(reads, operationId, () => new Set<string>()).add(pointer);
      }
      if (!isAccepted(exchange)) return;
      for (const [pointer, value] of leavesOf(answer).slice(0, FIELDS_KEPT))
        if (value.length >= SHORTEST) answered.set(value, [operation.operationId, pointer]);
    },
    /** Returns lines for the terminal and the certificate. */
    lines(): string[] {
      const lines = changes.flatMap(({ words, operations, end }) => {
        const changed = [...reads].flatMap(([operationId, fields]) => {
          const own = operations.includes(operationId)
            ? [...fields].filter((field) => isWithin(field, end))
            : [];
          return own.length === 0 ? [] : [`${operationId} ${own.sort().map(text).join(", ")}`];
        });
        return changed.length === 0 ? [] : [`  ${words}: your client reads ${changed.join("; ")}`];
      });
      if (lines.length === 0) return [];
      return [`${versionOf(contract)} may no longer send as before what your client reads:`, ...lines];
    },
  };
};

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

/** Whether a field, or what contains it, is at the place of a change. */
const isWithin = (field: string, end = ""): boolean =>
  field.split("/").some((_, at, segments) => isAt(segments.slice(0, at + 1).join("/"), end));
