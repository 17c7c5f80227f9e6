/** Finds the places in answers that show identifiers of resources. */
import type { ResourcePlace } from "../../../helpers/contract/contract.ts";
import type { Json } from "../../../helpers/contract/json.ts";
import { loose } from "../../../helpers/contract/names.ts";
import { escapeSegment } from "../../../helpers/contract/pointer.ts";
import { inPlace, propertiesOf, typesOf } from "../../../helpers/contract/schemas/schema-visitor.ts";
import { certainName, memberElsewhere } from "./elsewhere.ts";
import { namesIn } from "./item-fields.ts";
import { identifierName, indexOf, isScalar, type Resource, type Schemas } from "./resources.ts";

/**
 * Returns what the suite has to know of a read: the identifiers in its answer, and its list. See `foundIn`.
 * @param document what is at its paths, too
 */
export const readIn = (
  schemas: Schemas,
  schema: unknown,
  own: readonly Resource[],
  document: Parameters<typeof foundIn>[3] & { readonly paths: Parameters<typeof memberElsewhere>[2] },
): Json => {
  const { path, all, paths } = document;
  const apart = listedElsewhere(schemas, schema, memberElsewhere(path, all, paths));
  const found = foundIn(schemas, schema, own, document);
  const finds = [...apart, ...found.filter(({ resource }) => resource !== apart[0]?.resource)];
  const { byPath, byCollection } = indexOf(all);
  const member = byPath.get(path)?.[0]?.resource;
  const inList = byCollection.get(path)?.[0]?.resource.name ?? apart[0]?.resource;
  const items = finds.filter(({ resource, pointer }) => resource === inList && pointer.includes("/*"));
  const shows = member === undefined ? items : placesOfMember(schemas, schema, member);
  const list =
    items[0]?.pointer.split("/*")[0] ?? (member === undefined ? listIn(schemas, schema) : undefined);
  return {
    ...(finds.length > 0 && { "x-finds": finds }),
    ...(shows.length > 0 && {
      "x-shows": shows.map(({ resource, pointer }) => ({ resource, pointer })),
    }),
    ...(list !== undefined && { "x-list": { items: list } }),
  };
};

/** Returns the place of the identifiers of a resource whose members have their path elsewhere, if a list has one. */
const listedElsewhere = (
  schemas: Schemas,
  schema: unknown,
  elsewhere: ReturnType<typeof memberElsewhere>,
): ResourcePlace[] => {
  if (elsewhere === undefined) return [];
  const listed = itemsOf(schemas, schema).filter(({ isListed }) => isListed);
  const places = listed.flatMap((item): ResourcePlace[] => {
    const id = certainName(schemas, item.schema, elsewhere);
    const { name: resource } = elsewhere.member;
    return id === undefined
      ? []
      : [{ resource, pointer: `${item.pointer}/${escapeSegment(id)}`, isForeign: true }];
  });
  return places.slice(0, 1);
};

/** Returns the identifier of a resource in an answer about it, and inside the object that contains the resource. */
const placesOfMember = (schemas: Schemas, schema: unknown, member: Resource): ResourcePlace[] => {
  const { name: resource, parameter } = member;
  const inner = inPlace(schemas, schema, "always").flatMap((part) => Object.entries(propertiesOf(part)));
  const wrapped = inner.flatMap(([name, property]) => {
    const id = identifierName(schemas, property, member);
    return id === undefined ? [] : [`/${escapeSegment(name)}/${escapeSegment(id)}`];
  });
  const id = identifierName(schemas, schema, member) ?? parameter;
  const whole = `/${escapeSegment(id)}`;
  return [whole, ...(inner.length === 1 ? wrapped : [])].map((pointer) => ({ resource, pointer }));
};

/** Returns the pointer of the only list of objects in an answer. */
const listIn = (schemas: Schemas, schema: unknown): string | undefined => {
  const lists = itemsOf(schemas, schema, "", DEEPEST - 1).filter(
    (item) => item.isListed && typesOf(schemas, item.schema).includes("object"),
  );
  return lists.length === 1 ? lists[0]?.pointer.slice(0, -"/*".length) : undefined;
};

/**
 * Returns the places of identifiers in the answer of a read: of the items of a collection, and of properties with the name
 * of a parameter. A resource that belongs to others is found only where they are known too.
 * @param own the resources in the path of the read
 * @param document the path, and the resources of all paths of the document, outermost first
 */
export const foundIn = (
  schemas: Schemas,
  schema: unknown,
  own: readonly Resource[],
  { path, all }: { readonly path: string; readonly all: readonly (readonly Resource[])[] },
): ResourcePlace[] => {
  const here = new Set(own.map(({ name }) => name));
  const items = itemsOf(schemas, schema);
  const { byCollection, byParameter } = indexOf(all);
  const isShared = (parameter: string): boolean =>
    new Set(byParameter.get(loose(parameter))?.map(({ resource }) => resource.name)).size > 1;
  const found = new Map<string, ResourcePlace>();
  for (const item of items) {
    const named = namesIn(schemas, [item.schema]).flatMap((name) => byParameter.get(loose(name)) ?? []);
    const possible = [...new Set([...(byCollection.get(path) ?? []), ...named])];
    for (const { resource, parents } of possible.sort((one, other) => one.at - other.at)) {
      const { name, collection } = resource;
      if (here.has(name) || found.has(name)) continue;
      const place =
        collection === path && item.isListed
          ? placeInCollection(schemas, item, resource)
          : placeByName(schemas, item, resource, isShared);
      const isWithin = parents.every((one) => here.has(one.name) || isBeside(found.get(one.name), item));
      if (place !== undefined && isWithin)
        found.set(name, { resource: name, pointer: place, isForeign: true });
    }
  }
  return [...found.values()];
};

interface Item {
  readonly pointer: string;
  readonly schema: unknown;
  readonly isListed: boolean;
}

const isBeside = (place: ResourcePlace | undefined, { pointer }: Item): boolean =>
  place !== undefined && place.pointer.slice(0, place.pointer.lastIndexOf("/")) === pointer;

/** Returns the items of all lists in an answer, and the answer itself. */
const itemsOf = (schemas: Schemas, schema: unknown, pointer = "", depth = 0): Item[] => {
  const parts = inPlace(schemas, schema, "always");
  const listed = parts.flatMap(({ items }) => (items === undefined ? [] : [items]));
  const inner =
    depth === DEEPEST
      ? []
      : parts.flatMap((part) =>
          Object.entries(propertiesOf(part)).flatMap(([name, property]) =>
            itemsOf(schemas, property, `${pointer}/${escapeSegment(name)}`, depth + 1),
          ),
        );
  return [
    ...listed.map((items) => ({ pointer: `${pointer}/*`, schema: items, isListed: true })),
    ...inner,
    ...(depth === 0 && listed.length === 0 ? [{ pointer, schema, isListed: false }] : []),
  ];
};

/** The depth of the lists in answers: `_embedded.rooms`. */
const DEEPEST = 2;

const placeInCollection = (schemas: Schemas, item: Item, resource: Resource): string | undefined => {
  const name = identifierName(schemas, item.schema, resource);
  if (name !== undefined) return `${item.pointer}/${escapeSegment(name)}`;
  return isScalar(schemas, item.schema) ? item.pointer : undefined;
};

const placeByName = (
  schemas: Schemas,
  item: Item,
  { parameter }: Resource,
  isShared: (parameter: string) => boolean,
): string | undefined => {
  // A name by which paths identify several resources says nothing about which of them an answer shows.
  if (COMMON.test(parameter) || isShared(parameter)) return undefined;
  const properties = inPlace(schemas, item.schema, "always").flatMap((part) =>
    Object.entries(propertiesOf(part)),
  );
  const found = properties.find(([name]) => loose(name) === loose(parameter));
  if (found === undefined || !isScalar(schemas, found[1])) return undefined;
  return `${item.pointer}/${escapeSegment(found[0])}`;
};

/** Names of properties that many things have. */
const COMMON = /^(id|uuid|name|key|code|type|version|date|year|month)$/i;
