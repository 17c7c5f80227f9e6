/** Reads the form of one answer: its headers, fields, types, echoes of the request, orders and lengths of lists. */
import type { Contract, Operation } from "../contract/contract.ts";
import { keptIn, oncePer } from "../contract/once.ts";
import { atPointer, escapeSegment, segmentsOf } from "../contract/pointer.ts";
import type { Exchange, ReceivedResponse } from "../exchange/exchange.ts";
import type { AnswerForm } from "./behaviour.ts";
import { bodyFormOf, MOST_ITEMS } from "./body-form.ts";
import { headerNames } from "./header-names.ts";
import { orderOf } from "./list-orders.ts";
import { namesOf } from "./names.ts";
import { bodyPlaceOf } from "./places.ts";

/** @param redact replaces secrets: a server may send them even as names */
export const answerFormOf = (
  contract: Contract,
  operation: Operation,
  exchange: Exchange,
  response: ReceivedResponse,
  redact: (text: string) => string,
): AnswerForm => {
  const place = bodyPlaceOf(contract, operation.operationId, response.status);
  const shownNames = shownBy(redact);
  const shownAs = (name: string): string => keptIn(shownNames, name, () => redact(nameOf(name)));
  const isAccepted = response.status < 300;
  return {
    headers: namesOf(headerNames(response, exchange.afterLoss === true).map(redact)),
    ...bodyFormOf(response.json, place, shownAs),
    echoes: isAccepted
      ? { ...echoesOf(exchange.requestJson, response.json), ...encryptedIn(exchange.requestJson) }
      : {},
    ...(isAccepted && keptOf(exchange.requestJson, response.json, redact)),
    orders: isAccepted ? ordersOf(operation, exchange, response.json) : {},
    pages: isAccepted ? pagesOf(operation, exchange, response.json) : [],
  };
};

/** The names of fields as they are shown, by the function that replaces secrets. */
const shownBy = oncePer((_redact: (text: string) => string) => new Map<string, string>());

/** Returns the name of a field; an id as a name counts as any name. */
const nameOf = (name: string): string => (/^\d+$|^[\da-f-]{16,}$/i.test(name) ? "*" : name);

/** Compares the texts of an answer with the texts of the same name in its request. */
const echoesOf = (sent: unknown, received: unknown): Record<string, readonly string[]> => {
  if (sent === undefined || received === undefined) return {};
  const texts = new Map(textsOf(sent));
  const echoes: Record<string, readonly string[]> = {};
  for (const [place, text] of textsOf(received)) {
    const given = texts.get(place);
    if (given === undefined || given === "") continue;
    echoes[place] = [likeness(given, text)];
  }
  return echoes;
};

/** Notes for each field inside an object of the request whether an object of the same name in the answer has it. */
const keptOf = (
  sent: unknown,
  received: unknown,
  redact: (text: string) => string,
): Pick<AnswerForm, "kept"> => {
  const given = new Map<string, Set<string>>();
  for (const [place, name] of fieldsInside(sent)) keptIn(given, lastName(place), () => new Set()).add(name);
  if (given.size === 0) return {};
  const kept: Record<string, readonly string[]> = {};
  for (const [place, object] of objectsInside(received)) {
    for (const name of given.get(lastName(place)) ?? []) {
      const key = segmentsOf(`${place}/${escapeSegment(name)}`)
        .map((one) => `/${escapeSegment(redact(nameOf(one)))}`)
        .join("");
      const note = Object.hasOwn(object, name) ? "shown" : "left out";
      kept[key] = [...new Set([...(kept[key] ?? []), note])].sort();
    }
  }
  return Object.keys(kept).length === 0 ? {} : { kept };
};

/** Returns the last name of a place, with the index of the item if it is in a list. */
const lastName = (place: string): string => /[^/]+(?:\/\d+)*$/.exec(place)?.[0] ?? "";

const fieldsInside = (value: unknown): (readonly [place: string, name: string])[] =>
  objectsInside(value).flatMap(([place, object]) =>
    Object.keys(object).map((name) => [place, name] as const),
  );

/** Returns the objects below the top level, with their places. */
const objectsInside = (value: unknown, place = ""): (readonly [string, object])[] => {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value))
    return value.slice(0, MOST_ITEMS).flatMap((item, index) => objectsInside(item, `${place}/${index}`));
  return [
    ...(place === "" ? [] : [[place, value] as const]),
    ...Object.entries(value).flatMap(([name, part]) =>
      objectsInside(part, `${place}/${escapeSegment(name)}`),
    ),
  ];
};

const likeness = (given: string, text: string): string => {
  if (given === text) return "as sent";
  return given.toLowerCase() === text.toLowerCase() ? "in other letter case" : "changed";
};

const textsOf = (value: unknown, place = ""): (readonly [string, string])[] => {
  if (typeof value === "string") return [[place, value]];
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, inside]) =>
    textsOf(inside, `${place}/${escapeSegment(name)}`),
  );
};

/** Names the algorithms of encrypted texts (RFC 7516), which an accepted request shows to be right. */
const encryptedIn = (sent: unknown): Record<string, readonly string[]> =>
  Object.fromEntries(
    textsOf(sent).flatMap(([place, text]) => {
      const [, header] = /^([\w-]+)(?:\.[\w-]*){4}$/.exec(text) ?? [];
      const algorithms = header === undefined ? undefined : algorithmsIn(header);
      return algorithms === undefined ? [] : [[place, [algorithms]]];
    }),
  );

const algorithmsIn = (header: string): string | undefined => {
  try {
    const { alg, enc } = JSON.parse(Buffer.from(header, "base64url").toString()) as Record<string, string>;
    return `encrypted with ${alg} and ${enc}`;
  } catch {
    return undefined;
  }
};

const queryOf = ({ request }: Exchange): URLSearchParams => new URL(request.url).searchParams;

const itemsOf = ({ list }: Operation, body: unknown): readonly unknown[] => {
  const items = list === undefined ? undefined : atPointer(body, list.items);
  return Array.isArray(items) ? items : [];
};

const ordersOf = (
  operation: Operation,
  exchange: Exchange,
  body: unknown,
): Record<string, readonly string[]> => {
  const items = itemsOf(operation, body);
  if (items.length === 0) return {};
  const sort = queryOf(exchange).get("sort");
  const suffix = sort === null ? "" : ` with sort=${sort}`;
  return Object.fromEntries(
    [...orderOf(items)].map(([field, direction]) => [`${field}${suffix}`, [direction]]),
  );
};

/** The usual names of a parameter for the number of items. */
const LIMIT = /^(limit|size|page_?size)$/i;

const pagesOf = (operation: Operation, exchange: Exchange, body: unknown): readonly string[] => {
  const { list, paging, parameters } = operation;
  const limit = paging?.limit ?? parameters.find(({ name }) => LIMIT.test(name))?.name;
  if (list === undefined || limit === undefined || queryOf(exchange).has(limit)) return [];
  const { length } = itemsOf(operation, body);
  // Without a fact about the other pages, only the longest list shows where lists are cut.
  if (list.more === undefined && list.last === undefined)
    return length > 0 && exchange.request.body === undefined ? [`up to ${length}`] : [];
  const isCut =
    (list.more !== undefined && atPointer(body, list.more) === true) ||
    (list.last !== undefined && atPointer(body, list.last) === false);
  return [`${isCut ? "cut after" : "whole with"} ${length}`];
};
