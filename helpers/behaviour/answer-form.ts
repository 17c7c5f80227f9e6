/** Reads the form of one answer: its headers, fields, types, echoes of the request, orders and lengths of lists. */
import type { Contract, Operation, Rule } from "../contract/contract.ts";
import { grouped, keptIn, oncePer } from "../contract/once.ts";
import { atPointer, escapeSegment, segmentsOf } from "../contract/pointer.ts";
import type { Exchange, ReceivedResponse } from "../exchange/exchange.ts";
import type { AnswerForm, Names } from "./behaviour.ts";
import { headerNames } from "./header-names.ts";
import { orderOf } from "./list-orders.ts";
import { haveNames, mergedNames, namesOf, readNames, withOneMore } from "./names.ts";
import { formOf } from "./value-forms.ts";

/** @param redact replaces secrets: a server may send them even as names */
export const answerFormOf = (
  contract: Contract,
  operation: Operation,
  exchange: Exchange,
  response: ReceivedResponse,
  redact: (text: string) => string,
): AnswerForm => {
  const places = placesOf(contract).get(`${operation.operationId} ${response.status}`);
  const read = readBody(response.json, redact, partsSent(contract), places);
  const isAccepted = response.status < 300;
  return {
    headers: namesOf(headerNames(response, exchange.afterLoss === true).map(redact)),
    objects: read.objects,
    values: plain(read.values),
    echoes: isAccepted
      ? { ...echoesOf(exchange.requestJson, response.json), ...encryptedIn(exchange.requestJson) }
      : {},
    ...(isAccepted && keptOf(exchange.requestJson, response.json, redact)),
    orders: isAccepted ? ordersOf(operation, exchange, response.json) : {},
    pages: isAccepted ? pagesOf(operation, exchange, response.json) : [],
  };
};

/** The rules of the contract by operation and status, then by place in the body. */
const placesOf = oncePer(({ rules }: Contract) => {
  const responses = rules.filter(({ direction }) => direction === "response");
  const byAnswer = grouped(responses, ({ operationId, status }) => `${operationId} ${status}`);
  return new Map([...byAnswer].map(([key, own]) => [key, grouped(own, ({ pointer }) => pointer)]));
});

/** Returns the names of the component schemas that requests contain, and the ends of the places of their fields. */
const partsSent = oncePer(
  ({ rules }: Contract): ReadonlySet<string> =>
    new Set(
      rules.flatMap(({ direction, schemaName, pointer, place }) =>
        direction === "request" && place === undefined
          ? [schemaName ?? "", endOf(pointer)].filter((name) => name !== "")
          : [],
      ),
    ),
);

/** Returns the names of a field and of the object or list around it; only `/name` for a field of the body itself. */
const endOf = (place: string): string =>
  /(?:(?<=\/)[^/]+|^)\/[^/]+$/.exec(place.replaceAll("/*", ""))?.[0] ?? "";

/** The number of items of a list that are read: the others have the same form. */
const MOST_ITEMS = 40;

type Places = ReadonlyMap<string, readonly Rule[]>;

const NO_PLACES: Places = new Map();

const readBody = (
  body: unknown,
  redact: (text: string) => string,
  sent: ReadonlySet<string>,
  places: Places = NO_PLACES,
) => {
  const shownNames = shownBy(redact);
  const nameIn = (name: string): string => keptIn(shownNames, name, () => redact(nameOf(name)));
  const objects: Record<string, Names> = {};
  const values = new Map<string, Set<string>>();
  const note = (place: string, form: string): void => {
    const known = values.get(place);
    if (known === undefined) values.set(place, new Set([form]));
    else known.add(form);
  };
  const inside = placesInside(places);
  // What requests may contain depends on the contract.
  const readings = readingsOf(places === NO_PLACES ? sent : places);
  const noteNames = (names: readonly string[], place: string, isCertain: boolean): void => {
    const known = objects[place];
    const shown = [...new Set(names.map(nameIn))];
    // Most objects at a place have the same fields.
    if (known !== undefined && haveNames(known, shown)) {
      objects[place] = withOneMore(known);
      return;
    }
    const own = readNames(readings, `${isCertain} ${place} ${names.join("\n")} ${shown.join("\n")}`, () =>
      namesAt(place, names, shown, isCertain),
    );
    objects[place] = known === undefined ? own : mergedNames(known, own);
  };
  const namesAt = (
    place: string,
    names: readonly string[],
    shown: readonly string[],
    isCertain: boolean,
  ): Names => {
    const at = (name: string) => inside(place, name).rules;
    // The contract may say nothing of the inside of an object, such as what a report was asked for.
    const isOpen = place !== "" && !names.some((name) => at(name).length > 0);
    return namesOf(shown, {
      isRequired: (name) => isCertain && at(name).some(isOfPresence),
      isKnown: (name) => isOpen || at(name).length > 0,
      isGiven: (name) =>
        isOpen ||
        // A field of the body itself does not become a given one because its name is common.
        (place !== "" && sent.has(endOf(inside(place, name).place))) ||
        at(name).some(({ schemaName = "" }) => sent.has(schemaName)),
    });
  };
  /** @param isCertain whether every answer has the place, because no part around it is optional */
  const read = (value: unknown, place: string, isCertain: boolean): void => {
    if (Array.isArray(value)) {
      note(place, "array");
      for (const item of value.slice(0, MOST_ITEMS)) read(item, `${place}/*`, isCertain);
    } else if (typeof value === "object" && value !== null) {
      note(place, "object");
      noteNames(Object.keys(value), place, isCertain);
      for (const [name, part] of Object.entries(value)) {
        const isSure = isCertain && inside(place, name).rules.some(isOfPresence);
        read(part, inside(place, nameIn(name)).place, isSure);
      }
    } else note(place, formOf(value, places.get(place)));
  };
  if (body !== undefined) read(body, "", true);
  return { objects, values };
};

/** What the contract says about the names of objects, by place and names: most answers of an operation have the same. */
const readingsOf = oncePer((_contract: Places | ReadonlySet<string>) => new Map<string, Names>());

interface PlaceInside {
  readonly place: string;
  readonly rules: readonly Rule[];
}

/** Returns a function that finds the place of a field of an object, and its rules. Keeps the places that have rules. */
const placesInside = oncePer((places: Places) => {
  const kept = new Map<string, Map<string, PlaceInside>>();
  return (around: string, name: string): PlaceInside => {
    const known = kept.get(around)?.get(name);
    if (known !== undefined) return known;
    const place = `${around}/${escapeSegment(name)}`;
    const found = { place, rules: places.get(place) ?? [] };
    if (found.rules.length > 0) keptIn(kept, around, () => new Map()).set(name, found);
    return found;
  };
});

/** A rule of one of several shapes does not hold for the others. */
const isOfPresence = ({ keyword, alternative }: Rule): boolean =>
  keyword === "required" && alternative === undefined;

/** The names of fields as they are shown, by the function that replaces secrets. */
const shownBy = oncePer((_redact: (text: string) => string) => new Map<string, string>());

/** Returns the name of a field; an id as a name counts as any name. */
const nameOf = (name: string): string => (/^\d+$|^[\da-f-]{16,}$/i.test(name) ? "*" : name);

const plain = (values: ReadonlyMap<string, ReadonlySet<string>>): Record<string, readonly string[]> =>
  Object.fromEntries(
    [...values].map(([place, forms]) => [place, forms.size === 1 ? [...forms] : [...forms].sort()]),
  );

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
