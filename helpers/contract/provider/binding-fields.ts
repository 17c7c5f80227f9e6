/**
 * Finds fields that the provider's document gives another name or place than the contract, and notes at each where the
 * contract has it (`x-ours`: JSON pointers from the body or from the list item that contains it).
 */

import type { JsonSchema } from "../contract.ts";
import { isObject, isSame, type Json } from "../json.ts";
import { loose, wordsIn } from "../names.ts";
import { innerSchemas, partsOf, propertiesOf, typesOf } from "../schemas/schema-visitor.ts";
import { annotated, type Carrier, carryAnnotations, firstTime, targetOf } from "./annotations.ts";
import { resourceNames } from "./binding-resources.ts";
import { boundWithin } from "./bindings.ts";

/** A field of a body, or of an item of one of its lists. */
interface Field {
  readonly pointer: string;
  readonly parent: string;
  readonly name: string;
  readonly schema: JsonSchema;
  readonly kind: "list" | "scalar";
  replace(schema: JsonSchema): void;
}

/**
 * Notes the contract's places in the provider's schema of the same body. Annotates renamed fields like all others.
 * @param bound the user's corrections: pointers in the provider's body by pointers in ours
 */
export const noteOurPlaces = (
  carrier: Carrier,
  ours: unknown,
  theirs: unknown,
  bound: Readonly<Record<string, string>>,
  depth = 0,
): void => {
  if (!isObject(ours) || !isObject(theirs) || depth > DEEPEST) return;
  if (!firstTime(done, targetOf(carrier.ours, ours), targetOf(carrier.theirs, theirs))) return;
  noteItems(carrier, ours, theirs, boundWithin(bound, "/*", "/*"), depth);
  const [our, their] = [fieldsOf(carrier.ours, ours), fieldsOf(carrier.theirs, theirs)];
  const noteList = (mine: Field, other: Field): void => {
    const inner = boundWithin(bound, `${mine.pointer}/*`, `${other.pointer}/*`);
    noteItems(carrier, mine.schema, other.schema, inner, depth);
  };
  for (const field of their) {
    const same = our.find(({ pointer }) => pointer === field.pointer);
    if (same !== undefined) noteList(same, field);
  }
  const settled = our.flatMap((mine) => {
    const field = their.find(({ pointer }) => pointer === bound[mine.pointer]);
    return field === undefined ? [] : [[mine, field] as const];
  });
  for (const { pointer, schema } of our) if (bound[pointer] !== undefined) corrected.add(schema);
  const unmatched = without(our, their).filter(({ schema }) => !corrected.has(schema));
  const open = without(their, our).filter((field) => settled.every(([, taken]) => taken !== field));
  for (const [mine, theirField] of [...settled, ...matches(carrier, unmatched, open)]) {
    theirField.replace(noted(carrier, mine, theirField));
    noteList(mine, theirField);
  }
};

const DEEPEST = 4;

/** Our fields whose places the user has corrected. Bodies that share a component share its corrections. */
const corrected = new WeakSet<object>();

const done: Carrier["done"] = new WeakMap();

const without = (some: readonly Field[], others: readonly Field[]): Field[] => {
  const pointers = new Set(others.map(({ pointer }) => pointer));
  return some.filter(({ pointer }) => !pointers.has(pointer));
};

const noteItems = (
  carrier: Carrier,
  ours: JsonSchema,
  theirs: JsonSchema,
  bound: Readonly<Record<string, string>>,
  depth: number,
): void => {
  const [our, their] = [itemsOf(carrier.ours, ours), itemsOf(carrier.theirs, theirs)];
  if (our === undefined || their === undefined) return;
  carryAnnotations(carrier, our, their);
  noteOurPlaces(carrier, our, their, bound, depth + 1);
};

const itemsOf = (schemas: Carrier["ours"], schema: JsonSchema): JsonSchema | undefined =>
  partsOf(schemas, schema)
    .map(({ items }) => items)
    .find(isObject);

/** Adds the place, and the notes of the contract if only the name differs. */
const noted = (carrier: Carrier, ours: Field, theirs: Field): JsonSchema => {
  const known = (theirs.schema["x-ours"] ?? []) as readonly string[];
  const pointers = [...new Set([...known, ours.pointer])];
  const renamed = ours.parent === theirs.parent && loose(ours.name) === loose(theirs.name);
  if (renamed || ours.kind === "list")
    return { ...annotated(carrier, ours.schema, theirs.schema), "x-ours": pointers };
  const resource = ours.schema["x-resource"];
  return {
    ...theirs.schema,
    ...(resource !== undefined && { "x-resource": theirs.schema["x-resource"] ?? resource }),
    "x-ours": pointers,
  };
};

/** Lists the scalars and lists below a schema, in objects at any depth, but not those in lists. */
const fieldsOf = (
  schemas: Carrier["ours"],
  schema: JsonSchema,
  parent = "",
  within: readonly unknown[] = [],
): Field[] => {
  if (within.length > DEEPEST) return [];
  const found = new Map<string, Field[]>();
  for (const { part, segment, name, schema: property } of innerSchemas(schemas, schema)) {
    if (name === undefined || !isObject(property) || within.includes(property)) continue;
    const pointer = `${parent}${segment}`;
    const replace = (changed: JsonSchema): void => {
      (part as Json).properties = { ...propertiesOf(part), [name]: changed };
    };
    const inner = fieldsOf(schemas, property, pointer, [...within, property]);
    const kind = itemsOf(schemas, property) === undefined ? "scalar" : "list";
    found.set(name, inner.length > 0 ? inner : [{ pointer, parent, name, schema: property, kind, replace }]);
  }
  return [...found.values()].flat();
};

/** Pairs the fields that are certainly the same: the best match of each, if no other field matches as well. */
const matches = (
  carrier: Carrier,
  ours: readonly Field[],
  theirs: readonly Field[],
): (readonly [Field, Field])[] => {
  const lists = (some: readonly Field[]) => some.filter(({ kind }) => kind === "list").length;
  const alone = lists(ours) === 1 && lists(theirs) === 1;
  const scored = ours.flatMap((our) =>
    theirs.flatMap((their) => {
      const score = likeness(carrier, our, their, alone);
      return score > 0 ? [{ our, their, score }] : [];
    }),
  );
  return scored
    .filter(({ our, their, score }) =>
      scored.every(
        (other) =>
          (other.our === our) === (other.their === their) ||
          (other.our !== our && other.their !== their) ||
          other.score < score,
      ),
    )
    .map(({ our, their }) => [our, their] as const);
};

/** Returns how certainly two fields are the same; 0 if they are not. */
const likeness = (carrier: Carrier, our: Field, their: Field, alone: boolean): number => {
  if (our.kind !== their.kind) return 0;
  if (loose(our.name) === loose(their.name)) return our.parent === their.parent ? 100 : 90;
  if (our.kind === "list") return sharedNames(carrier, our, their) >= 0.5 || alone ? 60 : 0;
  const resource = our.schema["x-resource"];
  if (resource !== undefined && resourceNames(carrier.ours).get(loose(their.name)) === resource) return 80;
  const [type] = typesOf(carrier.ours, our.schema);
  if (!typesOf(carrier.theirs, their.schema).includes(String(type))) return 0;
  return Math.max(isSameSchema(our.schema, their.schema) ? 50 : 0, sharedWords(our.name, their.name));
};

/** Returns a score if one name consists of the first or the last words of the other: `amount`, `settlementAmount`. */
const sharedWords = (our: string, their: string): number => {
  const [mine, others] = [wordsIn(our), wordsIn(their)];
  const [short, long] = mine.length < others.length ? [mine, others] : [others, mine];
  if (short.join("").length < SHORTEST) return 0;
  const isPart = (part: readonly string[]): boolean => part.join(" ") === short.join(" ");
  if (isPart(long.slice(-short.length))) return 40 + short.length;
  return isPart(long.slice(0, short.length)) ? 20 + short.length : 0;
};

const SHORTEST = 3;

/** Whether both schemas state the same, and more than a type. */
const isSameSchema = (our: JsonSchema, their: JsonSchema): boolean => {
  const stated = (schema: JsonSchema): Json =>
    Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keyword.startsWith("x-")));
  const isTelling = our.$ref !== undefined || Object.keys(stated(our)).length > 1;
  return isTelling && isSame(stated(our), stated(their));
};

/** Returns the share of the names of fields that the items of two lists have in common. */
const sharedNames = (carrier: Carrier, our: Field, their: Field): number => {
  const names = (schemas: Carrier["ours"], { schema }: Field): Set<string> =>
    new Set(fieldsOf(schemas, itemsOf(schemas, schema) ?? {}).map(({ name }) => loose(name)));
  const [mine, others] = [names(carrier.ours, our), names(carrier.theirs, their)];
  const shared = [...mine].filter((name) => others.has(name)).length;
  return shared / Math.max(1, Math.min(mine.size, others.size));
};
