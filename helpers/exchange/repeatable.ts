/**
 * Knows what is needed to send a request of a run again: the data that the run invented may be shown, the calls that
 * created what the request is about come first, and what the target or the user gave is not shown.
 */
import { getOrInsert, memoize } from "../contract/memoize.ts";
import { atPointer, segmentsOf } from "../contract/pointer.ts";
import { type Exchange, type PlacedId, type SentRequest, statusOf } from "./exchange.ts";
import { redactSecrets, type SecretNames, visitJson } from "./secrets/secrets.ts";

/** A call that comes first, and the member of its answer that shows an identifier or a token, if it gives one. */
export interface Before {
  readonly exchange: Sent;
  readonly gives?: {
    /** The name of the variable. */
    readonly name: string;
    readonly member: string;
    /** Its place among the members with this name, from 1. */
    readonly position: number;
  };
  /** Whether the target may act on it later (RFC 9110, 15.3.3). */
  readonly isLate?: boolean;
}

/** The request of an exchange. */
export type Sent = Pick<Exchange, "request" | "ids"> & Partial<Pick<Exchange, "operationId">>;

/** Why no command can send a request again: it needs an identifier that no call gives again. */
export const NO_IDENTIFIER = "identifier";

/** @param idsShown returns the identifiers in the answer of an exchange */
export const createRepeatable = (
  names: SecretNames,
  idsShown: (exchange: Exchange) => readonly Pick<PlacedId, "resource" | "value">[],
) => {
  const invented = createInvented(names);
  /** The calls that gave identifiers, by resource and identifier: each customer may have an order 1. */
  const origins = new Map<string, Before[]>();
  /** The identifiers of what was changed by other means than the API, of any resource. */
  const changed = new Set<string>();
  /** The identifiers that answers about it showed. */
  const gone = new Set<string>();
  const order = new WeakMap<SentRequest, number>();
  let [count, given] = [0, 0];

  const isEarlier = (one: Sent, other: Sent): boolean =>
    (order.get(one.request) ?? 0) < (order.get(other.request) ?? count + 1);

  return {
    isEarlier,
    /** Notes which values a request of the run invents, and which ones an answer gives. */
    see(exchange: Exchange) {
      const { request, response, ids = [] } = exchange;
      count += 1;
      order.set(request, count);
      const sent = [request.url, request.body?.slice(0, READ) ?? "", ...Object.values(request.headers)];
      invented.see(sent, response === undefined ? [] : [response.body.subarray(0, READ)]);
      if (ids.some(({ value }) => changed.has(value)))
        for (const id of idsShown(exchange)) gone.add(keyOf(id));
    },
    /** Notes an identifier that an answer gave. */
    seeId(id: GivenId, exchange: Exchange) {
      const { request, ids = [], operationId } = exchange;
      if (request.method === "GET") return;
      given += 1;
      const gives = { name: `ID_${given}`, member: memberAt(id.pointer), position: positionOf(id, exchange) };
      const isLate = statusOf(exchange) === 202;
      const origin = { exchange: { request, ids, operationId }, isLate, ...(!id.isChosen && { gives }) };
      getOrInsert(origins, keyOf(id), () => []).push(origin);
    },
    /** Notes identifiers that came, or whose resources were changed, by other means than the API. */
    seeGiven(values: readonly string[], isLasting: boolean) {
      invented.see([], values);
      if (!isLasting) for (const value of values) changed.add(value);
    },
    /** Whether a value that looks secret is invented. @param name of its field */
    isInvented: (value: string, name = ""): boolean => !names.isCredential(name) && invented.has(value),
    /** Returns the call that gave an identifier of a request or of its answer; `undefined` if it was there before the run. */
    originOf(
      id: Pick<PlacedId, "resource" | "value">,
      exchange: Sent,
    ): Before | typeof NO_IDENTIFIER | undefined {
      const { ids = [] } = exchange;
      const earlier = (origins.get(keyOf(id)) ?? []).filter((one) => isEarlier(one.exchange, exchange));
      const isWithin = ({ exchange: { ids: above = [] } }: Before): boolean =>
        above.every(({ in: place, resource, value }) =>
          place !== "path" ? true : ids.every((one) => one.resource !== resource || one.value === value),
        );
      const within = earlier.filter(isWithin);
      // What a client chose itself may be sent to the same operation again.
      const found = within.findLast(({ gives }) => gives !== undefined) ?? within[0];
      if (found?.gives === undefined && found?.exchange.operationId === exchange.operationId)
        return undefined;
      if (found !== undefined) return found.gives?.position === 0 ? NO_IDENTIFIER : found;
      const isLost = earlier.length > 0 || changed.has(id.value) || gone.has(keyOf(id));
      return isLost ? NO_IDENTIFIER : undefined;
    },
  };
};

/** An identifier in an answer. */
export interface GivenId extends Pick<PlacedId, "resource" | "value"> {
  readonly pointer: string;
  /** Whether the request contained it. */
  readonly isChosen: boolean;
}

const keyOf = ({ resource, value }: Pick<PlacedId, "resource" | "value">): string => `${resource}\n${value}`;

/** The part of a body that is read for the values that it gives. */
const READ = 262_144;

/** Texts of exchanges. */
type Texts = readonly (string | Buffer)[];

/** Knows the values that look secret and that the run sent before the target gave them. */
const createInvented = (names: SecretNames) => {
  const invented = new Set<string>();
  const given = new Set<string>();
  const unread: { readonly sent: Texts; readonly gave: Texts }[] = [];
  let size = 0;
  const collect = (text: string, into: Set<string>, others: ReadonlySet<string>): void => {
    redactSecrets(text, names, (value) => {
      const plain = normal(value);
      if (!others.has(plain)) into.add(plain);
      return false;
    });
  };
  const readAll = (): void => {
    for (const { sent, gave } of unread.splice(0)) {
      for (const text of sent) collect(text.toString(), invented, given);
      for (const text of gave) collect(text.toString(), given, invented);
    }
    size = 0;
  };
  return {
    /** Keeps the texts of an exchange until a command is rendered, because few runs render one. */
    see(sent: Texts, gave: Texts): void {
      unread.push({ sent, gave });
      for (const { length } of [...sent, ...gave]) size += length;
      if (size > MOST_UNREAD) readAll();
    },
    has(value: string): boolean {
      if (unread.length > 0) readAll();
      return invented.has(normal(value));
    },
  };
};

/** The number of characters that are kept unread. */
const MOST_UNREAD = 33_554_432;

/** Returns the same text for a value in JSON, in a URL and in groups of digits. */
const normal = (value: string): string => {
  const digits = value.replaceAll(/[ +-]|%20|%2d/gi, "");
  if (/^\d+$/.test(digits)) return digits;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
};

/** Returns the place of a value among the members of that name in an answer, from 1; 0 if it is not there. */
const positionOf = ({ value, pointer }: GivenId, { response }: Exchange): number =>
  (valuesIn(Object(response?.json)).get(memberAt(pointer))?.indexOf(value) ?? -1) + 1;

/** The values of an answer by the names of their members. An answer may give hundreds of identifiers. */
const valuesIn = memoize((json: object): ReadonlyMap<string, readonly string[]> => {
  const values = new Map<string, string[]>();
  visitJson(json, (name, value) => void getOrInsert(values, name, () => []).push(value));
  return values;
});

const memberAt = (pointer: string): string => segmentsOf(pointer).at(-1) ?? "";

/**
 * Returns the request with other texts in place of identifiers; `undefined` if one is not where it was put.
 * @param textOf the text for a place, in its notation; `undefined` leaves the identifier
 */
export const withIds = (
  request: SentRequest,
  ids: readonly PlacedId[],
  textOf: (id: PlacedId) => string | undefined,
): SentRequest | undefined => {
  const changes = ids.flatMap((id) => {
    const text = textOf(id);
    return text === undefined ? [] : [{ ...id, text }];
  });
  const fields = changes.filter((one) => one.in === "body");
  const body = fields.length === 0 ? request.body : jsonWith(request.body ?? "", fields);
  if (fields.length > 0 && body === undefined) return undefined;
  return changes
    .filter((one) => one.in !== "body")
    .reduce<SentRequest | undefined>(
      (written, one) => written && withParameter(written, one),
      body === undefined ? request : { ...request, body },
    );
};

const withParameter = (
  request: SentRequest,
  change: PlacedId & { readonly text: string },
): SentRequest | undefined => {
  const { in: place, name, value, after = 0, text } = change;
  const { headers } = request;
  const [address = "", search = ""] = request.url.split(/\?(.*)/s);
  const query = search === "" ? "" : `?${search}`;
  if (place === "header")
    return headers[name.toLowerCase()] === value
      ? { ...request, headers: { ...headers, [name.toLowerCase()]: text } }
      : undefined;
  if (place === "path") {
    const segments = address.split("/");
    const at = segments.length - 1 - after;
    const parts = (segments[at] ?? "").split(encodeURIComponent(value));
    const url = parts.length === 2 && segments.with(at, parts.join(text)).join("/") + query;
    return url ? { ...request, url } : undefined;
  }
  const pairs = search.split("&");
  const at = pairs.findIndex((pair) => place === "query" && new URLSearchParams(pair).get(name) === value);
  if (at < 0) return undefined;
  const written = pairs.with(at, `${pairs[at]?.split("=")[0]}=${text}`).join("&");
  return { ...request, url: `${address}?${written}` };
};

/** Writes the numbers of JSON without quotes. */
const jsonWith = (
  body: string,
  changes: readonly (PlacedId & { readonly text: string })[],
): string | undefined => {
  const json = parsed(body);
  const texts = new Map<string, string>();
  for (const [index, { name, value, text }] of changes.entries()) {
    const [, outer = "", last = ""] = /^(.*)\/(.*)$/.exec(name) ?? [];
    const [parent, [key = ""]] = [atPointer(json, outer) as Record<string, unknown>, segmentsOf(`/${last}`)];
    const known = atPointer(json, name);
    if (String(known) !== value) return undefined;
    parent[key] = `‹${index}›`;
    texts.set(JSON.stringify(`‹${index}›`), typeof known === "number" ? text : JSON.stringify(text));
  }
  return JSON.stringify(json).replaceAll(/"‹\d+›"/g, (mark) => texts.get(mark) ?? mark);
};

/** @returns `undefined` for a text that is not the JSON of a value, as it is sent */
const parsed = (body: string): unknown => {
  try {
    const json: unknown = JSON.parse(body);
    return JSON.stringify(json) === body ? json : undefined;
  } catch {
    return undefined;
  }
};
