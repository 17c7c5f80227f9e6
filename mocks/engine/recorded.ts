/**
 * Plays recorded answers of a real server. A sandbox starts where the recording ended: it has the resources that were seen,
 * and repeats what the server said about them, until a client changes them here. The contract answers everything else.
 */
import type { Contract, Operation, Service } from "../../helpers/contract/contract.ts";
import { creates } from "../../helpers/contract/lookups.ts";
import type { Answer } from "./call.ts";
import { besideRecorded, choosesPage } from "./recorded-pages.ts";
import { completerFor } from "./values/complete.ts";
import { type Fields, fieldsIn, isObject } from "./values/fields.ts";
import { parsedJson, withLargeAsTexts } from "./values/parsed-json.ts";

/** Stands for a value that the recording hides, because it is secret. */
export const HIDDEN = Symbol("hidden");

/** A recorded request with its answer, in the order of the recording. */
export interface RecordedCall {
  readonly service: Service;
  readonly operation: Operation;
  readonly path: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [name: string, value: string | typeof HIDDEN])[];
  /** The JSON of the body, with `HIDDEN` in place of secrets; the text of a body that is not JSON. */
  readonly body: unknown;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly json: unknown;
  /** The body as it was sent; absent if it has hidden values. */
  readonly text?: string;
  /** The texts in `json` that are integers in a body with hidden values. */
  readonly large?: ReadonlySet<string>;
}

/** What a sandbox starts with if it plays a recording. */
export interface Recorded {
  readonly calls: readonly RecordedCall[];
  /** The addresses of the real server, which the answers contain. */
  readonly baseUrls: Readonly<Record<Service, string>>;
}

/** A request to the sandbox. */
interface Asked {
  readonly path: RecordedCall["path"];
  readonly query: Fields;
  readonly bytes: Buffer;
}

/** @param baseUrl returns the address of the sandbox, which replaces the address of the real server */
export const playbackOf = (contract: Contract, { calls, baseUrls }: Recorded, baseUrl: () => string) => {
  const own = calls.filter((call) => call.service === contract.service && isPlayed(call));
  const gone = new Set<number>();
  const places = new Map<string, number[]>();
  for (const [index, call] of own.entries()) {
    const place = placeOf(call.operation, call.path);
    const before = places.get(place) ?? [];
    // The latest state of a resource counts.
    const others = isRead(call.operation)
      ? before.filter((other) => !isSameRequest(own[other], call))
      : before;
    places.set(place, [...others, index]);
    if (call.status < 400) forget(own.slice(0, index), gone, call.operation, call.path);
    // A client that repeats a deletion is told that there is nothing to delete.
    if (call.operation.method === "DELETE" && call.status < 400) gone.add(index);
  }
  const base = baseUrls[contract.service] ?? "";
  const played = (call: RecordedCall): Answer =>
    answerOf(contract, call, (text) => (base === "" ? text : text.replaceAll(base, baseUrl())));
  return {
    /** The indexes of the answers that hold no longer. */
    gone,
    /** Returns the recorded answer, if there is one that still holds. */
    answer(operation: Operation, incoming: Asked): Answer | undefined {
      const candidates = places.get(placeOf(operation, incoming.path)) ?? [];
      const index = candidates.find((at) => !gone.has(at) && asksFor(own[at], incoming));
      const call = index === undefined ? undefined : own[index];
      if (index === undefined || call === undefined) return undefined;
      // A change has happened once.
      if (!isRead(operation) && call.status < 400) gone.add(index);
      return played(call);
    },
    /**
     * Learns what the sandbox answered itself: after a change, recorded answers about the same resources hold no longer.
     * @returns the answer, which contradicts no recorded page of the same list
     */
    handled(operation: Operation, { path, query, bytes }: Asked, answer: Answer): Answer {
      if (answer.status >= 400) return answer;
      forget(own, gone, operation, path);
      const isPage = (name: string): boolean => choosesPage(operation, name);
      const asked = Object.fromEntries(Object.entries(query).filter(([name]) => !isPage(name)));
      const pages = (places.get(placeOf(operation, path)) ?? []).flatMap((at) => {
        const call = own[at];
        if (gone.has(at) || call === undefined || call.status >= 400) return [];
        const rest = call.query.filter(([name]) => !isPage(name));
        if (!asksFor({ ...call, query: rest }, { path, query: asked, bytes })) return [];
        return [{ query: Object.fromEntries(call.query), json: played(call).json }];
      });
      return besideRecorded(operation, query, answer, pages);
    },
  };
};

/** Answers that depend on credentials or on the moment are not repeated. */
const isPlayed = ({ operation, status }: RecordedCall): boolean =>
  operation.token === undefined && status < 500 && status !== 401 && status !== 429;

/** Whether a call leaves the resources as they are: a read, a search, or a log-in. */
const isRead = (operation: Operation): boolean =>
  /GET|HEAD/.test(operation.method) ||
  operation.token !== undefined ||
  (operation.method === "POST" && operation.finds.length > 0 && !creates(operation));

const placeOf = ({ operationId }: Operation, path: RecordedCall["path"]): string =>
  `${operationId} ${Object.values(path).join(" ")}`;

/** Marks what a successful change makes uncertain: what was read of its resources, and all lists. */
const forget = (
  calls: readonly RecordedCall[],
  gone: Set<number>,
  operation: Operation,
  path: RecordedCall["path"],
): void => {
  if (isRead(operation)) return;
  const ids = new Set(Object.values(path));
  const isDeletion = operation.method === "DELETE";
  for (const [index, call] of calls.entries()) {
    if (gone.has(index)) continue;
    const named = Object.values(call.path);
    const isNamed = named.some((id) => ids.has(id));
    const isListed = isRead(call.operation) && named.length === 0;
    const isMade = isDeletion && Object.values(fieldsIn(call.json)).some((value) => ids.has(String(value)));
    if ((isNamed && (isDeletion || isRead(call.operation))) || isListed || isMade) gone.add(index);
  }
};

const isSameRequest = (one: RecordedCall | undefined, other: RecordedCall): boolean =>
  one !== undefined && isSame(sorted(one.query), sorted(other.query)) && isSame(one.body, other.body);

const asksFor = (call: RecordedCall | undefined, { query, bytes }: Asked): boolean =>
  call !== undefined &&
  isSame(sorted(call.query), sorted(entriesOf(query))) &&
  isSame(call.body, bodyIn(bytes));

const entriesOf = (query: Fields): [string, string][] =>
  Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  );

const sorted = (query: RecordedCall["query"]) =>
  query.toSorted(([one], [other]) => Number(one > other) - Number(one < other));

const bodyIn = (bytes: Buffer): unknown => {
  if (bytes.length === 0) return undefined;
  const text = bytes.toString("utf8");
  try {
    return parsedJson(withLargeAsTexts(text));
  } catch {
    return text;
  }
};

/** Compares a recorded value with another one. A hidden value equals each other value. */
const isSame = (recorded: unknown, given: unknown): boolean => {
  if (recorded === HIDDEN) return given !== undefined;
  if (Array.isArray(recorded))
    return (
      Array.isArray(given) &&
      recorded.length === given.length &&
      recorded.every((item, index) => isSame(item, given[index]))
    );
  if (!isObject(recorded)) return recorded === given;
  if (!isObject(given)) return false;
  const names = new Set([...Object.keys(recorded), ...Object.keys(given)]);
  return [...names].every((name) => isSame(recorded[name], given[name]));
};

const answerOf = (
  contract: Contract,
  { operation, status, headers: recorded, json, text, large }: RecordedCall,
  readdressed: (text: string) => string,
): Answer => {
  const headers = Object.fromEntries(
    Object.entries(recorded).map(([name, value]) => [name, readdressed(value)]),
  );
  if (json === undefined) return { status, headers };
  const schema = operation.responses[status]?.content["application/json"];
  const whole = (): string => {
    const made = schema && completerFor(contract)(schema, withoutHidden(json), operation.operationId);
    return JSON.stringify(withMade(json, made)).replace(LARGE, (quoted, digits: string) =>
      large?.has(digits) ? digits : quoted,
    );
  };
  const own = readdressed(text ?? whole());
  return { status, headers, json: parsedJson(own), written: Buffer.from(own) };
};

const LARGE = /"(-?\d{16,})"/g;

/** Returns the values that the recording shows. */
export const withoutHidden = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.filter((item) => item !== HIDDEN).map(withoutHidden);
  if (!isObject(value)) return value;
  const shown = Object.entries(value).filter(([, inner]) => inner !== HIDDEN);
  return Object.fromEntries(shown.map(([name, inner]) => [name, withoutHidden(inner)]));
};

/** Puts made values in place of the hidden ones, and leaves those out that nobody made. */
const withMade = (value: unknown, made: unknown): unknown => {
  if (value === HIDDEN) return made;
  if (Array.isArray(value))
    return value.map((item, index) => withMade(item, Array.isArray(made) ? made[index] : undefined));
  if (!isObject(value)) return value;
  const other = fieldsIn(made);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withMade(inner, other[name])]),
  );
};
