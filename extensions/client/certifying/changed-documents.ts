/**
 * Finds what a new version of a document changes for a client: the recorded calls that it refuses, with the changes that
 * refuse them, and the fields of answers that the client reads, and that may no longer be sent as before.
 */
import { isAt, versionOf } from "../../../helpers/contract/changes.ts";
import type { Contract, Operation } from "../../../helpers/contract/contract.ts";
import type { ContractChange } from "../../../helpers/contract/contract-change.ts";
import { getOrInsert } from "../../../helpers/contract/memoize.ts";
import { escapeSegment } from "../../../helpers/contract/pointer.ts";
import { isAccepted } from "../../../helpers/exchange/exchange.ts";
import type { Redactor } from "../../../helpers/exchange/redact.ts";
import { createMatcher } from "../../../helpers/traffic/match.ts";
import { Memory } from "../../../helpers/traffic/memory.ts";
import type { Seen, StoredResult } from "../../../helpers/traffic/seen.ts";
import { counted } from "../../../reports/text.ts";
import type { DocumentComparison } from "../../../runner/extensions.ts";
import { judgeByRules } from "../judging/contract-rules.ts";

/** A reason for which the new document refuses a call. */
interface Refusal extends Pick<ContractChange, "place" | "pointer" | "keyword"> {
  readonly operationId: string;
  readonly text: string;
}

/** @param earlier what `openEarlier` returns; without it, all that the new document refuses is told */
export const openChangedCalls = (
  contract: Contract,
  earlier: ReturnType<typeof openEarlier> | undefined,
  { about }: Pick<Redactor, "about">,
) => {
  const refusedNow = judgeByRules(contract);
  /** The calls that are refused for one reason. */
  const refused = new Map<string, { readonly first: string; calls: number }>();
  let [calls, broken] = [0, 0];

  const refusalsOf = (seen: Seen): readonly Refusal[] => {
    const old = earlier?.operationOf(seen);
    const operationId = seen.operation?.operationId ?? old?.operationId ?? "";
    if (!has(contract, seen.operation)) return old === undefined ? [] : [{ ...NO_OPERATION, operationId }];
    const known = old && earlier?.refusedBefore({ ...seen, operation: old }).filter(isBroken);
    return refusedNow(seen)
      .filter(isBroken)
      .filter((one) => !known?.some((other) => isSamePlace(one, other)))
      .map(({ rule, result }) => ({
        operationId,
        place: rule?.place !== undefined ? `${rule.place} ${rule.parameter}` : placeOf(result.pointer),
        pointer: rule?.place === undefined ? result.pointer : "",
        keyword: rule?.keyword ?? "",
        text: about([seen.exchange]).result(result).message,
      }));
  };

  return {
    see(seen: Seen): void {
      if (seen.service !== contract.service) return;
      calls += 1;
      const { id, request } = seen.exchange;
      const reasons = new Set(refusalsOf(seen).map((one) => earlier?.changeOf(one) ?? one.text));
      if (reasons.size > 0) broken += 1;
      const first = [id, request.method, seen.operation?.path ?? earlier?.operationOf(seen)?.path].join(" ");
      for (const why of reasons) getOrInsert(refused, why, () => ({ first, calls: 0 })).calls += 1;
    },
    /** Returns lines for the terminal and the certificate. */
    lines(): string[] {
      const which = `your ${counted(calls, "recorded call")}`;
      const version = versionOf(contract);
      if (broken === 0) return [`None of ${which} is refused by ${version}.`];
      return [
        `${broken} of ${which} ${broken === 1 ? "is" : "are"} refused by ${version}:`,
        ...[...refused].map(([why, one]) => `  ${why}: ${counted(one.calls, "call")}, first ${one.first}`),
      ];
    },
  };
};

const NO_OPERATION = { place: "operation", pointer: "", keyword: "", text: "it has no such operation" };

/** Whether the document has the operation. The contract keeps the operations that a provider's document dropped. */
const has = ({ differences }: Contract, operation: Operation | undefined): operation is Operation =>
  operation !== undefined && !differences.lacking.includes(operation.operationId);

const isBroken = ({ result }: StoredResult): boolean => !result.holds;

const isSamePlace = (one: StoredResult, other: StoredResult): boolean =>
  one.rule?.keyword === other.rule?.keyword && one.result.pointer === other.result.pointer;

const placeOf = (pointer: string): string => (pointer === "content-type" ? "media type" : "body");

/**
 * Returns how the document before judges a call, and what the diff says about a refusal.
 * @param all what changed since
 * @param baseUrl the address of the service in the traffic
 */
export const openEarlier = (base: Contract, all: readonly ContractChange[], baseUrl: string) => {
  const match = createMatcher([base], { [base.service]: baseUrl });
  const changes = all.filter(({ direction }) => direction === "request");
  return {
    refusedBefore: judgeByRules(base),
    operationOf({ exchange: { request } }: Seen): Operation | undefined {
      const found = URL.canParse(request.url) ? match(request.method, new URL(request.url)) : undefined;
      return has(base, found?.operation) ? found?.operation : undefined;
    },
    /** Returns the fingerprint and the words of the change; `undefined` if the diff shows none. */
    changeOf({ operationId, place, pointer, keyword }: Refusal): string | undefined {
      const own = changes.filter(
        (one) => one.place === place && one.operations.includes(operationId) && isAt(pointer, one.end ?? ""),
      );
      const found = own.find((one) => one.keyword === keyword) ?? own[0];
      return found && `${found.requirement.split(".").at(-1)} ${found.words}`;
    },
  };
};

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
