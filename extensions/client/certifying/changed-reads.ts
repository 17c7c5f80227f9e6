/** Finds the fields of answers that a client reads, and that a new version of a document may no longer send as before. */
import { isAt, versionOf } from "../../../helpers/contract/changes.ts";
import type { Contract } from "../../../helpers/contract/contract.ts";
import { getOrInsert } from "../../../helpers/contract/memoize.ts";
import { escapeSegment } from "../../../helpers/contract/pointer.ts";
import { isAccepted } from "../../../helpers/exchange/exchange.ts";
import type { Redactor } from "../../../helpers/exchange/redact.ts";
import { Memory } from "../../../helpers/traffic/memory.ts";
import type { Seen } from "../../../helpers/traffic/seen.ts";
import { whatOf, whereOf } from "../../../reports/render/diff-report.ts";
import { endOf } from "../../diff/contract-changes.ts";
import type { Entry } from "../../diff/entry.ts";
import { touchedOperations } from "../../diff/touched.ts";
import { diffOfFiles } from "../../diff/upgrade.ts";

const VALUES_KEPT = 20_000;
const FIELDS_KEPT = 200;
/** Shorter values occur in several fields by chance. */
const SHORTEST = 5;

/**
 * A client reads a field of an answer if a later request has its value. What a client only shows or stores is not seen.
 * @param base the contract with the document before
 */
export const openChangedReads = (contract: Contract, base: Contract, { text }: Pick<Redactor, "text">) => {
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
      const { entries } = diffOfFiles(base.provider?.file ?? "", contract.provider?.file ?? "");
      const lines = entries.flatMap((entry) => {
        const reached = answersReached(entry, base);
        const changed = [...reads].flatMap(([operationId, fields]) => {
          const own = reached.includes(operationId)
            ? [...fields].filter((field) => isWithin(field, endOf(entry)))
            : [];
          return own.length === 0 ? [] : [`${operationId} ${own.sort().map(text).join(", ")}`];
        });
        const change = `${entry.fingerprint} ${whereOf(entry)}: ${whatOf(entry)}`;
        return changed.length === 0 ? [] : [`  ${change}: your client reads ${changed.join("; ")}`];
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

/** Returns the operationIds whose answers may change for who reads them. */
const answersReached = (entry: Entry, contract: Contract): string[] => {
  const judged = entry.judged
    .filter((one) => one.class !== "compatible")
    .map((one) => ({ ...one, reach: one.reach.filter(({ message: part }) => part.startsWith("response ")) }));
  return touchedOperations({ entries: [{ ...entry, judged }] }, contract);
};

/** Whether a field, or what contains it, is at the place of a change. */
const isWithin = (field: string, end: string): boolean =>
  field.split("/").some((_, at, segments) => isAt(segments.slice(0, at + 1).join("/"), end));
