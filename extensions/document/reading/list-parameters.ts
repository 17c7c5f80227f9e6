/** Derives what parameters do to a list from their names: they choose a page, a time, or the direction of an order. */
import { isObject, type Json } from "../../../helpers/contract/json.ts";
import { loose, wordsIn } from "../../../helpers/contract/names.ts";
import type { Relation } from "../../../helpers/contract/relations.ts";
import { inPlace, schemasAt, typesOf } from "../../../helpers/contract/schemas/schema-visitor.ts";
import { successIn } from "../../../helpers/contract/statuses.ts";
import { fieldNamesOf, fieldsNamed, schemasOfField } from "./item-fields.ts";
import type { Schemas } from "./resources.ts";

/** Names of the number of items on a page, as `loose` writes them. */
export const SIZES =
  /^(?:limit|pagelimit|size|pagesize|perpage|itemsperpage|maxresults|maxitems|maxpagesize|top)$/;

export const SORTS = /^(?:sort|sortby|orderby|sorting|ordering)$/;

/**
 * Names of what says where a page starts, by the types of its values. Beside a cursor, a number may only be for the client.
 */
const STARTS: readonly (readonly [Relation["means"], RegExp, readonly string[]])[] = [
  [
    "cursor",
    /^(?:(?:next|page|after)?cursor|(?:next)?pagetoken|nexttoken|pageafter|skiptoken|continuation(?:token)?)$/,
    ["string"],
  ],
  ["pages", /^(?:page|pagenumber|pageno|pageindex|currentpage)$/, ["integer"]],
  ["items", /^(?:offset|pageoffset|skip|start|startindex|startat|firstresult)$/, ["integer"]],
  ["cursor", /^(?:after|marker)$/, ["string"]],
  ["item", /^(?:startingafter|startafter)$/, ["string", "integer"]],
];

/** Places at which answers link the next page. */
const LINKS = ["/links/next", "/_links/next", "/next", "/nextLink", "/@odata.nextLink", "/pagination/next"];

/**
 * Returns how a list is divided into pages; `undefined` if nothing tells it.
 * @param query the parameters in the query of the operation
 */
export const pagesIn = (
  schemas: Schemas,
  node: Json,
  query: readonly Json[],
): (Partial<Relation> & { readonly kind: "start"; readonly statement: string }) | undefined => {
  const size = query.find(
    ({ name, schema }) => SIZES.test(loose(String(name))) && isOf(schemas, schema, ["integer"]),
  );
  if (size === undefined) return undefined;
  // A start with an end is one of times.
  const hasEnd = query.some(({ name }) => /^(?:end|stop|to|until)$/.test(loose(String(name))));
  const row = { kind: "start", along: String(size.name), statement: "shows each item on one page." } as const;
  for (const [means, names, types] of STARTS) {
    const start = query.find(({ name, schema }) => {
      const known = loose(String(name));
      const isOfTime = isDate(schemas, schema) || (known === "start" && hasEnd);
      return names.test(known) && isOf(schemas, schema, types) && !isOfTime;
    });
    if (start !== undefined && means !== undefined) return { ...row, means, parameter: String(start.name) };
  }
  return isLinked(schemas, node.responses as Json) ? { ...row, means: "cursor" } : undefined;
};

const isOf = (schemas: Schemas, schema: unknown, allowed: readonly string[]): boolean => {
  const types = typesOf(schemas, schema);
  return types.length > 0 && types.every((type) => allowed.includes(type) || type === "null");
};

const isLinked = (schemas: Schemas, responses: Json): boolean => {
  const { schema } = successIn(responses);
  const headers = Object.entries(responses).flatMap(([status, response]) =>
    /^2/.test(status) && isObject(response) ? Object.keys((response.headers ?? {}) as Json) : [],
  );
  return (
    headers.some((name) => /^link$/i.test(name)) ||
    LINKS.some((place) => schemasAt(schemas, schema, place).length > 0)
  );
};

const isDate = (schemas: Schemas, schema: unknown): boolean =>
  inPlace(schemas, schema, "alternatives").some(({ format }) => format === "date" || format === "date-time");

const FROM = ["from", "since", "after", "start", "min", "gte", "gt", "ge"];
const TO = ["to", "until", "till", "before", "end", "max", "lte", "lt", "le"];

/** Words of the dates of items: other bounds of time may ask for what is available then. */
const OF_ITEMS = ["since", "after", "until", "till", "before"];

/** Returns which end of a window a parameter is, and the words of what it is about: `createdAt[gte]`, `dateFrom`. */
const boundIn = (name: string) => {
  const words = wordsIn(name).filter((word, index) => index > 0 || word !== "filter");
  const at = [words.length - 1, 0].find((index) => [...FROM, ...TO].includes(words[index] ?? ""));
  if (at === undefined) return undefined;
  const about = words.filter((_, index) => index !== at).join("");
  const [bound = ""] = words.slice(at);
  const means = FROM.includes(bound) ? ("from" as const) : ("to" as const);
  return { means, about: stem(about), isOfItems: OF_ITEMS.includes(bound) };
};

/** `createdAt` → `created`, `date` → an empty text */
const stem = (name: string): string => loose(name).replace(/(?:at|on|date|time|datetime|timestamp|day)$/, "");

/** Words of dates that bound a time: an item of a longer time is in a window from which all its dates are far. */
const OF_PERIODS =
  /^(?:start|begin|from|end|until|to|through|expire|expiry|expiration|valid|validity|due|next|last|planned)$/;

/** Returns the dates of items that a parameter bounds. */
export const windowIn = (
  schemas: Schemas,
  items: readonly unknown[],
  { name, schema, required }: Json,
  query: readonly Json[],
) => {
  const bound = boundIn(String(name));
  // Calls need other parameters of a window to be right, so that an arbitrary list is one of a window.
  if (bound === undefined || required === true || !isDate(schemas, schema)) return undefined;
  const { means, about, isOfItems } = bound;
  const dates = fieldNamesOf(schemas, items).filter((field) =>
    schemasOfField(schemas, items, field).every((one) => isDate(schemas, one)),
  );
  const named = dates.filter((field) => about !== "" && stem(field) === about);
  const isOfPeriod = dates.some((field) => wordsIn(field).some((word) => OF_PERIODS.test(word)));
  const isOfAny = about === "" && !isOfPeriod && (isOfItems || dates.some((field) => stem(field) === ""));
  const shows = isOfAny ? dates : named;
  if (shows.length === 0) return undefined;
  const other = query.find((one) => {
    const opposite = boundIn(String(one.name));
    return opposite?.about === about && opposite.means !== means && isDate(schemas, one.schema);
  });
  const along = other && { along: String(other.name) };
  const statement = `lists no item from ${means === "from" ? "before" : "after"} ${name}.`;
  return { kind: "window", means, shows, ...along, statement } as const;
};

const DIRECTIONS = /^(?:order|direction|dir|sortorder|sortdir|sortdirection|orderdir|orderdirection)$/;

/** Returns the two directions of a parameter beside another one that names a field. */
export const directionIn = (
  schemas: Schemas,
  items: readonly unknown[],
  { name, schema }: Json,
  query: readonly Json[],
) => {
  if (!DIRECTIONS.test(loose(String(name)))) return undefined;
  const words = wordsOf(schemas, schema);
  const [up, down] = [/^asc(?:ending)?$/i, /^desc(?:ending)?$/i].map((form) =>
    words.find((word) => form.test(word)),
  );
  const by = query.find((one) => SORTS.test(loose(String(one.name))));
  const shown = wordsOf(schemas, by?.schema).flatMap((word) => fieldsNamed(schemas, items, word).slice(0, 1));
  const [field] = shown;
  if (up === undefined || down === undefined || by === undefined || field === undefined) return undefined;
  const statement = `lists its items in the direction of ${name}.`;
  return {
    kind: "sort",
    along: String(by.name),
    shows: [field],
    words: [up, down] as const,
    statement,
  } as const;
};

const wordsOf = (schemas: Schemas, schema: unknown): string[] =>
  inPlace(schemas, schema, "always").flatMap((part) =>
    Array.isArray(part.enum) ? part.enum.map(String) : [],
  );
