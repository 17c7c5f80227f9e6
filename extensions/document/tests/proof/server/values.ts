/** Makes values of schemas. The validator decides whether a value is one. */
import { type Schema, Validator } from "@cfworker/json-schema";
import type { Random } from "../random.ts";
import { isObject, type Json } from "./files.ts";

/** Returns a function that says whether a value is valid. */
export const validatorOf = (schema: unknown): ((value: unknown) => boolean) => {
  const validator = new Validator(
    (typeof schema === "boolean" ? { allOf: [schema] } : schema) as Schema,
    "2020-12",
  );
  return (value) => validator.validate(value).valid && fitsDiscriminators(schema as Json, value);
};

/** By pattern: texts that match it, and texts that do not. */
export type Texts = Readonly<
  Record<string, { readonly good: readonly string[]; readonly bad: readonly string[] }>
>;

/** By format: texts that have it, and texts that do not. */
export const FORMATS: Texts = {
  date: { good: ["2024-02-29", "1999-12-31"], bad: ["2023-02-30", "01.02.2024"] },
  "date-time": {
    good: ["2024-02-29T10:20:30Z", "2001-01-01T00:00:00+02:00"],
    bad: ["2024-02-29 10h", "noon"],
  },
  email: { good: ["ann@example.com", "bo.lee@mail.example.org"], bad: ["ann.example.com", "@"] },
  uuid: {
    good: ["3f0c9f5e-8f0b-4c0e-9a55-0d7a5d2c1b11", "00000000-0000-4000-8000-000000000001"],
    bad: ["3f0c9f5e", "not-a-uuid"],
  },
  ipv4: { good: ["192.0.2.1", "198.51.100.7"], bad: ["192.0.2.300", "one"] },
  uri: { good: ["https://example.com/a", "urn:case:1"], bad: ["no uri", "//"] },
};

export interface Maker {
  /** @throws Error if no value is found */
  make(schema: unknown): unknown;
}

const MOST_TRIES = 300;

export const makerOf = (random: Random, texts: Texts): Maker => ({
  make(schema) {
    const isValid = validatorOf(schema);
    const draw = drawer(random, texts, (isObject(schema) ? (schema.$defs ?? {}) : {}) as Json);
    for (let turn = 0; turn < MOST_TRIES; turn += 1) {
      const value = draw(schema, 0);
      if (isValid(value)) return value;
    }
    throw new Error(`No value was found: ${JSON.stringify(schema)}`);
  },
});

/** Returns one schema for the parts that must hold together, with chosen alternatives. It may be too wide. */
const merged = (random: Random, defs: Json, schema: unknown): Json => {
  if (!isObject(schema)) return {};
  const { $ref, allOf, if: condition, then, else: otherwise, ...rest } = schema;
  const { discriminator, anyOf, oneOf, ...own } = isObject(rest.discriminator)
    ? { ...rest, ...named(random, rest.discriminator) }
    : rest;
  const parts: unknown[] = [
    ...(typeof $ref === "string" ? [defs[$ref.slice("#/$defs/".length)]] : []),
    ...((allOf ?? []) as unknown[]),
    ...(Array.isArray(anyOf) ? [random.one(anyOf)] : []),
    ...(Array.isArray(oneOf) ? [random.one(oneOf)] : []),
    ...(condition === undefined ? [] : random.chance(50) ? [condition, then] : [otherwise]),
  ];
  return parts.map((part) => merged(random, defs, part)).reduce(joined, own);
};

/** Returns one alternative with its name as the value of the discriminator. */
const named = (random: Random, { propertyName, schemas }: Json) => {
  const [value, alternative] = random.one(Object.entries(schemas as Json));
  const tag = { properties: { [String(propertyName)]: { const: value } }, required: [propertyName] };
  return { oneOf: [{ allOf: [alternative, tag] }], anyOf: undefined };
};

const joined = (one: Json, other: Json): Json => {
  const result = { ...one };
  for (const [keyword, value] of Object.entries(other))
    result[keyword] = both(keyword, result[keyword], value);
  return result;
};

const both = (keyword: string, one: unknown, other: unknown): unknown => {
  if (one === undefined) return other;
  if (keyword === "required") return [...new Set([...(one as string[]), ...(other as string[])])];
  if (keyword === "properties" || keyword === "dependentRequired") {
    const result = { ...(one as Json) };
    for (const [name, value] of Object.entries(other as Json))
      result[name] = result[name] === undefined ? value : { allOf: [result[name], value] };
    return result;
  }
  if (/^(min|exclusiveMin)/.test(keyword)) return Math.max(Number(one), Number(other));
  if (/^(max|exclusiveMax)/.test(keyword)) return Math.min(Number(one), Number(other));
  if (keyword === "enum") return (one as unknown[]).filter((item) => (other as unknown[]).includes(item));
  if (keyword === "items" && isObject(one)) return { allOf: [one, other] };
  if (keyword === "type") {
    const common = [one].flat().filter((type) => [other].flat().includes(type));
    return common.length > 0 ? common : [other].flat().includes("integer") ? "integer" : one;
  }
  return other;
};

const drawer = (random: Random, texts: Texts, defs: Json) => {
  const draw = (schema: unknown, depth: number): unknown => {
    const whole = merged(random, defs, schema);
    if ("const" in whole) return whole.const;
    if (Array.isArray(whole.enum)) return random.one(whole.enum as unknown[]);
    const type = typeOf(random, whole);
    if (type === "object") return objectOf(whole, depth);
    if (type === "array") return arrayOf(whole, depth);
    if (type === "string") return textOf(whole);
    if (type === "integer" || type === "number") return numberOf(random, whole, type === "integer");
    return type === "boolean" ? random.chance(50) : null;
  };
  const textOf = ({ pattern, format, minLength = 0, maxLength = Number(minLength) + 8 }: Json): string => {
    const known = texts[String(pattern)] ?? FORMATS[String(format)];
    if (known !== undefined) return random.one(known.good);
    const length = Number(minLength) + random.below(Number(maxLength) - Number(minLength) + 1);
    return Array.from({ length: Math.min(length, Number(minLength) + 12) }, () => random.one(LETTERS)).join(
      "",
    );
  };
  const arrayOf = (schema: Json, depth: number): unknown[] => {
    const {
      prefixItems = [],
      items,
      contains,
      minItems,
      maxItems,
      minContains = 1,
    } = schema as {
      readonly prefixItems?: readonly unknown[];
      readonly items?: unknown;
      readonly contains?: unknown;
      readonly minItems?: number;
      readonly maxItems?: number;
      readonly minContains?: number;
    };
    const least = Math.max(minItems ?? 0, depth > 3 ? 0 : random.below(3));
    const most = maxItems ?? least + 2;
    const count = items === false ? Math.min(least, prefixItems.length) : Math.min(least, most);
    const list = Array.from({ length: count }, (_, index) =>
      draw(prefixItems[index] ?? items ?? {}, depth + 1),
    );
    if (contains !== undefined)
      for (let index = 0; index < minContains; index += 1)
        list[index] = draw({ allOf: [items ?? {}, contains] }, depth + 1);
    return list;
  };
  const objectOf = (schema: Json, depth: number): Json => {
    const {
      properties = {},
      required = [],
      dependentRequired = {},
    } = schema as {
      readonly properties?: Json;
      readonly required?: readonly string[];
      readonly dependentRequired?: Readonly<Record<string, readonly string[]>>;
    };
    const { additionalProperties, propertyNames, patternProperties = {}, minProperties = 0 } = schema;
    const share = depth > 3 ? 0 : random.one([0, 60, 100]);
    const chosen = new Set([...required, ...Object.keys(properties).filter(() => random.chance(share))]);
    for (const name of chosen) for (const other of dependentRequired[name] ?? []) chosen.add(other);
    const isOpen = additionalProperties !== false && schema.unevaluatedProperties !== false;
    const names = [...chosen];
    const missing = Number(minProperties) - names.length;
    const further = isOpen && (isObject(additionalProperties) || propertyNames) ? random.below(2) : 0;
    const extra = Array.from({ length: Math.max(missing, further) }, (_, index) =>
      propertyNames === undefined
        ? `extra${index}`
        : String(draw({ type: "string", ...(propertyNames as Json) }, depth)),
    );
    const patterned = Object.keys(patternProperties as Json).flatMap((pattern) =>
      random.chance(50)
        ? [[random.one(texts[pattern]?.good ?? []), (patternProperties as Json)[pattern]] as const]
        : [],
    );
    return Object.fromEntries([
      ...extra.map((name) => [
        name,
        draw(isObject(additionalProperties) ? additionalProperties : {}, depth + 1),
      ]),
      ...patterned.map(([name, inner]) => [name, draw(inner, depth + 1)]),
      ...names.map((name) => [name, draw(properties[name] ?? {}, depth + 1)]),
    ]);
  };
  return draw;
};

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];

const typeOf = (random: Random, { type, ...rest }: Json): string => {
  if (type !== undefined) return random.one([type].flat() as string[]);
  const has = (...keywords: string[]): boolean => keywords.some((keyword) => keyword in rest);
  if (
    has(
      "properties",
      "required",
      "additionalProperties",
      "minProperties",
      "propertyNames",
      "dependentRequired",
    )
  )
    return "object";
  if (has("items", "prefixItems", "minItems", "contains")) return "array";
  if (has("minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum")) return "number";
  return "string";
};

const numberOf = (random: Random, schema: Json, isInteger: boolean): number => {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema as Record<
    string,
    number | undefined
  >;
  const step = multipleOf ?? (isInteger || random.chance(50) ? 1 : 0.5);
  const low = Math.max(
    minimum ?? -Infinity,
    exclusiveMinimum === undefined ? -Infinity : exclusiveMinimum + step,
  );
  const high = Math.min(
    maximum ?? Infinity,
    exclusiveMaximum === undefined ? Infinity : exclusiveMaximum - step,
  );
  const start = low > -1e15 ? low : Math.min(high, 0) - 20 * step;
  const steps = Math.floor((Math.min(high, start + 1000 * step) - start) / step);
  const value = (Math.ceil(start / step) + random.below(Math.max(1, steps + 1))) * step;
  return Number(value.toPrecision(12));
};

/** Whether the discriminator of each object names a schema that the object fits (OpenAPI 3.0.3, 4.7.25). */
const fitsDiscriminators = (root: Json, value: unknown): boolean => {
  const defs = (root?.$defs ?? {}) as Json;
  const check = (schema: unknown, inner: unknown, depth: number): boolean => {
    if (!isObject(schema) || depth > 12) return true;
    const { discriminator, $ref, properties, items, allOf = [] } = schema;
    if (typeof $ref === "string" && !check(defs[$ref.slice("#/$defs/".length)], inner, depth + 1))
      return false;
    if (isObject(discriminator) && isObject(inner)) {
      const { propertyName, schemas } = discriminator as { propertyName: string; schemas: Json };
      const chosen = schemas[String(inner[propertyName])];
      if (
        chosen === undefined ||
        !new Validator({ ...(chosen as Schema), $defs: defs } as Schema, "2020-12").validate(inner).valid
      )
        return false;
    }
    if (isObject(properties) && isObject(inner))
      for (const [name, property] of Object.entries(properties))
        if (name in inner && !check(property, inner[name], depth + 1)) return false;
    if (Array.isArray(inner) && isObject(items)) return inner.every((item) => check(items, item, depth + 1));
    return (allOf as unknown[]).every((part) => check(part, inner, depth + 1));
  };
  return check(root, value, 0);
};
