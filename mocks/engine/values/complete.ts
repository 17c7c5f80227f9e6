/** Fills an answer up from the contract: what a handler knows stays, what its schema has besides is made. */
import type { Contract, JsonSchema } from "../../../helpers/contract/contract.ts";
import { oncePer } from "../../../helpers/contract/once.ts";
import { fits, fitted, madeScalar } from "./complete-scalars.ts";
import { type Fields, isObject } from "./fields.ts";
import { type FlatSchema, type Flatten, flattener } from "./flat-schema.ts";
import { type Random, randomOf } from "./random.ts";

/**
 * A body that fits the schema. Known values are kept wherever the schema has their names, converted where it wants
 * them otherwise (a number as a string). A name that is known to be `undefined` is left out where it may lack.
 * @param key values that are made are the same for the same key; those of a thing that has an id, for the same id
 */
export type Completer = (schema: JsonSchema, known: unknown, key: string, made?: CreatedResource) => unknown;

/** What is made besides the known: whatever the schema has, or only what it requires. */
export type CreatedResource = "optional" | "required";

/** @param epoch seconds since 1970 around which dates are made */
export const completerOf = (
  schemas: Readonly<Record<string, JsonSchema>>,
  seed: number,
  epoch: number,
): Completer => {
  const flatten = flattener(schemas);
  return (schema, known, key, made = "optional") => {
    let random: Random | undefined;
    const context: Context = {
      flatten,
      // Much is known to the last value, and then nothing is drawn.
      random: (thing) => {
        if (thing !== undefined) return randomOf(`${seed} ${thing}`);
        random ??= randomOf(`${seed} ${key}`);
        return random;
      },
      epoch,
      made,
    };
    return valueFor(context, flatten(schema, known), known, { name: "", depth: 0, within: [] });
  };
};

/** The same in every tenant. */
export const completerFor = oncePer(({ schemas }: Contract): Completer => completerOf(schemas, 0, 0));

interface Context {
  readonly flatten: Flatten;
  /** @param thing the place in a thing that has an id, which is filled alike wherever the thing is told of */
  random(thing: string | undefined): Random;
  readonly epoch: number;
  readonly made: CreatedResource;
}

interface Place {
  readonly name: string;
  readonly depth: number;
  /** Names of the schemas on the way, so that what may lack does not go round in a circle. */
  readonly within: readonly string[];
  /** The id of the thing that it is in, and the names on the way from there. */
  readonly thing?: string | undefined;
}

const ANYTHING: FlatSchema = { types: [], required: new Set(), others: true, patterns: [], limits: {} };

const DEEPEST_OPTIONAL = 4;
const DEEPEST = 12;

const valueFor = (context: Context, schema: FlatSchema, known: unknown, place: Place): unknown => {
  if (known === null && schema.types.includes("null")) return null;
  if (
    (schema.properties !== undefined || schema.required.size > 0) &&
    (isObject(known) || !isScalar(known))
  ) {
    return objectOf(context, schema, isObject(known) ? known : {}, place);
  }
  if (schema.items !== undefined) return arrayOf(context, schema, known, place);
  if (known !== undefined && known !== null) {
    const value = fitted(schema, known);
    if (fits(schema, value)) return value;
  }
  if (schema.types[0] === "object") return asObject(known, schema);
  if (schema.types[0] === "array") return Array.isArray(known) ? known : [];
  return madeScalar(schema, place.name, context.random(place.thing), context.epoch);
};

const objectOf = (context: Context, schema: FlatSchema, known: Fields, place: Place): Fields => {
  const value: Record<string, unknown> = {};
  const here = isScalar(known.id) ? { ...place, thing: String(known.id) } : place;
  for (const [name, property] of schema.properties ?? []) {
    const given = known[name];
    const required = schema.required.has(name);
    if (given === undefined && !required) {
      if (context.made === "required" || Object.hasOwn(known, name)) continue;
      if (isLeftOut(context, property, place)) continue;
    }
    if (place.depth > DEEPEST) continue;
    const flat = context.flatten(property, given);
    value[name] = valueFor(context, flat, given, { ...below(here, property, name), name });
  }
  // What is required without being described can be anything.
  for (const name of schema.required) {
    if (!schema.properties?.has(name))
      value[name] = known[name] ?? valueFor(context, ANYTHING, undefined, { ...below(here, {}, name), name });
  }
  for (const [name, given] of Object.entries(known)) {
    if (given === undefined || schema.properties?.has(name)) continue;
    if (schema.others === false) continue;
    value[name] = given;
  }
  return value;
};

const below = (place: Place, { $ref }: JsonSchema, step: string | number): Place => ({
  name: place.name,
  depth: place.depth + 1,
  within: $ref === undefined ? place.within : [...place.within, String($ref)],
  thing: place.thing && `${place.thing} ${step}`,
});

/** An identifier that nobody knows would name something that does not exist. */
const isLeftOut = (context: Context, property: JsonSchema, { depth, within }: Place): boolean => {
  if (depth >= DEEPEST_OPTIONAL) return true;
  if (property.$ref !== undefined && within.includes(String(property.$ref))) return true;
  const { resource, items } = context.flatten(property, undefined);
  return (
    resource !== undefined ||
    (items !== undefined && context.flatten(items, undefined).resource !== undefined)
  );
};

const arrayOf = (context: Context, schema: FlatSchema, known: unknown, place: Place): unknown[] => {
  const items = schema.items ?? {};
  const { minItems, maxItems } = schema.limits;
  const given = Array.isArray(known) ? known.slice(0, maxItems) : [];
  const count = Math.max(given.length, minItems ?? 0, Array.isArray(known) ? 0 : Math.min(1, maxItems ?? 1));
  if (place.depth > DEEPEST) return [];
  return Array.from({ length: count }, (_, index) => {
    const flat = context.flatten(items, given[index]);
    return valueFor(context, flat, given[index], below(place, items, index));
  });
};

/** Where an object is wanted of which no names are described, a single known value stands in it under one of ours. */
const asObject = (known: unknown, { others }: FlatSchema): unknown => {
  if (isObject(known)) return known;
  return isScalar(known) && others ? { value: known } : {};
};

const isScalar = (value: unknown): boolean =>
  value !== undefined && value !== null && typeof value !== "object";
