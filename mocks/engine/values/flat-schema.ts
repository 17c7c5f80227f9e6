/** Flattens a schema: merges its references, `allOf`, and one fitting branch of `anyOf` and `oneOf`. */
import type { JsonSchema } from "../../../helpers/contract/contract.ts";
import { memoize } from "../../../helpers/contract/memoize.ts";
import { referenced } from "../../../helpers/contract/pointer.ts";
import { expressionOf } from "../../../helpers/contract/schemas/expressions.ts";
import { isObject } from "./fields.ts";
import { FORMATS } from "./formats.ts";

/** Each one has all fields, even without a value: values of one shape are read much faster than values of many. */
export interface FlatSchema {
  readonly types: readonly string[];
  /** Whether these are the types in its description, which its own type contradicts. */
  readonly isContradicted: boolean;
  /** `undefined` when the value is not an object with properties of its own. */
  readonly properties: ReadonlyMap<string, JsonSchema> | undefined;
  readonly required: ReadonlySet<string>;
  readonly items: JsonSchema | undefined;
  /** The schemas of the first items. */
  readonly first: readonly JsonSchema[];
  /** Whether other properties are allowed. */
  readonly others: boolean;
  /** `false` when the schema restricts other properties; `undefined` when they may have any value. */
  readonly anyOthers: false | undefined;
  readonly values: readonly unknown[] | undefined;
  /** Whether the letter case of the values is open. */
  readonly anyCase: boolean;
  readonly patterns: readonly RegExp[];
  readonly format: string | undefined;
  readonly limits: Readonly<Record<(typeof LIMITS)[number], number | undefined>>;
  /** The resource that the value identifies. */
  readonly resource: string | undefined;
  /** Where handlers have the value, if the provider's document has it elsewhere. */
  readonly ours: readonly string[] | undefined;
  /** The name of the maker in the contract. */
  readonly data: string | undefined;
  readonly preset: unknown;
  /** The example in the provider's document. */
  readonly example: unknown;
  /** The texts in its examples, and in examples of whole bodies. */
  readonly shown: readonly string[] | undefined;
  /** The values that the provider's document lists in a description. */
  readonly words: readonly string[] | undefined;
}

const LIMITS = [
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "maxProperties",
] as const;

/** @param known the known part of the value, which selects the branches of alternatives */
export type Flatten = (schema: JsonSchema, known: unknown) => FlatSchema;

/** Returns the parts of a schema that are read for each object. */
export const planOf = memoize(({ properties = new Map(), required }: FlatSchema) => ({
  /** In the order of the schema. */
  properties: [...properties].map(([name, schema]: [string, JsonSchema]) => ({
    name,
    schema,
    isRequired: required.has(name),
  })),
  /** The place of each property in the list. */
  places: new Map([...properties.keys()].map((name, index) => [name as string, index])),
  /** The required properties that the schema does not describe. */
  undescribed: [...required].filter((name) => !properties.has(name)),
}));

/** Returns the component that a schema refers to, by itself, as a part that it joins, or as the schema of its items. */
export const componentIn = ({ $ref, allOf, anyOf, oneOf, items }: JsonSchema): string | undefined => {
  if (typeof $ref === "string") return $ref;
  for (const parts of [allOf, anyOf, oneOf]) {
    const named = Array.isArray(parts) ? parts.find((part) => typeof part.$ref === "string") : undefined;
    if (named !== undefined) return named.$ref;
  }
  return isObject(items) ? componentIn(items) : undefined;
};

const NO_REFERENCES: readonly unknown[] = [];

export const flattener = (schemas: Readonly<Record<string, JsonSchema>>): Flatten => {
  const flat = new WeakMap<JsonSchema, FlatSchema>();
  const resolve = (schema: JsonSchema): JsonSchema =>
    schema.$ref === undefined ? schema : resolve(referenced(schema.$ref, schemas) ?? {});
  /** Returns the reference of a schema, and the references of the parts that it joins. */
  const referencesOf = (schema: JsonSchema, depth = 0): unknown[] =>
    depth > 20
      ? []
      : [schema.$ref, ...listOf(resolve(schema).allOf).flatMap((part) => referencesOf(part, depth + 1))];
  /** @param beside references that a value has to fit as well: of several branches, one of these fits too */
  const parts = (schema: JsonSchema, known: unknown, depth = 0, beside = NO_REFERENCES): JsonSchema[] => {
    if (depth > 20) return [];
    const resolved = resolve(schema);
    const own = resolved === schema ? [schema] : [resolved, withoutRef(schema)];
    return own.flatMap((part) => {
      const all = listOf(part.allOf);
      const joint = all.length === 0 ? beside : [...beside, ...all.flatMap((one) => referencesOf(one))];
      return [
        part,
        ...all.flatMap((branch) => parts(branch, known, depth + 1, joint)),
        ...[part.oneOf, part.anyOf].flatMap((branches) => {
          const chosen =
            listOf(branches).find(({ $ref }) => $ref !== undefined && beside.includes($ref)) ??
            fittingBranch(listOf(branches), known, (branch) => parts(branch, known, depth + 1));
          return chosen === undefined ? [] : parts(chosen, known, depth + 1);
        }),
      ];
    });
  };
  return (schema, known) => {
    const cached = flat.get(schema);
    if (cached !== undefined) return cached;
    const all = parts(schema, known);
    const fresh = withoutForbidden(
      joined(all),
      all.length === 1 ? [] : all.flatMap((part) => closedNames(part, () => parts(part, known))),
    );
    if (!all.some((part) => part.oneOf !== undefined || part.anyOf !== undefined)) flat.set(schema, fresh);
    return fresh;
  };
};

/** Returns the only names that a closed schema allows; nothing for an open schema. */
const closedNames = (schema: JsonSchema, partsOf: () => JsonSchema[]): (readonly string[])[] => {
  if (schema.unevaluatedProperties === false) return [partsOf().flatMap(namesIn)];
  return schema.additionalProperties === false && schema.patternProperties === undefined
    ? [namesIn(schema)]
    : [];
};

const namesIn = ({ properties }: JsonSchema): string[] => Object.keys((properties ?? {}) as object);

/** Removes the properties that another part of an `allOf` forbids. */
const withoutForbidden = (schema: FlatSchema, closed: readonly (readonly string[])[]): FlatSchema => {
  const { properties } = schema;
  if (closed.length === 0 || properties === undefined) return schema;
  const allowed = [...properties].filter(([name]) => closed.every((names) => names.includes(name)));
  return { ...schema, properties: new Map(allowed) };
};

const withoutRef = ({ $ref: _, ...siblings }: JsonSchema): JsonSchema => siblings;

const listOf = (value: unknown): JsonSchema[] => (Array.isArray(value) ? (value as JsonSchema[]) : []);

const joined = (parts: readonly JsonSchema[]): FlatSchema => {
  const first = (keyword: string): unknown => parts.find((part) => part[keyword] !== undefined)?.[keyword];
  const properties = propertiesIn(parts);
  const scalars = properties.size === 0 ? first("x-scalars") : undefined;
  const types = [scalars ?? first("type") ?? (properties.size > 0 ? "object" : [])].flat() as string[];
  const fixed = first("const");
  const choices = first("enum") as unknown[] | undefined;
  // A constant of another alternative is none of the choices.
  const isFixed = fixed !== undefined && (choices === undefined || choices.includes(fixed));
  const values = isFixed ? [fixed] : choices;
  return {
    isContradicted: scalars !== undefined,
    types: types.filter((type) => type !== "null").concat(types.includes("null") ? ["null"] : []),
    properties: properties.size > 0 ? properties : undefined,
    required: new Set(parts.flatMap((part) => (part.required ?? []) as string[])),
    items: both(parts.flatMap((part) => (isObject(part.items) ? [part.items] : []))),
    first: listOf(first("prefixItems")).filter(isObject),
    others: parts.every(
      (part) => part.additionalProperties !== false && part.unevaluatedProperties !== false,
    ),
    anyOthers: parts.some((part) => isLimit(part.additionalProperties)) ? false : undefined,
    values,
    anyCase: first("x-case") === "ignore",
    patterns: parts.flatMap((part) =>
      typeof part.pattern === "string" ? (expressionOf(part.pattern) ?? []) : [],
    ),
    format: textOf(first("format")),
    limits: limitsOf(first),
    resource: textOf(first("x-resource")),
    ours: first("x-ours") as string[] | undefined,
    data: textOf(first("x-data")),
    preset: first("default"),
    example: first("x-example"),
    shown: first("x-shown") as string[] | undefined,
    words: first("x-words") as string[] | undefined,
  };
};

const numberOf = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);

const limitsOf = (read: (limit: string) => unknown): FlatSchema["limits"] =>
  Object.fromEntries(LIMITS.map((limit) => [limit, numberOf(read(limit))])) as FlatSchema["limits"];

export const NO_LIMITS = limitsOf(() => undefined);

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
/** Returns the properties of all parts. A property of several parts has to fit all of them. */
const propertiesIn = (parts: readonly JsonSchema[]): Map<string, JsonSchema> => {
  const schemas = new Map<string, JsonSchema[]>();
  for (const { properties = {} } of parts) {
    for (const [name, schema] of Object.entries(properties as Record<string, JsonSchema>))
      schemas.set(name, [schema, ...(schemas.get(name) ?? [])]);
  }
  return new Map([...schemas].map(([name, all]) => [name, both(all) as JsonSchema]));
};

/** Returns a schema for values that fit all of these. The first one decides what only one schema can decide. */
const both = (schemas: readonly JsonSchema[]): JsonSchema | undefined => {
  const [first, ...others] = new Set(schemas);
  return first === undefined || others.length === 0 ? first : { allOf: [first, ...others] };
};

const isLimit = (others: unknown): boolean =>
  others === false || (isObject(others) && Object.keys(others).length > 0);

const allows = ({ types, values }: FlatSchema, known: unknown): boolean => {
  const type = known === null ? "null" : typeof known;
  if (values !== undefined) return values.includes(known);
  return types.some(
    (one) => one === type || (type === "number" && one === "integer" && Number.isInteger(known)),
  );
};

/** Whether a text has the format and the patterns of a schema. */
const hasForm = ({ format = "", patterns }: FlatSchema, known: unknown): boolean => {
  if (typeof known !== "string") return true;
  const rule = FORMATS[format];
  const isFormatted = rule === undefined || (rule instanceof RegExp ? rule.test(known) : rule(known));
  return isFormatted && patterns.every((pattern) => pattern.test(known));
};

/** Returns the branch that has the most known names and forbids no known value; of scalars, the first that fits. */
const fittingBranch = (
  branches: readonly JsonSchema[],
  known: unknown,
  partsOf: (branch: JsonSchema) => JsonSchema[],
): JsonSchema | undefined => {
  if (branches.length < 2 || known === undefined) return branches[0];
  if (!isObject(known) && !Array.isArray(known)) {
    const flat = branches.map((branch) => joined(partsOf(branch)));
    const fitting = flat.findIndex((one) => allows(one, known) && hasForm(one, known));
    const index = fitting < 0 ? flat.findIndex((one) => allows(one, known)) : fitting;
    return branches[Math.max(0, index)];
  }
  const scores = branches.map((branch) => {
    const { properties, required } = joined(partsOf(branch));
    const names = Object.entries(known).filter(([, value]) => value !== undefined);
    const shared = names.filter(([name]) => properties?.has(name)).length;
    const forbidden = names.filter(([name, value]) => {
      const values = properties?.get(name)?.enum;
      return Array.isArray(values) && !values.includes(value);
    }).length;
    const lacking = [...required].filter((name) => !Object.hasOwn(known, name)).length;
    return shared * 10 - forbidden * 1000 - lacking;
  });
  return branches[scores.indexOf(Math.max(...scores))];
};
