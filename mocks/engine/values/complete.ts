/** Completes an answer from the contract: known values stay, and missing fields of the schema are generated. */
import type { Contract, JsonSchema } from "../../../helpers/contract/contract.ts";
import { memoize } from "../../../helpers/contract/memoize.ts";
import { atPointer } from "../../../helpers/contract/pointer.ts";
import { fits, fitted, madeScalar } from "./complete-scalars.ts";
import { type Fields, isObject } from "./fields.ts";
import { componentIn, type FlatSchema, type Flatten, flattener, planOf } from "./flat-schema.ts";
import { type Random, randomOf } from "./random.ts";

/**
 * Returns a body that fits the schema. Keeps known values whose names are in the schema, and converts them if needed
 * (a number to a string). Leaves out an optional field whose known value is `undefined`.
 * @param key the same key generates the same values; a resource with an id gets the same values for the same id
 */
export type Completer = (
  schema: JsonSchema,
  known: unknown,
  key: string,
  made?: CreatedResource,
  named?: Identifiers,
) => unknown;

/** Identifiers by resource, for all fields that identify it and have no known value. */
export type Identifiers = Readonly<Record<string, string>>;

/** The unknown fields to generate: all fields of the schema, or only the required ones. */
export type CreatedResource = "optional" | "required";

/** @param epoch seconds since 1970 around which dates are generated */
export const completerOf = (
  schemas: Readonly<Record<string, JsonSchema>>,
  seed: number,
  epoch: number,
): Completer => {
  const flatten = flattener(schemas);
  const hasOtherPlaces = namesOtherPlaces(schemas);
  return (schema, known, key, made = "optional", named = NOTHING) => {
    let random: Random | undefined;
    const context: Context = {
      flatten,
      hasOtherPlaces,
      // Often all values are known, so that no random value is needed.
      random: (idPath) => {
        if (idPath !== undefined) return randomOf(`${seed} ${idPath}`);
        random ??= randomOf(`${seed} ${key}`);
        return random;
      },
      epoch,
      made,
      named,
      shown: new Set(),
    };
    return valueFor(context, flatten(schema, known), known, { name: "", depth: 0, within: [], scope: known });
  };
};

const NOTHING: Identifiers = {};

/** Whether a provider's document has values at other places than the handlers. */
const namesOtherPlaces = memoize((schemas: object): boolean => JSON.stringify(schemas).includes('"x-ours"'));

/** Returns the completer that all tenants share. */
export const completerFor = memoize(({ schemas }: Contract): Completer => completerOf(schemas, 0, 0));

interface Context {
  readonly flatten: Flatten;
  /** Whether the handlers may have a value at another place than the schema. */
  readonly hasOtherPlaces: boolean;
  /** @param idPath a place in a resource with an id. The place gets the same values in every answer. */
  random(idPath: string | undefined): Random;
  readonly epoch: number;
  readonly made: CreatedResource;
  readonly named: Identifiers;
  /** The components that the body shows. */
  readonly shown: Set<string>;
}

interface ValuePlace {
  readonly name: string;
  readonly depth: number;
  /** Names of the enclosing schemas, so that optional fields do not recurse forever. */
  readonly within: readonly string[];
  /** The known part of the body, or of the list item, that contains the place. */
  readonly scope: unknown;
  /** The id of the enclosing resource, and the names that lead from it to this place. */
  readonly idPath?: string | undefined;
}

/** The schema of any value. */
const ANYTHING = flattener({})({}, undefined);

const DEEPEST_OPTIONAL = 12;
const DEEPEST = 12;
/** Below this depth a component is shown once: components that refer to each other would make bodies of any size. */
const DEEPEST_REPEATED = 3;

const valueFor = (context: Context, schema: FlatSchema, given: unknown, place: ValuePlace): unknown => {
  const known = given ?? context.named[schema.resource ?? ""] ?? given;
  if (schema.types[0] === "null" || (known === null && schema.types.includes("null"))) return null;
  if (
    (schema.properties !== undefined || schema.required.size > 0) &&
    (isObject(known) || !isScalar(known))
  ) {
    return objectOf(context, schema, isObject(known) ? known : {}, place);
  }
  if (schema.items !== undefined || schema.first.length > 0) return arrayOf(context, schema, known, place);
  if (known !== undefined && known !== null) {
    const value = fitted(schema, known);
    // An id keeps its form, even if the contract has another one.
    if (fits(schema, value) || (schema.resource !== undefined && typeof value === "string")) return value;
  }
  if (schema.types[0] === "object") return asObject(known, schema);
  if (schema.types[0] === "array") return Array.isArray(known) ? known : [];
  return madeScalar(schema, place.name, context.random(place.idPath), context.epoch);
};

const objectOf = (context: Context, schema: FlatSchema, given: Fields, place: ValuePlace): Fields => {
  const known = atMost(schema, given);
  const value: Record<string, unknown> = {};
  const here = isScalar(known.id) ? withId(place, String(known.id)) : place;
  const { properties, places, undescribed } = planOf(schema);
  // Most names of a large schema are absent, and a look-up of an absent name in an object is slow.
  const all: unknown[] = properties.map(() => ABSENT);
  const others: string[] = [];
  for (const name of Object.keys(known)) {
    const index = places.get(name);
    if (index === undefined) others.push(name);
    else all[index] = known[name];
  }
  let spare = spareIn(schema, known);
  for (const [index, property] of properties.entries()) {
    const { name } = property;
    const isAbsent = all[index] === ABSENT;
    const shown = (isAbsent ? undefined : all[index]) ?? knownElsewhere(context, property.schema, place);
    const isNull = property.isRequired && (all[index] === null || isRepeated(property.schema, place));
    const own =
      shown ?? (isNull && context.flatten(property.schema, null).types.includes("null") ? null : undefined);
    if (own === undefined && !property.isRequired) {
      if (isWithin(context, property.schema, place)) {
        const inner = below(here, property.schema, name, { name, scope: here.scope });
        value[name] = valueFor(context, context.flatten(property.schema, undefined), undefined, inner);
        continue;
      }
      if (context.made === "required" || !isAbsent) continue;
      if (spare <= 0 || isLeftOut(context, property.schema, place)) continue;
      spare -= 1;
    }
    context.shown.add(componentIn(property.schema) ?? "");
    if (place.depth > DEEPEST && own === undefined) continue;
    const flat = context.flatten(property.schema, own);
    value[name] =
      scalarAsItIs(flat, own) ??
      valueFor(context, flat, own, below(here, property.schema, name, { name, scope: here.scope }));
  }
  // A required field without a description can have any value.
  for (const name of undescribed)
    value[name] =
      known[name] ??
      valueFor(context, ANYTHING, undefined, below(here, {}, name, { name, scope: here.scope }));
  if (schema.others === false) return value;
  for (const name of others) if (known[name] !== undefined) value[name] = known[name];
  return value;
};

/** Returns the known values that an object may have: a request may have more properties than its answer. */
const atMost = ({ limits: { maxProperties }, required }: FlatSchema, known: Fields): Fields => {
  const names = Object.keys(known);
  if (maxProperties === undefined || names.length <= maxProperties) return known;
  const [needed, others] = [true, false].map((is) => names.filter((name) => required.has(name) === is));
  const kept = [...(needed ?? []), ...(others ?? [])].slice(0, maxProperties);
  return Object.fromEntries(kept.map((name) => [name, known[name]]));
};

/** Returns how many properties may be added to the known and the required ones. */
const spareIn = ({ limits: { maxProperties }, required }: FlatSchema, known: Fields): number =>
  maxProperties === undefined
    ? Number.POSITIVE_INFINITY
    : maxProperties - new Set([...Object.keys(known), ...required]).size;

/** Stands for the value of a name that an object does not have. */
const ABSENT = Symbol("absent");

/** Returns a known scalar that needs no place, because it is already right; `undefined` if there is none. */
const scalarAsItIs = (schema: FlatSchema, given: unknown): unknown => {
  if (typeof given !== "string" && typeof given !== "number" && typeof given !== "boolean") return undefined;
  if (schema.properties !== undefined || schema.items !== undefined || schema.required.size > 0)
    return undefined;
  const value = fitted(schema, given);
  return fits(schema, value) ? value : undefined;
};

/** Returns the value that the handler has at another place. */
const knownElsewhere = (
  { flatten, hasOtherPlaces }: Context,
  property: JsonSchema,
  { scope }: ValuePlace,
): unknown =>
  !hasOtherPlaces || (property.$ref === undefined && property["x-ours"] === undefined)
    ? undefined
    : flatten(property, undefined)
        .ours?.map((pointer) => atPointer(scope, pointer))
        .find((value) => value !== undefined);

/** Whether an object contains a value that the handler has at another place. */
const isWithin = (context: Context, property: JsonSchema, place: ValuePlace): boolean =>
  context.hasOtherPlaces &&
  place.depth < DEEPEST_OPTIONAL &&
  [...(context.flatten(property, undefined).properties ?? [])].some(
    ([, inner]) => knownElsewhere(context, inner, place) !== undefined,
  );

// Places are made several times for each request. They have no spreads, because Node.js 20 gives each object with a
// spread a hidden class of its own.
const below = (
  place: ValuePlace,
  schema: JsonSchema,
  step: string | number,
  { name, scope }: Pick<ValuePlace, "name" | "scope">,
): ValuePlace => {
  const component = componentIn(schema);
  return {
    name,
    depth: place.depth + 1,
    within: component === undefined ? place.within : [...place.within, component],
    scope,
    idPath: place.idPath && `${place.idPath} ${step}`,
  };
};

const withId = ({ name, depth, within, scope }: ValuePlace, idPath: string): ValuePlace => ({
  name,
  depth,
  within,
  scope,
  idPath,
});

/**
 * Whether an optional field is left out. A generated identifier would refer to a resource that does not exist, and no value
 * fits a schema that contradicts itself.
 */
const isLeftOut = (context: Context, property: JsonSchema, { depth, within }: ValuePlace): boolean => {
  if (depth >= DEEPEST_OPTIONAL) return true;
  const component = componentIn(property);
  if (component !== undefined && within.includes(component)) return true;
  if (component !== undefined && depth > DEEPEST_REPEATED && context.shown.has(component)) return true;
  const { resource, items, properties, required } = context.flatten(property, undefined);
  const isContradicted = ([name, inner]: [string, JsonSchema]): boolean =>
    required.has(name) && context.flatten(inner, undefined).isContradicted;
  return (
    [...(properties ?? [])].some(isContradicted) ||
    (resource !== undefined && context.named[resource] === undefined) ||
    (items !== undefined && context.flatten(items, undefined).resource !== undefined)
  );
};

/** Whether a component contains itself: null ends it. */
const isRepeated = (property: JsonSchema, { within }: ValuePlace): boolean =>
  within.includes(componentIn(property) ?? "");

const arrayOf = (context: Context, schema: FlatSchema, known: unknown, place: ValuePlace): unknown[] => {
  const { minItems, maxItems } = schema.limits;
  const given = Array.isArray(known) ? known.slice(0, maxItems) : [];
  const count = Math.max(given.length, minItems ?? 0, Array.isArray(known) ? 0 : Math.min(1, maxItems ?? 1));
  if (place.depth > DEEPEST) return given;
  return Array.from({ length: count }, (_, index) => {
    const items = schema.first[index] ?? schema.items ?? {};
    const flat = context.flatten(items, given[index]);
    const inner = below(place, items, index, { name: place.name, scope: given[index] });
    return valueFor(context, flat, given[index], inner);
  });
};

/**
 * Wraps a scalar in an object, under a field name of the sandbox, if the schema requires an object but describes no
 * fields.
 */
const asObject = (known: unknown, { others }: FlatSchema): unknown => {
  if (isObject(known)) return known;
  return isScalar(known) && others ? { value: known } : {};
};

const isScalar = (value: unknown): boolean =>
  value !== undefined && value !== null && typeof value !== "object";
