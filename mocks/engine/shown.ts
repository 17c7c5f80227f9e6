/** The resources that recorded answers show, found by the places of their identifiers in the contract. */
import type { Contract, JsonSchema, Operation } from "../../helpers/contract/contract.ts";
import { getOrInsert } from "../../helpers/contract/memoize.ts";
import { identifierFinder, isScalar } from "./identifiers-in.ts";
import { HIDDEN, type RecordedCall, withoutHidden } from "./recorded.ts";
import { type Fields, fieldsIn, isObject } from "./values/fields.ts";
import { type Flatten, flattener } from "./values/flat-schema.ts";

export interface ShownResource {
  /** What each answer and each change shows of it, in order. */
  views: Fields[];
  /** The identifiers of other resources beside it, by resource. */
  readonly others: Readonly<Record<string, string>>;
  /** The names of the fields that are identifiers. */
  readonly names: Set<string>;
}

/** By resource and identifier. */
export type Shown = ReadonlyMap<string, ReadonlyMap<string, ShownResource>>;

/** @param nests whether the data of one resource contain the data of the other; elsewhere, an answer only repeats them */
export const shownIn = (
  { schemas, operations }: Pick<Contract, "schemas" | "operations">,
  calls: readonly RecordedCall[],
  nests: (owner: string, inner: string) => boolean = () => false,
): Shown => {
  const shown = new Map<string, Map<string, ShownResource>>();
  const of = (resource: string) => getOrInsert(shown, resource, () => new Map<string, ShownResource>());
  const add = (resource: string, id: string, view: Fields, found: Omit<ShownResource, "views">): void => {
    const item = getOrInsert(of(resource), id, () => ({ views: [], others: {}, names: new Set<string>() }));
    const { [resource]: _, ...beside } = found.others;
    Object.assign(item.others, beside);
    // Others name a resource often, and show nothing of it.
    if (Object.keys(view).length === 0) return;
    item.views.push(view);
    for (const name of found.names) item.names.add(name);
  };

  const flatten = flattener(schemas);
  const visit = visitor(flatten, nests, add);
  const find = identifierFinder(flatten, schemas);
  for (const { operation, path, query, status, json, body } of calls) {
    if (status >= 300) continue;
    const { method, parameters, finds, produces, responses } = operation;
    const named = parameters.filter(({ in: place }) => place === "path");
    const others: ShownResource["others"] = Object.fromEntries(
      named.flatMap(({ name, resource }) => (resource === undefined ? [] : [[resource, path[name] ?? ""]])),
    );
    const last = named.find(({ name }) => operation.path.endsWith(`{${name}}`));
    const [answer, sent] = [withoutHidden(json), fieldsIn(withoutHidden(body))];
    if (method === "DELETE") {
      // A path without an identifier at its end is the one of a creation, and all that it made is removed.
      const made = operations.filter(({ path: other }) => other === operation.path);
      for (const { resource = "" } of last === undefined ? made.flatMap(({ produces: all }) => all) : [last])
        for (const [id, item] of shown.get(resource) ?? [])
          if (
            Object.entries(others).every(([name, one]) => ({ ...item.others, [resource]: id })[name] === one)
          )
            of(resource).delete(id);
      continue;
    }
    // A call that names resources succeeds only if they exist, and what it creates belongs to them.
    const inBody: Record<string, string> = {};
    const bodySchema = operation.requestBody?.content["application/json"];
    find({ produces: [], finds: [] }, bodySchema, sent, (resource, value) => {
      inBody[resource] = String(value);
      add(resource, String(value), {}, { others: {}, names: new Set() });
    });
    const asked = Object.fromEntries(query.filter(([, value]) => value !== HIDDEN));
    const places = [
      ...finds,
      ...produces.map((place) => ({ ...place, sent: { ...asked, ...sent }, inBody })),
    ];
    visit(places, responses?.[status]?.content["application/json"], answer, "", { others });
    const root = fieldsIn(answer);
    const [resource, id] = [last?.resource, path[last?.name ?? ""] ?? ""];
    if (resource === undefined) continue;
    const isNamed = Object.values(root).some((value) => isScalar(value) && String(value) === id);
    const found = { others, names: new Set<string>() };
    if (method === "GET" && isNamed) add(resource, id, root, found);
    if (/PUT|PATCH/.test(method)) add(resource, id, { ...sent, ...root }, found);
  }
  return shown;
};

/** Whether a pointer leads to the place. An index in a place stands for each item. */
const isAt = (place: string, pointer: string): boolean =>
  place.replaceAll(/\/\d+(?=\/|$)/g, "/*") === pointer;

/** Returns a function that finds the resources in a part of an answer. */
const visitor = (
  flatten: Flatten,
  nests: (owner: string, inner: string) => boolean,
  add: (resource: string, id: string, view: Fields, found: Omit<ShownResource, "views">) => void,
) => {
  const visit = (
    places: readonly (Operation["finds"][number] & {
      readonly sent?: Fields;
      readonly inBody?: ShownResource["others"];
    })[],
    schema: JsonSchema | undefined,
    json: unknown,
    pointer: string,
    around: Pick<ShownResource, "others"> & { readonly owner?: string },
  ): void => {
    if (Array.isArray(json)) {
      const items = schema && flatten(schema, json).items;
      for (const item of json) visit(places, items, item, `${pointer}/*`, around);
    }
    if (!isObject(json)) return;
    const properties = (schema && flatten(schema, json).properties) ?? new Map<string, JsonSchema>();
    const identifiers = Object.entries(json).flatMap(([name, value], index) => {
      if (!isScalar(value)) return [];
      const property = properties.get(name);
      const resource = property && flatten(property, value).resource;
      const placed = places.filter((place) => isAt(place.pointer, `${pointer}/${name}`));
      const isOwn = name === "id" || placed.length > 0;
      const all = new Set([
        ...placed.map((one) => one.resource),
        ...(resource === undefined ? [] : [resource]),
      ]);
      const { sent, inBody } = placed.find((place) => place.sent) ?? {};
      const view = isOwn || index === 0 ? { ...sent, ...json } : {};
      return [...all].map((one) => ({ name, resource: one, id: String(value), isOwn, view, inBody }));
    });
    const { owner } = around;
    const seen = identifiers.filter(({ resource }) => owner === undefined || nests(owner, resource));
    const beside = Object.fromEntries(identifiers.map(({ resource, id }) => [resource, id]));
    const others = { ...around.others, ...beside };
    const names = new Set(identifiers.map(({ name }) => name));
    for (const { resource, id, view, inBody } of seen)
      add(resource, id, view, { others: { ...inBody, ...others }, names });
    const own = seen.find(({ isOwn }) => isOwn)?.resource ?? owner;
    for (const [name, value] of Object.entries(json))
      visit(places, properties.get(name), value, `${pointer}/${name}`, {
        others,
        ...(own !== undefined && { owner: own }),
      });
  };
  return visit;
};
