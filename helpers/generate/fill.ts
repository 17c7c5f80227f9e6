/** Fills the leaves of a drawn structure with plausible, matching data. */
import type { JsonSchema } from "../contract/contract.ts";
import { escapeSegment } from "../contract/pointer.ts";
import type { GenerateContext } from "./context.ts";
import type { DataMaker } from "./data-maker.ts";
import { NoValue } from "./later.ts";

const DATA = Symbol("data");

/** A placeholder for a value of a data maker. */
export interface Leaf {
  readonly [DATA]: DataMaker;
  readonly schema: JsonSchema;
  /** Returns a value of the schema alone, for a schema that allows no value of the data maker. */
  readonly otherwise?: (seed: number) => unknown;
}

export const leaf = (maker: DataMaker, schema: JsonSchema, otherwise?: Leaf["otherwise"]): Leaf => ({
  [DATA]: maker,
  schema,
  ...(otherwise && { otherwise }),
});

const RESOURCE = Symbol("resource");

/** A placeholder for the identifier of a known resource. */
interface Identifier extends Required<Pick<Leaf, "schema" | "otherwise">> {
  readonly [RESOURCE]: string;
}

export const identifier = (resource: string, rest: Omit<Identifier, typeof RESOURCE>): Identifier => ({
  [RESOURCE]: resource,
  ...rest,
});

/**
 * @param person the seed that all values of one body share; each item of an array has its own seed
 * @param which the value to use: the first value of the data maker, or its first value that matches the schema of the
 * leaf
 */
export const fill = (
  structure: unknown,
  person: number,
  context: GenerateContext,
  which: "first" | "fitting",
  pointer = "",
): unknown => {
  if (Array.isArray(structure)) {
    return structure.map((item, index) =>
      fill(item, (person + index) & 0x7fff_ffff, context, which, `${pointer}/${index}`),
    );
  }
  if (typeof structure !== "object" || structure === null) return structure;
  if (isLeaf(structure)) {
    const value = valuesOf(structure, person, context, pointer);
    return which === "first" ? value(0) : fitting(structure, value, context, pointer, person);
  }
  if (isIdentifier(structure)) {
    const given = asGiven(structure, context);
    const { schema, otherwise } = structure;
    // The schema of a field that only seems to name a resource decides whether it does.
    const isOther = "x-names" in schema && context.validator.validate(schema, given).length > 0;
    return isOther ? otherwise(mix(person, pointer)) : given;
  }
  return Object.fromEntries(
    Object.entries(structure).map(([name, value]) => [
      name,
      fill(value, person, context, which, `${pointer}/${escapeSegment(name)}`),
    ]),
  );
};

/** Converts the value of a data maker to the JSON type of the schema. */
const shaped = (value: string | number | boolean, schema: JsonSchema): unknown => {
  const types = [schema.type ?? []].flat();
  if (types.includes("string") || types.length === 0) {
    return typeof value === "number" && !Number.isInteger(value) ? value.toFixed(2) : String(value);
  }
  if (types.includes("integer")) return Math.round(Number(value));
  return types.includes("number") ? Number(value) : value;
};

const ATTEMPTS = 20;

const isIdentifier = (structure: object): structure is Identifier => RESOURCE in structure;

/** Returns the identifier as the target gave it. It becomes a number only if it is one, with all its digits. */
const asGiven = ({ [RESOURCE]: resource, schema }: Identifier, { resources }: GenerateContext): unknown => {
  const given = String(resources[resource]);
  const types = [schema.type ?? []].flat();
  const isNumber = /^-?\d+(\.\d+)?$/.test(given) && String(Number(given)) === given;
  return isNumber && !types.includes("string") ? shaped(given, schema) : given;
};

const isLeaf = (structure: object): structure is Leaf => DATA in structure;

const valuesOf = (
  { [DATA]: maker, schema }: Leaf,
  person: number,
  { country, tag }: GenerateContext,
  pointer: string,
) => {
  const seed = mix(person, pointer);
  return (attempt: number): unknown =>
    shaped(maker.make({ person: person + attempt, leaf: seed + attempt, country, tag }), schema);
};

const fitting = (
  { schema, otherwise }: Leaf,
  make: (attempt: number) => unknown,
  { validator }: GenerateContext,
  pointer: string,
  person: number,
): unknown => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const value = make(attempt);
    if (validator.validate(schema, value).length === 0) return value;
  }
  const plain = otherwise?.(mix(person, pointer));
  if (plain !== undefined && validator.validate(schema, plain).length === 0) return plain;
  throw new NoValue(
    `The data maker "${schema["x-data"] ?? schema.format}" makes no value that fits the schema at ${pointer || "/"}: ${JSON.stringify(schema)}.`,
  );
};

/** Returns the FNV-1a hash of seed and pointer. */
const mix = (seed: number, pointer: string): number => {
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (let index = 0; index < pointer.length; index += 1) {
    hash = Math.imul(hash ^ pointer.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 1) & 0x3fff_ffff;
};
