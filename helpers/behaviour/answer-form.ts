/** Reads the form of one answer: its headers, fields, types, echoes of the request, orders and lengths of lists. */
import type { Contract, Operation } from "../contract/contract.ts";
import { hasMore } from "../contract/list-end.ts";
import { keptIn, oncePer } from "../contract/once.ts";
import { atPointer } from "../contract/pointer.ts";
import type { Exchange, ReceivedResponse } from "../exchange/exchange.ts";
import type { AnswerForm } from "./behaviour.ts";
import { bodyFormOf } from "./body-form.ts";
import { headerNames } from "./header-names.ts";
import { orderOf } from "./list-orders.ts";
import { namesOf } from "./names.ts";
import { bodyPlaceOf } from "./places.ts";
import { echoesOf, keptOf, sentTexts } from "./sent-values.ts";

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
  const form = bodyFormOf(response.json, place, shownAs, sentTexts(exchange.requestJson));
  const values = { ...form.values, ...addressOf(response, redact) };
  const { objects } = form;
  const headers = namesOf(headerNames(response, exchange.afterLoss === true).map(redact));
  if (response.status >= 300) return { headers, objects, values, ...NO_FACTS };
  const whole = {
    headers,
    objects,
    values,
    echoes: echoesOf(exchange.requestJson, response.json),
    orders: ordersOf(operation, exchange, response.json),
    pages: pagesOf(operation, exchange, response.json),
  };
  const kept = keptOf(exchange.requestJson, response.json, shownAs);
  return kept === undefined ? whole : { ...whole, kept };
};

/** Tells whether the identifier of a resource stands in the path or in the query of its address (RFC 9110, 10.2.2). */
const addressOf = (
  { headers: { location } }: ReceivedResponse,
  redact: (text: string) => string,
): AnswerForm["values"] => {
  if (location === undefined) return {};
  const names = [...new URLSearchParams(location.split("?")[1]).keys()].sort();
  return { "(location)": [names.length === 0 ? "without a query" : `with ${redact(names.join(" and "))}`] };
};

/** Only accepted requests show these facts. */
const NO_FACTS: Pick<AnswerForm, "echoes" | "orders" | "pages"> = { echoes: {}, orders: {}, pages: [] };

/** The names of fields as they are shown, by the function that replaces secrets. */
const shownBy = oncePer((_redact: (text: string) => string) => new Map<string, string>());

/** Returns the name of a field; an id as a name counts as any name. */
const nameOf = (name: string): string => (/^\d+$|^[\da-f-]{16,}$/i.test(name) ? "*" : name);

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
  return [`${hasMore(list, body) ? "cut after" : "whole with"} ${length}`];
};
