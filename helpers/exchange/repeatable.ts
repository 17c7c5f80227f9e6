/**
 * Knows what is needed to send a request of a run again: the data that the run invented may be shown, the calls that
 * created what the request is about come first, and what the target or the user gave is not shown.
 */
import type { Exchange, SentRequest } from "./exchange.ts";
import { isAccepted } from "./exchange.ts";
import { redactSecrets, type SecretNames, visitJson } from "./secrets/secrets.ts";

/** A call that comes first, and the member of its answer that shows a value of the request, if it gives one. */
export interface Before {
  readonly request: SentRequest;
  readonly gives?: { readonly value: string; readonly name: string; readonly member: string };
}

export const createRepeatable = (names: SecretNames) => {
  const invented = createInvented(names);
  /** The calls that created ids; `undefined` for an id that can't be had again. */
  const origins = new Map<string, Before | undefined>();
  /** The first calls that changed something with a text, by text. */
  const changes = new Map<string, Pick<Exchange, "request" | "operationId">>();
  const order = new WeakMap<SentRequest, number>();
  let count = 0;

  const isEarlier = (one: SentRequest, other: SentRequest): boolean =>
    (order.get(one) ?? 0) < (order.get(other) ?? count + 1);

  return {
    /** Notes which values a request of the run invents, and which ones an answer gives. */
    see(exchange: Exchange) {
      const { request, response, operationId } = exchange;
      count += 1;
      order.set(request, count);
      const sent = [request.url, request.body?.slice(0, READ) ?? "", ...Object.values(request.headers)];
      invented.see(sent, response === undefined ? [] : [response.body.subarray(0, READ)]);
      if (request.method === "GET" || !isAccepted(exchange) || changes.size > MOST_CHANGES) return;
      for (const text of textsIn(exchange.requestJson))
        if (!changes.has(text)) changes.set(text, { request, operationId });
    },
    /** Notes an id that an answer gave. @param canFind whether another client of the target can find it later */
    seeId(id: string, exchange: Exchange, canFind: boolean) {
      // A client may choose the id of what it creates.
      if (origins.has(id) || wordsOf(exchange.request).includes(id)) return;
      if (exchange.request.method !== "GET") origins.set(id, originOf(id, exchange, origins.size + 1));
      else if (!canFind) origins.set(id, undefined);
    },
    /** Notes values that came by other means than the API. @param canFind see `seeId` */
    seeGiven(values: readonly string[], canFind: boolean) {
      invented.see([], values);
      if (!canFind) for (const value of values) origins.set(value, undefined);
    },
    /** Whether a value that looks secret is invented. @param name of its field */
    isInvented: (value: string, name = ""): boolean => !names.isCredential(name) && invented.has(value),
    /** Returns the calls that must come first; `undefined` if the request or its answer needs what can't be had again. */
    before({
      request,
      operationId,
      requestJson,
      response,
    }: Pick<Exchange, "request"> & Partial<Exchange>): readonly Before[] | undefined {
      const found = new Set<Before>();
      const shown: string[] = [];
      visitJson(response?.json, (_, value) => void shown.push(value));
      for (const id of [...wordsOf(request), ...shown]) {
        if (!origins.has(id)) continue;
        const origin = origins.get(id);
        if (origin === undefined) return undefined;
        if (isEarlier(origin.request, request)) found.add(origin);
      }
      const made = new Set([...found].map((one) => one.request));
      for (const text of textsIn(requestJson)) {
        const change = changes.get(text);
        if (change === undefined || change.operationId === operationId || made.has(change.request)) continue;
        if (!isEarlier(change.request, request)) continue;
        made.add(change.request);
        found.add({ request: change.request });
      }
      return [...found].sort((a, b) => (isEarlier(a.request, b.request) ? -1 : 1));
    },
  };
};

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

const MOST_CHANGES = 20_000;

/** Shorter texts are words that many requests contain. */
const SHORTEST_TEXT = 10;

const textsIn = (json: unknown): Set<string> => {
  const texts = new Set<string>();
  visitJson(json, (_, value) => {
    if (value.length >= SHORTEST_TEXT && /\d/.test(value)) texts.add(value);
  });
  return texts;
};

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

const wordsOf = ({ url, body = "" }: SentRequest): readonly string[] =>
  `${url} ${body}`.split(/[^\w.~-]+/).filter((word) => word !== "");

/** Only a member whose name occurs once can be found with a simple command. */
const originOf = (value: string, exchange: Exchange, number: number): Before | undefined => {
  let member: string | undefined;
  visitJson(exchange.response?.json, (name, one) => {
    if (one === value) member = name;
  });
  const text = exchange.response?.body.toString() ?? "";
  if (!isAccepted(exchange) || member === undefined || text.split(`"${member}"`).length !== 2)
    return undefined;
  return { request: exchange.request, gives: { value, name: `ID_${number}`, member } };
};
