/**
 * Changes of every part of an answer that a check may read: the status, each header, the time, and in the body the
 * presence, the order, the form or the value at one place.
 */
import type { Contract } from "../../contract/contract.ts";
import { getOrInsert, memoize } from "../../contract/memoize.ts";
import {
  type Exchange,
  isAccepted,
  type ReceivedResponse,
  sizeOf,
  statusOf,
} from "../../exchange/exchange.ts";
import { firstOf } from "./effort.ts";
import { placeKey, type Reads } from "./reads.ts";
import { neighboursOf, type Place, placesIn, REMOVED, replaced, strangersTo, withLeaves } from "./values.ts";

/** Returns a changed copy of an exchange. */
export type Edit = (exchange: Exchange) => Exchange;

export const withResponse =
  (other: Partial<ReceivedResponse>): Edit =>
  (exchange) =>
    exchange.response === undefined
      ? exchange
      : { ...exchange, response: { ...exchange.response, ...other } };

/** Returns the exchange with another JSON body. Its bytes are only made when they are read. */
export const withJson =
  (edit: (json: unknown) => unknown): Edit =>
  (exchange) => {
    const { response } = exchange;
    if (response === undefined) return exchange;
    const { status, headers, numeric } = response;
    const json = edit(response.json);
    let body: Buffer | undefined;
    return {
      ...exchange,
      response: {
        status,
        headers,
        json,
        ...(numeric !== undefined && { numeric: edit(numeric) }),
        // A change does not make a large body small.
        size: json === undefined ? 0 : sizeOf(response),
        get body() {
          body ??= Buffer.from(JSON.stringify(json) ?? "");
          return body;
        },
      },
    };
  };

/** Returns other statuses: a refusal instead of an acceptance, and the other way round. */
export const statusEdits = (exchange: Exchange): Edit[] => {
  const status = statusOf(exchange);
  if (status === 0) return [];
  const others = isAccepted(exchange)
    ? [400, status === 200 ? 202 : 200, 500]
    : [200, status === 404 ? 403 : 404, 500];
  return others.map((other) => withResponse({ status: other }));
};

/** The answer to another request, as if the server had not noticed the difference between the two. */
export const withAnswerOf =
  ({ response }: Exchange): Edit =>
  (exchange) =>
    response === undefined ? exchange : { ...exchange, response };

/** Returns changes of a header: it is absent, or has another value, near or far. */
const headerEdits = (headers: Readonly<Record<string, string>>, name: string): Edit[] => {
  const { [name]: value = "", ...others } = headers;
  const values = [OTHER_VALUE, ...neighboursOf(value)];
  return [others, ...values.map((other) => ({ ...others, [name]: String(other) }))].map((changed) =>
    withResponse({ headers: changed }),
  );
};

const OTHER_VALUE = "other/value";

/** Yields changes of what an answer has besides its status and its body. */
function* envelopeEdits({ response }: Exchange): Generator<Edit> {
  yield slow;
  if (response === undefined) return;
  for (const name of Object.keys(response.headers)) yield* headerEdits(response.headers, name);
}

const slow: Edit = (exchange) => ({ ...exchange, durationMs: SLOW_MS });
const SLOW_MS = 60_000;

const MOST_PLACES = { all: 2000, near: 250, far: 120 };

/** Values that may stand in an answer by mistake. */
export interface Vocabulary {
  /** Returns the other values of an enum that has the value. */
  othersLike(value: string): readonly string[];
  /** Values that the trial knows, such as the identifiers of other resources. */
  readonly known?: readonly string[];
  /** Returns the names of fields in the other answers that the trial read. */
  names?(): readonly string[];
}

/**
 * Yields small differences in the answer, which a server could make by mistake.
 * @param reads the parts that are changed; all if absent
 */
export function* nearEdits(exchange: Exchange, vocabulary: Vocabulary, reads?: Reads): Generator<Edit> {
  const { response } = exchange;
  if (reads?.duration !== false) yield slow;
  if (response === undefined) return;
  for (const name of reads?.headers ?? FREQUENT) yield* headerEdits(response.headers, name).slice(0, 2);
  if (response.json === undefined) {
    yield withResponse({ body: Buffer.alloc(0) });
    return;
  }
  const isRead = ({ path }: Place) => reads === undefined || reads.body || reads.places.has(placeKey(path));
  const places = placesIn(response.json, MOST_PLACES.all).filter(isRead).slice(0, MOST_PLACES.near);
  const names = vocabulary.names?.() ?? [];
  if (names.length > 0) yield withJson((json) => withFields(json, names));
  yield* editsInTurn(places, 0, 1);
  yield* strangeEdits(exchange, places, vocabulary);
  yield* editsInTurn(places, 1, Number.POSITIVE_INFINITY);
  yield* [404, 405].map((status) => withResponse({ status }));
}

/** The headers that most checks read that read any. */
const FREQUENT = ["content-type", "location"];

/** Yields changes of all values of one type. */
export function* editsOfKinds({ response }: Exchange): Generator<Edit> {
  if (response?.json === undefined) return;
  for (let turn = 0; turn < MOST_OF_A_KIND; turn += 1) {
    for (const type of ["number", "string", "boolean"]) {
      if (type === "boolean" && turn > 0) continue;
      const change = (value: unknown): unknown =>
        typeof value === type ? (neighboursOf(value)[turn] ?? value) : value;
      yield withJson((json) => withLeaves(json, change));
    }
  }
}

const MOST_OF_A_KIND = 4;

/** Yields a change of each place, then another one of each place, and so on. */
function* editsInTurn(places: readonly Place[], from: number, until: number): Generator<Edit> {
  const all = places.map(({ path, value }) => ({ path, values: [...neighboursOf(value), REMOVED] }));
  const turns = Math.min(until, Math.max(0, ...all.map(({ values }) => values.length)));
  for (let turn = from; turn < turns; turn += 1) {
    for (const { path, values } of all) {
      const value = values[turn];
      if (turn < values.length) yield withJson((json) => replaced(json, path, value));
    }
  }
}

/** Yields values and fields that belong elsewhere: in the request, in another resource, or in another state. */
function* strangeEdits(
  { requestJson }: Exchange,
  places: readonly Place[],
  { othersLike, known = [] }: Vocabulary,
): Generator<Edit> {
  const texts = places.filter(({ value }) => typeof value === "string" || typeof value === "number");
  for (const { path, value } of texts) {
    for (const other of typeof value === "string" ? othersLike(value) : [])
      yield withJson((json) => replaced(json, path, other));
  }
  for (const { path } of texts.slice(0, MOST_STRANGE)) {
    for (const other of [...known, ...textsIn(requestJson)])
      yield withJson((json) => replaced(json, path, other));
  }
}

const MOST_STRANGE = 4;

/** Returns a copy with the fields in each object; of a list, only in its first item. */
const withFields = (json: unknown, names: readonly string[]): unknown => {
  if (Array.isArray(json)) return json.map((item, index) => (index === 0 ? withFields(item, names) : item));
  if (typeof json !== "object" || json === null) return json;
  const own = Object.entries(json).map(([name, value]) => [name, withFields(value, names)]);
  return { ...Object.fromEntries(names.map((name) => [name, ADDED])), ...Object.fromEntries(own) };
};

const ADDED = true;

/** Returns texts of a request, which a server may repeat where it should not. */
const textsIn = (json: unknown): string[] =>
  placesIn(json, MOST_GIVEN).flatMap(({ value }) => (typeof value === "string" ? [value] : []));

const MOST_GIVEN = 40;

/** Yields answers of another form, which a check of the form must refuse. */
export function* farEdits(exchange: Exchange): Generator<Edit> {
  const { response } = exchange;
  yield* [599, 500].map((status) => withResponse({ status }));
  yield* envelopeEdits(exchange);
  if (response === undefined) return;
  const headers = { ...response.headers, "content-type": "text/html" };
  yield withResponse({ body: Buffer.from("<html>"), json: undefined, headers });
  if (response.json === undefined) return;
  const places = placesIn(response.json, MOST_PLACES.far);
  const nested = places.filter(isNested);
  const fields = places.filter((place) => !isNested(place));
  yield* editsOfAll(fields);
  for (const { path, value } of [...nested, ...fields]) {
    for (const other of strangersTo(value)) yield withJson((json) => replaced(json, path, other));
  }
}

const isNested = ({ value }: Place): boolean => typeof value === "object" && value !== null;

/** Yields answers in which all fields have another form, because most rules of a body fail with one of these. */
function* editsOfAll(fields: readonly Place[]): Generator<Edit> {
  const all = fields.map(({ path, value }) => ({ path, values: strangersTo(value) }));
  const turns = Math.max(0, ...all.map(({ values }) => values.length));
  for (let turn = 0; turn < turns; turn += 1) {
    // Starts with the last field: the removal of an item would move the items after it.
    const change = (json: unknown, { path, values }: (typeof all)[number]): unknown =>
      turn < values.length ? replaced(json, path, values[turn]) : json;
    yield withJson((json) => all.reduceRight(change, json));
  }
}

/** Yields the exchanges of a check with one of them changed. */
export function* changedOf(
  exchanges: readonly Exchange[],
  vocabulary: Vocabulary,
): Generator<readonly Exchange[]> {
  const near = (exchange: Exchange) => nearEdits(exchange, vocabulary);
  for (const [index, exchange] of exchanges.entries()) {
    for (const other of exchanges)
      if (other !== exchange) yield exchanges.with(index, withAnswerOf(other)(exchange));
  }
  for (const editsOf of [statusEdits, editsOfKinds, near, envelopeEdits]) {
    for (const [index, exchange] of exchanges.entries()) {
      for (const edit of firstOf(editsOf(exchange), MOST_EDITS)) yield exchanges.with(index, edit(exchange));
    }
  }
}

/** The number of changes of one exchange of a check. */
const MOST_EDITS = 60;

/** Returns the values that the enums of a contract list. */
export const vocabularyOf = memoize(({ schemas, operations }: Contract): Vocabulary => {
  const others = new Map<string, Set<string>>();
  const read = (schema: unknown): void => {
    if (typeof schema !== "object" || schema === null) return;
    const { enum: values } = schema as { readonly enum?: unknown };
    const texts = Array.isArray(values) ? values.filter((value) => typeof value === "string") : [];
    for (const text of texts) {
      const known = getOrInsert(others, text.toLowerCase(), () => new Set<string>());
      for (const other of texts) if (other !== text) known.add(other);
    }
    for (const child of Object.values(schema)) read(child);
  };
  read(schemas);
  for (const { responses } of operations) {
    for (const { content } of Object.values(responses)) read(content);
  }
  return { othersLike: (value) => [...(others.get(value.toLowerCase()) ?? [])].slice(0, MOST_OTHERS) };
});

const MOST_OTHERS = 8;
