/**
 * Finds what a new version of a document changes for a client: the recorded calls that it refuses, with the changes that
 * refuse them, the statuses that change, and the fields of answers that the client sends on and that may change.
 */
import { isAt, versionOf } from "../../../helpers/contract/changes.ts";
import type { Contract } from "../../../helpers/contract/contract.ts";
import { getOrInsert } from "../../../helpers/contract/memoize.ts";
import { atPointer, escapeSegment, percentDecoded } from "../../../helpers/contract/pointer.ts";
import { isAccepted } from "../../../helpers/exchange/exchange.ts";
import { roundNumbersIn } from "../../../helpers/exchange/placeholder.ts";
import type { Redactor } from "../../../helpers/exchange/redact.ts";
import { Memory } from "../../../helpers/traffic/memory.ts";
import type { Seen } from "../../../helpers/traffic/seen.ts";
import { counted } from "../../../reports/text.ts";
import type { DocumentComparison } from "../../../runner/extensions.ts";
import { isRedacted } from "../judging/check.ts";
import { sentPart } from "../judging/sent-parts.ts";
import { sentForm, sentParts, sentText, sentValue } from "../judging/written-value.ts";

type Refusal = ReturnType<ReturnType<DocumentComparison["judgeOfRequests"]>>[number];

/**
 * @param judge tells what the new document refuses
 * @param baseUrl the address of the service in the traffic
 */
export const openChangedCalls = (
  contract: Contract,
  judge: ReturnType<DocumentComparison["judgeOfRequests"]>,
  baseUrl: string,
  { text }: Pick<Redactor, "text">,
) => {
  const base = new URL(baseUrl).pathname.replace(/\/+$/, "");
  /** The calls that are refused for one reason. */
  const refused = new Map<string, { readonly first: string; calls: number }>();
  let [calls, broken] = [0, 0];
  return {
    see(seen: Seen): void {
      const { id, request } = seen.exchange;
      if (seen.service !== contract.service || !URL.canParse(request.url)) return;
      calls += 1;
      const { pathname, searchParams } = new URL(request.url);
      const { body: _, ...sent } = {
        ...request,
        path: pathname.slice(base.length),
        query: [...searchParams],
      };
      const body = bodyOf(seen, contract);
      const found = judge(request.body ? { ...sent, body } : sent).filter((one) => isShown(seen, body, one));
      const reasons = new Set(found.map(({ words }) => text(words)));
      if (reasons.size > 0) broken += 1;
      const first = [id, request.method, seen.operation?.path ?? text(sent.path)].join(" ");
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

/** Returns the value of a body, of JSON or of a form; `undefined` if nobody can read it. */
const bodyOf = (seen: Seen, contract: Contract): unknown => {
  const place = sentForm(seen) ? "form" : sentParts(seen) && "part";
  if (place === undefined) return seen.numeric ?? seen.body;
  const values = (seen.operation?.requestBody?.fields ?? []).flatMap((field) => {
    const sent = field.in === place ? sentText(field, seen) : undefined;
    if (sent === undefined) return [];
    const value =
      place === "form"
        ? sentValue(field, sent, seen, contract.schemas)
        : sentPart(field.name, seen, contract.schemas);
    return [[field.name, value]];
  });
  return Object.fromEntries(values);
};

/** Whether a recording shows what is refused: redaction may have changed a value, or a tool may have left it out. */
const isShown = (
  { exchange: { request } }: Seen,
  body: unknown,
  { place, pointer, keyword }: Refusal,
): boolean => {
  const { headers, body: text = "", url } = request;
  const [, where, name = ""] = /^(query|header|path|cookie) (.+)$/.exec(place) ?? [];
  if (where === "header" || where === "cookie")
    return !isRedacted(headers[where === "header" ? name : where]);
  if (where !== undefined) return !isRedacted(percentDecoded(url)) || keyword === "required";
  if (place !== "body") return !isRedacted(headers["content-type"]);
  const value = JSON.stringify(atPointer(body, pointer)) ?? "";
  const isRound = roundNumbersIn(text).some((number) => value.includes(String(number)));
  return text === "" || (body !== undefined && !isRedacted(value) && !isRound);
};

const VALUES_KEPT = 20_000;
const FIELDS_KEPT = 200;
/** Shorter values occur in several fields by chance. */
const SHORTEST = 5;

/**
 * A client sends a field of an answer on if a later request has its value. What it only shows or stores is not seen.
 * @param changes what the document of the contract changes in answers
 */
export const openChangedReads = (
  contract: Contract,
  changes: ReturnType<DocumentComparison["changedAnswers"]>,
  { text }: Pick<Redactor, "text">,
) => {
  /** JSON pointers with `*` for items, by operationId. */
  const reads = new Map<string, Set<string>>();
  const called = new Set<string>();
  /** The fields of answers by their values. */
  const answered = new Memory<string, readonly [operationId: string, pointer: string]>(VALUES_KEPT);
  return {
    see({ service, operation, exchange, path, query, body, answer }: Seen): void {
      if (service !== contract.service) return;
      const sent = leavesOf(body).map(([, value]) => value);
      for (const value of [...Object.values(path), ...query.values(), ...sent]) {
        const [operationId, pointer = ""] = answered.get(value) ?? [];
        if (operationId !== undefined) getOrInsert(reads, operationId, () => new Set<string>()).add(pointer);
      }
      // A value may be sent to an operation that the new document lacks.
      if (operation === undefined) return;
      called.add(operation.operationId);
      if (!isAccepted(exchange)) return;
      for (const [pointer, value] of leavesOf(answer).slice(0, FIELDS_KEPT))
        if (value.length >= SHORTEST) answered.set(value, [operation.operationId, pointer]);
    },
    /** Returns lines for the terminal and the certificate. */
    lines(): string[] {
      const statuses = changes.flatMap(({ words, operations, isStatus }) =>
        isStatus && operations.some((id) => called.has(id)) ? [`  ${words}`] : [],
      );
      const lines = changes.flatMap(({ words, operations, end }) => {
        const changed = [...reads].flatMap(([operationId, fields]) => {
          const own = operations.includes(operationId)
            ? [...fields].filter((field) => isWithin(field, end))
            : [];
          return own.length === 0 ? [] : [`${operationId} ${own.sort().map(text).join(", ")}`];
        });
        return changed.length === 0 ? [] : [`  ${words}: ${changed.join("; ")}`];
      });
      const version = versionOf(contract);
      const sentOn = "Of the fields of answers that your client sends on";
      return [
        ...(statuses.length === 0
          ? []
          : [`${version} changes statuses of calls that your client makes:`, ...statuses]),
        lines.length === 0
          ? `${sentOn}, ${version} changes none.`
          : `${sentOn}, ${version} may no longer send as before:`,
        ...lines,
      ];
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
