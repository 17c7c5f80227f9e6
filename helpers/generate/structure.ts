/** Generates structures of a schema: complete values except for the leaves that data makers fill. */
import fc from "fast-check";
import type { JsonSchema } from "../contract/contract.ts";
import { isObject } from "../contract/json.ts";
import { getOrInsert, memoize } from "../contract/memoize.ts";
import { escapeSegment } from "../contract/pointer.ts";
import { all, flatten, NOTHING, prefixOf, schemasOfProperty } from "../contract/schemas/flatten.ts";
import { OPEN_NULL } from "../contract/schemas/keywords.ts";
import { ALL_TYPES, REPEATED } from "../contract/schemas/negate.ts";
import {
  alternativesOf,
  branchesOf,
  drawable,
  schemaAt,
  typesOf,
} from "../contract/schemas/schema-reading.ts";
import { propertiesOf, requiredOf, valuesStated } from "../contract/schemas/schema-visitor.ts";
import type { GenerateContext } from "./context.ts";
import { dataMaker } from "./data.ts";
import { identifier, leaf } from "./fill.ts";
import { IMPOSSIBLE, later, NoValue } from "./later.ts";
import { minDepthsIn } from "./min-depths.ts";
import { textOf } from "./patterns.ts";
import { numbers, statedIn, strings } from "./scalars.ts";

/**
 * The number of levels with optional properties, items and deeper alternatives. Below these levels, only required parts
 * are drawn. Without optional parts, only alternatives count.
 */
const LEVELS = { plausible: 6, optional: 3, every: 6, required: 24 } as const;
const MOST_ITEMS = 3;
/** The limit for properties or items of a generated body. */
const MOST_PARTS = 2000;

/** What a structure depends on besides its schema: which resources are known, but not their identifiers. */
interface Structures extends Pick<GenerateContext, "schemas" | "samples" | "takesStated" | "validator"> {
  readonly with: readonly string[];
  readonly without: readonly string[];
  /** The places that must be present or absent. */
  readonly demands: readonly string[];
  readonly known: ReadonlySet<unknown>;
  readonly minDepthOf: (schema: JsonSchema) => number;
  readonly memo: Memo;
}

/** The arbitraries by schema, for contexts that know the same resources; then by depth, or by demanded places. */
type Memo = WeakMap<JsonSchema, Map<number | string, fc.Arbitrary<unknown>>>;

/** The place for which a schema is drawn. */
interface SchemaLocation {
  readonly context: Structures;
  readonly pointer: string;
  /** The number of levels that may still have optional parts. */
  readonly depth: number;
}

/** @throws for a schema that requires itself or contradicts itself */
export const structuresOf = (schema: unknown, context: GenerateContext): fc.Arbitrary<unknown> => {
  const minDepthOf = minDepthsIn(context.schemas);
  if (minDepthOf(flatten(schema, context.schemas)) === Number.POSITIVE_INFINITY) {
    const text = JSON.stringify(schema).slice(0, 200);
    throw new NoValue(`A schema requires itself, so that no finite value is valid: ${text}.`);
  }
  const { schemas, samples, with: present = [], without: absent = [], resources } = context;
  const { takesStated = false, validator } = context;
  const known = Object.keys(resources).sort();
  const memo = getOrInsert(memosOf(schemas), [samples, takesStated, ...known].join(" "), () => new WeakMap());
  const given = { schemas, takesStated, validator, ...(samples && { samples }) };
  const shared = { ...given, known: new Set(known), minDepthOf, memo };
  return draw(schema, {
    context: { ...shared, with: present, without: absent, demands: [...present, ...absent] },
    pointer: "",
    depth: LEVELS[samples ?? "plausible"],
  });
};

const memosOf = memoize((_: GenerateContext["schemas"]) => new Map<string, Memo>());

const below = ({ context, pointer, depth }: SchemaLocation, segment: string): SchemaLocation => ({
  context,
  pointer: `${pointer}/${escapeSegment(segment)}`,
  depth: depth - 1,
});

/**
 * Draws a schema. Places that contain a required or excluded place are drawn separately, except the whole: all probes of
 * a place have the same demands. Other places share a cached arbitrary.
 */
const draw = (schema: unknown, location: SchemaLocation): fc.Arbitrary<unknown> => {
  const flat = drawable(flatten(schema, location.context.schemas), location.context.schemas);
  const { context, pointer, depth } = location;
  const isDemanded = isOnTheWay(pointer, context.demands);
  if (isDemanded && pointer !== "") return build(flat, location);
  const made = getOrInsert(context.memo, flat, () => new Map());
  const key = isDemanded ? JSON.stringify([context.with, context.without]) : depth;
  return getOrInsert(made, key, () => build(flat, location));
};

const build = (schema: JsonSchema, location: SchemaLocation): fc.Arbitrary<unknown> => {
  if (schema === NOTHING) return IMPOSSIBLE;
  const resource = schema["x-resource"] ?? schema["x-names"];
  if (isKnown(resource, location))
    return fc.constant(identifier(resource, { schema, otherwise: plain(schema, location) }));
  if (schema.const !== undefined) return fc.constant(schema.const);
  // The user knows which value the target takes.
  if (schema["x-given"] !== undefined && location.context.samples === undefined)
    return fc.constant(schema["x-given"]);
  const stated = location.context.takesStated ? statedIn(schema, location.context) : undefined;
  if (stated !== undefined) return fc.constant(stated);
  if (Array.isArray(schema.enum)) {
    const isOpen = schema[OPEN_NULL] === true;
    const values = schema.enum.filter((value) => hasType(value, schema) && !(isOpen && value === null));
    return values.length === 0 ? IMPOSSIBLE : fc.constantFrom(...values);
  }
  const maker = dataMaker(schema["x-data"]);
  if (maker !== undefined) return fc.constant(leaf(maker, schema, plain(schema, location)));
  if (branchesOf(schema).length > 0) return choose(schema, location);
  const allTypes = typesOf(schema);
  const mustHold = isOnTheWay(location.pointer, location.context.with) && allTypes.length > 1;
  const types = allTypes.filter((type) => type !== "null" || !mustHold);
  if (schema.type === undefined && location.context.samples !== undefined)
    return anyType(types[0] ?? "string", schema, location);
  if (types.length === 0) return strings({ type: "string" }, location.context);
  const possible = types.map((type) => byType(type, schema, location)).filter((one) => one !== IMPOSSIBLE);
  return possible.length === 0 ? IMPOSSIBLE : fc.oneof(...possible);
};

/** Draws a value from the keywords of a schema alone. */
const plain =
  ({ "x-data": _, "x-resource": __, "x-names": ___, ...schema }: JsonSchema, location: SchemaLocation) =>
  (seed: number): unknown => {
    const [value] = fc.sample(build(schema, location), { seed, numRuns: 1 });
    return typeof value === "object" ? undefined : value;
  };

const isKnown = (resource: unknown, { context }: SchemaLocation): resource is string =>
  context.known.has(resource);

/** Draws values of all types for a schema without types, mostly of the type to which its keywords apply. */
const anyType = (likely: string, schema: JsonSchema, location: SchemaLocation): fc.Arbitrary<unknown> =>
  fc.oneof(
    ...[...Array.from({ length: 4 }, () => likely), ...ALL_TYPES].map((type) =>
      later(() => byType(type, schema, location)),
    ),
  );

const byType = (type: string, schema: JsonSchema, location: SchemaLocation): fc.Arbitrary<unknown> => {
  if (type === "null") return fc.constant(null);
  if (type === "object") return object(schema, location);
  if (type === "array") return array(schema, location);
  if (type === "boolean") return fc.boolean();
  return type === "string" ? strings(schema, location.context) : numbers(schema, type);
};

const choose = (schema: JsonSchema, location: SchemaLocation): fc.Arbitrary<unknown> => {
  const alternatives = alternativesOf(schema, location.context.schemas).filter(
    (one) => canHold(one, location) && !isOpenNull(one),
  );
  if (alternatives.length === 0)
    throw new NoValue(`No alternative at ${location.pointer || "/"} allows the required places.`);
  const limit = Math.max(location.depth, Math.min(...alternatives.map(location.context.minDepthOf)));
  const fitting = alternatives.filter((one) => one !== NOTHING && location.context.minDepthOf(one) <= limit);
  return fitting.length === 0
    ? IMPOSSIBLE
    : fc.oneof(...fitting.map((alternative) => later(() => build(alternative, location))));
};

/** Whether only null fits, and not every reading of the document allows it. */
const isOpenNull = (schema: JsonSchema): boolean =>
  schema[OPEN_NULL] === true && [schema.type].flat().every((type) => type === "null");

const canHold = (schema: unknown, { context, pointer }: SchemaLocation): boolean =>
  context.with.every((place) => {
    if (!place.startsWith(`${pointer}/`)) return true;
    const held = schemaAt(schema, place.slice(pointer.length), context.schemas);
    return held !== undefined && held !== NOTHING;
  });

const object = (schema: JsonSchema, location: SchemaLocation): fc.Arbitrary<unknown> => {
  const { context } = location;
  const required = requiredOf(schema);
  const names = namesIn(schema);
  const most = Number(schema.maxProperties ?? Number.POSITIVE_INFINITY);
  const needsAll = Number(schema.minProperties ?? 0) > required.length;
  const model: Record<string, fc.Arbitrary<unknown>> = {};
  const needed: string[] = [];
  for (const name of names) {
    const inner = below(location, name);
    const property = flatten(all(schemasOfProperty(schema, name)), context.schemas);
    const must =
      required.includes(name) || isOnTheWay(inner.pointer, context.with) || property["x-send"] === "always";
    if (must) needed.push(name);
    else if (context.samples === "required" && !needsAll) continue;
    if (context.without.includes(inner.pointer) || (!must && isLeftOut(property, inner))) continue;
    if (context.takesStated && !must && !needsAll && valuesStated(property).length === 0) continue;
    const values = draw(property, inner);
    if (values !== IMPOSSIBLE) model[name] = values;
    else if (must) return IMPOSSIBLE;
  }
  const drawn = Object.keys(model);
  if (drawn.length === 0 && isObject(schema.additionalProperties)) return map(schema, location);
  if (needed.length > most) return IMPOSSIBLE;
  const hasAll = needsAll || context.samples === "every";
  const requiredKeys = drawn.filter((name) => hasAll || needed.includes(name));
  const objects = fc.record(model, { requiredKeys, noNullPrototype: true });
  return drawn.length > most ? objects.map((drawn) => cut(drawn, needed, most)) : objects;
};

/** Returns the named properties, and additional properties if the schema requires more. */
const namesIn = (schema: JsonSchema): readonly string[] => {
  const names = [...new Set([...Object.keys(propertiesOf(schema)), ...requiredOf(schema)])];
  if (names.length === 0 && isObject(schema.additionalProperties)) return names;
  const spare = Math.min(MOST_PARTS, Number(schema.minProperties ?? 0)) - names.length;
  return [...names, ...Array.from({ length: Math.max(0, spare) }, (_, index) => `other${index + 1}`)];
};

const cut = (value: object, needed: readonly string[], most: number): object => {
  const optional = Object.keys(value).filter((name) => !needed.includes(name));
  const left = new Set([...needed, ...optional.slice(0, most - needed.length)]);
  return Object.fromEntries(Object.entries(value).filter(([name]) => left.has(name)));
};

const isLeftOut = (schema: JsonSchema, location: SchemaLocation): boolean =>
  location.context.minDepthOf(schema) > location.depth ||
  dataMaker(schema["x-data"])?.onlyOnDemand === true ||
  (schema["x-resource"] !== undefined && !isKnown(schema["x-resource"], location));

const map = (schema: JsonSchema, location: SchemaLocation): fc.Arbitrary<unknown> => {
  const inner = below(location, "*");
  const values = flatten(schema.additionalProperties, location.context.schemas);
  const minKeys = Number(schema.minProperties ?? 0);
  const most = location.context.samples === "required" || isLeftOut(values, inner) ? minKeys : minKeys + 2;
  const maxKeys = Math.min(most, Number(schema.maxProperties ?? most));
  if (maxKeys === 0) return fc.constant({});
  const keys = textOf([..."abcdefgh"], 3, 8);
  return fc.dictionary(keys, draw(values, inner), { minKeys, maxKeys, noNullPrototype: true });
};

const array = (schema: JsonSchema, location: SchemaLocation): fc.Arbitrary<unknown> => {
  const inner = below(location, "0");
  const items = flatten(schema.items, location.context.schemas);
  const first = firstItems(schema);
  const isFilled = location.context.samples === "every" && schema.maxItems !== 0 && !isLeftOut(items, inner);
  const wanted = isFilled || isOnTheWay(inner.pointer, location.context.with) ? 1 : 0;
  const minLength = Math.max(Number(schema.minItems ?? 0), wanted);
  if (minLength > Math.min(MOST_PARTS, Number(schema.maxItems ?? MOST_PARTS))) return IMPOSSIBLE;
  if (first.length > 0) return arrayBeginningWith(first, schema, location);
  const most =
    location.context.samples === "required" || isFilled || isLeftOut(items, inner)
      ? minLength
      : minLength + MOST_ITEMS;
  const maxLength = Math.max(minLength, Math.min(Number(schema.maxItems ?? most), most));
  if (maxLength === 0) return fc.constant([]);
  const item = draw(items, inner);
  if (item === IMPOSSIBLE) return minLength === 0 ? fc.constant([]) : IMPOSSIBLE;
  if (schema[REPEATED] === true) return item.map((one) => Array.from({ length: minLength }, () => one));
  return schema.uniqueItems === true && dataMaker(items["x-data"]) === undefined
    ? fc.uniqueArray(item, { minLength, maxLength, selector: (value) => JSON.stringify(value) })
    : fc.array(item, { minLength, maxLength });
};

/** Returns the minimum number of items that must match `contains`. */
const containedIn = ({ contains, minContains }: JsonSchema): number =>
  contains === undefined ? 0 : Number(minContains ?? 1);

/** Returns the schemas of the first items: by position, or because some must match `contains`. */
const firstItems = (schema: JsonSchema): readonly unknown[] => {
  const [prefix, contained] = [prefixOf(schema), containedIn(schema)];
  return Array.from({ length: Math.min(MOST_PARTS, Math.max(prefix.length, contained)) }, (_, index) =>
    all([prefix[index] ?? schema.items ?? true, ...(index < contained ? [schema.contains] : [])]),
  );
};

const arrayBeginningWith = (
  first: readonly unknown[],
  schema: JsonSchema,
  location: SchemaLocation,
): fc.Arbitrary<unknown> => {
  const fewest = Math.max(Number(schema.minItems ?? 0), containedIn(schema));
  const most = Math.min(Math.max(fewest, first.length), Number(schema.maxItems ?? Number.POSITIVE_INFINITY));
  const items = Array.from({ length: most }, (_, index) =>
    draw(index < first.length ? first[index] : (schema.items ?? true), below(location, String(index))),
  );
  const end = items.includes(IMPOSSIBLE) ? items.indexOf(IMPOSSIBLE) : most;
  if (fewest > end) return IMPOSSIBLE;
  return fc
    .tuple(fc.integer({ min: fewest, max: end }), fc.tuple(...items.slice(0, end)))
    .map(([length, drawn]) => drawn.slice(0, length));
};

const hasType = (value: unknown, schema: JsonSchema): boolean => {
  if (schema.type === undefined) return true;
  const types = typesOf(schema);
  if (value === null) return types.includes("null");
  if (Array.isArray(value)) return types.includes("array");
  return types.includes(typeof value) || (types.includes("integer") && Number.isInteger(value));
};

const isOnTheWay = (pointer: string, wanted: readonly string[]): boolean =>
  wanted.some((place) => place === pointer || place.startsWith(`${pointer}/`));
