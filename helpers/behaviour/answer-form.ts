/** Reads the form of one answer: its headers, fields, types, echoes of the request, orders and lengths of lists. */
import type { Contract, Operation } from "../contract/contract.ts";
import { isObject, type Json } from "../contract/json.ts";
import { hasMore } from "../contract/list-end.ts";
import { getOrInsert, memoize } from "../contract/memoize.ts";
import { atPointer } from "../contract/pointer.ts";
import type { Exchange, ReceivedResponse } from "../exchange/exchange.ts";
import type { AnswerForm, TextsByPlace } from "./behaviour.ts";
import { bodyFormOf, bodyPlaceOf } from "./body-form.ts";
import { headerNames } from "./header-names.ts";
import { namesOf } from "./merge.ts";
import { echoesOf, keptOf, textsOf } from "./sent-values.ts";

/** @param redact replaces secrets: a server may send them even as names */
export const answerFormOf = (
  contract: Contract,
  operation: Operation,
  exchange: Exchange,
  response: ReceivedResponse,
  redact: (text: string) => string,
): AnswerForm => {
  const { requestJson } = exchange;
  const { json } = response;
  const shownNames = shownBy(redact);
  const shownAs = (name: string): string => getOrInsert(shownNames, name, () => redact(nameOf(name)));
  const place = bodyPlaceOf(contract, operation.operationId, response.status);
  const { objects, values } = bodyFormOf(json, place, shownAs, new Set(textsOf(requestJson).values()));
  // Only accepted requests show the other facts.
  const isAccepted = response.status < 300;
  const items = isAccepted ? itemsOf(operation, json) : [];
  const query = new URL(exchange.request.url).searchParams;
  return {
    headers: namesOf(headerNames(response, exchange.afterLoss === true).map(redact)),
    objects,
    values: { ...values, ...addressOf(response, redact) },
    echoes: isAccepted ? echoesOf(requestJson, json) : {},
    kept: isAccepted ? keptOf(requestJson, json, shownAs) : {},
    orders: ordersOf(items, query.get("sort")),
    pages: isAccepted ? pagesOf(operation, exchange, items.length, json) : [],
  };
};

/** Tells whether the identifier of a resource stands in the path or in the query of its address (RFC 9110, 10.2.2). */
const addressOf = (
  { headers: { location } }: ReceivedResponse,
  redact: (text: string) => string,
): TextsByPlace => {
  if (location === undefined) return {};
  const names = [...new URLSearchParams(location.split("?")[1]).keys()].sort();
  return { "(location)": [names.length === 0 ? "without a query" : `with ${redact(names.join(" and "))}`] };
};

/** The names of fields as they are shown, by the function that replaces secrets. */
const shownBy = memoize((_redact: (text: string) => string) => new Map<string, string>());

/** Returns the name of a field; an id as a name counts as any name. */
const nameOf = (name: string): string => (/^\d+$|^[\da-f-]{16,}$/i.test(name) ? "*" : name);

const itemsOf = ({ list }: Operation, body: unknown): readonly unknown[] => {
  const items = list === undefined ? undefined : atPointer(body, list.items);
  return Array.isArray(items) ? items : [];
};

/** A shorter list may be in order by chance. */
const SHORTEST = 6;

/** Returns the direction by each field that all items have as a number or a text, if enough values differ. */
const ordersOf = (items: readonly unknown[], sort: string | null): TextsByPlace => {
  const [first] = items;
  const fields = items.length >= SHORTEST && isObject(first) ? Object.keys(first) : [];
  const suffix = sort === null ? "" : ` with sort=${sort}`;
  return Object.fromEntries(
    fields.flatMap((name) => {
      const direction = directionOf(items.map((item) => (item as Json | null)?.[name]));
      return direction === undefined ? [] : [[`${name}${suffix}`, [direction]]];
    }),
  );
};

const directionOf = (values: readonly unknown[]): string | undefined => {
  const type = typeof values[0];
  if (!/^(number|string)$/.test(type) || values.some((value) => typeof value !== type)) return undefined;
  if (new Set(values).size < SHORTEST) return undefined;
  const ordered = values as readonly string[];
  const holds = (test: (one: string, other: string) => boolean): boolean =>
    ordered.every((value, at) => at === 0 || test(ordered[at - 1] as string, value));
  if (holds((one, other) => one <= other)) return "ascending";
  return holds((one, other) => one >= other) ? "descending" : "in no order";
};

/** The usual names of a parameter for the number of items. */
const LIMIT = /^(limit|size|page_?size)$/i;

const pagesOf = (
  { list, paging, parameters }: Operation,
  { request }: Exchange,
  length: number,
  body: unknown,
): readonly string[] => {
  const limit = paging?.limit ?? parameters.find(({ name }) => LIMIT.test(name))?.name;
  if (list === undefined || limit === undefined || new URL(request.url).searchParams.has(limit)) return [];
  // Without a fact about the other pages, only the longest list shows where lists are cut.
  if (list.more === undefined && list.last === undefined)
    return length > 0 && request.body === undefined ? [`up to ${length}`] : [];
  return [`${hasMore(list, body) ? "cut after" : "whole with"} ${length}`];
};
