/** The lists of a service without handlers of its own: the resources that it keeps, as the parameters of the call choose. */
import type { Contract, JsonSchema, Operation, ResourcePlace } from "../../../helpers/contract/contract.ts";
import { memoize } from "../../../helpers/contract/memoize.ts";
import { segmentsOf } from "../../../helpers/contract/pointer.ts";
import type { Relation } from "../../../helpers/contract/relations.ts";
import type { Answer, Call } from "../../../mocks/engine/call.ts";
import type { Identifiers } from "../../../mocks/engine/values/complete.ts";
import { type Fields, fieldsIn, isObject } from "../../../mocks/engine/values/fields.ts";
import { editAt } from "../../../mocks/engine/values/pointer.ts";
import { pageIn } from "./pages.ts";
import type { State } from "./state.ts";

/** Returns the place of the resource whose items the operation lists. */
export const listedPlace = ({ list, shows }: Operation): ResourcePlace | undefined =>
  list === undefined ? undefined : shows.find(({ pointer }) => pointer.includes("/*"));

/** The resources in the path of the call that created a resource, by its fields. */
const owners = new WeakMap<Fields, Identifiers>();

/** The names of what bodies gave to a resource, by its fields. */
const given = new WeakMap<Fields, ReadonlySet<string>>();

/** @param within the resources in the path of the call */
export const addTo = (
  state: State,
  { resource, id }: { readonly resource: string; readonly id: string },
  fields: Fields,
  { body, within }: { readonly body: unknown; readonly within: Identifiers },
): void => {
  state.of(resource).set(id, fields);
  owners.set(fields, within);
  noteGiven(fields, body);
};

export const noteGiven = (fields: Fields, body: unknown): void => {
  given.set(fields, new Set([...(given.get(fields) ?? []), ...namesIn(body)]));
};

const namesIn = (value: unknown): string[] => {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)]);
};

/**
 * Puts the identifiers of known resources into an answer, which mentions them, but not at a place for which a body gave
 * another one.
 * @param kept the fields of the resources that it shows
 */
export const withMentions = (
  state: State,
  operation: Operation,
  kept: readonly Fields[],
  json: unknown,
): unknown =>
  operation.finds.reduce((body, { resource, pointer }) => {
    const [id] = state.of(resource).keys();
    const [name = ""] = segmentsOf(pointer).slice(-1);
    const isGiven = kept.some((fields) => given.get(fields)?.has(name));
    if (id === undefined || isGiven || listedPlace(operation)?.resource === resource) return body;
    const toNumber = (value: unknown): unknown => (typeof value === "number" ? Number(id) : id);
    return editAt(body, pointer, { set: toNumber(firstAt(body, pointer)) });
  }, json);

/** Returns the first value at a pointer with `*` for every item. */
const firstAt = (value: unknown, pointer: string): unknown =>
  segmentsOf(pointer).reduce<unknown>(
    (at, segment) => (Array.isArray(at) ? at[0] : fieldsIn(at)[segment]),
    value,
  );

/** Returns the resources that were created below others. What no call created is below what no call created. */
const keptBelow = (state: State, resource: string, within: Identifiers): (readonly [string, Fields])[] => {
  const areFirst = Object.entries(within).every(([owner, id]) => !owners.has(state.of(owner).get(id) ?? {}));
  return [...state.of(resource)].filter(([, fields]) => {
    const above = owners.get(fields);
    if (above === undefined) return areFirst;
    return Object.entries(above).every(([owner, id]) => (within[owner] ?? id) === id);
  });
};

/**
 * Returns the known part of a list: what the service keeps below the resources in the path of the call.
 * @param mostListed the number of items that it shows at most
 */
export const keptItems = (
  { operation, validators }: Pick<Call, "operation" | "validators">,
  schema: JsonSchema,
  state: State,
  within: Identifiers,
  mostListed: number,
): unknown => {
  const place = listedPlace(operation);
  if (place === undefined) return undefined;
  const items = segmentsOf(operation.list?.items ?? "");
  const [id = ""] = segmentsOf(place.pointer).slice(-1);
  const array = items.reduce<JsonSchema>(
    (one, name) => validators.flatten(one, {}).properties?.get(name) ?? {},
    schema,
  );
  const { items: of = {}, limits } = validators.flatten(array, []);
  const idSchema = validators.flatten(of, {}).properties?.get(id) ?? {};
  const isNumber = validators.flatten(idSchema, undefined).types.some((type) => /integer|number/.test(type));
  const all = keptBelow(state, place.resource, within);
  const most = Math.min(mostListed, limits.maxItems ?? mostListed);
  // The first one stays for those who look for any.
  const shown = all.length > most ? [...all.slice(0, 1), ...all.slice(1 - most)].slice(0, most) : all;
  const known = shown.map(([own, fields]) => ({ ...fields, [id]: isNumber ? Number(own) : own }));
  return items.reduceRight<unknown>((inner, name) => ({ [name]: inner }), known);
};

/** Returns a body with the items that the parameters of the call choose, in their order, and what tells of other pages. */
export const chosenItems = (
  contract: Contract,
  call: Call,
  body: unknown,
  baseUrl: string,
): Pick<Answer, "json" | "headers"> => {
  const { operation, query } = call;
  const { list, operationId } = operation;
  const rows = relationsBy(contract).get(operationId) ?? [];
  if (list === undefined || rows.length === 0) return { json: body };
  const items = segmentsOf(list.items).reduce<unknown>((at, name) => fieldsIn(at)[name], body);
  if (!Array.isArray(items)) return { json: body };
  const pages = rows.find(({ kind, guessed }) => kind === "start" && guessed);
  const sent = rows.filter(({ parameter = "" }) => query[parameter] !== undefined);
  const chosen = IN_TURN.flatMap((kind) =>
    sent.filter((row) => row.kind === kind && row.parameter !== pages?.along),
  ).reduce<readonly unknown[]>((some, row) => choose(row, some, query[row.parameter ?? ""]), items);
  const withItems = (some: readonly unknown[]): unknown =>
    list.items === "" ? some : editAt(body, list.items, { set: some });
  if (pages === undefined) return { json: withItems(chosen) };
  const [id = ""] = segmentsOf(listedPlace(operation)?.pointer ?? "").slice(-1);
  const idOf = (item: unknown): unknown => fieldsIn(item)[id];
  const { shown, told } = pageIn(pages, call, chosen, { idOf, baseUrl });
  return told(withItems(shown));
};

const relationsBy = memoize(({ relations }: Contract): ReadonlyMap<string, readonly Relation[]> => {
  const ids = new Set(relations.flatMap(({ operations }) => operations));
  return new Map(
    [...ids].map((id) => [id, relations.filter(({ operations }) => operations.includes(id))] as const),
  );
});

const IN_TURN: readonly Relation["kind"][] = ["filter", "search", "window", "sort", "size"];

const choose = (
  { kind, shows: [field = "", ...others] = [], words, means }: Relation,
  items: readonly unknown[],
  value: unknown,
): readonly unknown[] => {
  const text = String(value);
  const shown = (item: unknown): string => String(fieldAt(item, field) ?? "");
  if (kind === "filter") return items.filter((item) => shown(item) === text);
  if (kind === "search")
    return items.filter((item) => shown(item).toLowerCase().includes(text.toLowerCase()));
  if (kind === "window") {
    const [bound, sign] = [Date.parse(text), means === "from" ? 1 : -1];
    const isWithin = (name: string, item: unknown): boolean =>
      !(sign * (Date.parse(String(fieldAt(item, name))) - bound) < 0);
    return items.filter((item) => [field, ...others].some((name) => isWithin(name, item)));
  }
  if (kind === "size") return items.slice(0, Number(value));
  const word = String([value].flat()[0]);
  if (words?.includes(word) !== true) return items;
  const sorted = items.toSorted((one, other) => (shown(one) < shown(other) ? -1 : 1));
  return word === words[0] ? sorted : sorted.toReversed();
};

/** Returns the value of a field of an item, or of an object in it. */
const fieldAt = (item: unknown, field: string): unknown =>
  fieldsIn(item)[field] ??
  Object.values(fieldsIn(item))
    .filter(isObject)
    .map((inner) => fieldAt(inner, field))
    .find((one) => one !== undefined);
