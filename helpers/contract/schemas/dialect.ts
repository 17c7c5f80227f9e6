/** Translates a provider's schemas to JSON Schema 2020-12 with references to `#/components/schemas/…` only. */
import { followed, type OpenApiDocument, wrongAt } from "../documents/document.ts";
import { isObject, type Json } from "../json.ts";
import { escapeSegment, pointerIn } from "../pointer.ts";
import { expressionOf } from "./expressions.ts";
import { orNull, orNullAsDefined, SCHEMA_LISTS, SCHEMAS_BY_NAME, translateExclusive } from "./keywords.ts";
import { withSchemas } from "./schema-visitor.ts";
import { withoutKeywords } from "./untried.ts";

export interface Dialect {
  readonly document: OpenApiDocument;
  /** Whether it is OpenAPI 3.0, with `nullable`, boolean `exclusiveMinimum`, and `$ref` without siblings. */
  readonly is30: boolean;
  /**
   * Set to compare documents: `nullable` is read as OpenAPI 3.0.3 defines it, and what announces changes is kept. By default `nullable`
   * is read as documents use it, so that no server is judged by a rule that its provider did not mean.
   */
  readonly isForComparison?: true;
}

/** @throws ContractError naming line and pointer of an invalid schema or reference */
export const translateSchema = (
  dialect: Dialect,
  node: unknown,
  pointer: string,
  entered: readonly string[] = [],
): unknown => {
  if (typeof node === "boolean") return node;
  if (!isObject(node)) throw wrongAt(dialect.document, pointer, "a schema has to be an object");
  if (typeof node.$ref === "string") return translateRef(dialect, node, node.$ref, pointer, entered);
  const result: Json = {};
  for (const [keyword, value] of Object.entries(node)) {
    const translated = translateKeyword(dialect, keyword, value, `${pointer}/${escapeSegment(keyword)}`);
    if (translated !== undefined) result[keyword] = translated;
  }
  const example = exampleOf(node);
  if (example !== undefined && !dialect.isForComparison) result["x-example"] = example;
  if (!dialect.isForComparison) Object.assign(result, inProse(node), contentOf(node));
  if (dialect.is30) translateExclusive(result);
  const readable = dialect.isForComparison ? result : withoutEmptyLists(withoutForeignPatterns(result));
  if (!dialect.is30 || node.nullable !== true) return readable;
  return dialect.isForComparison ? orNullAsDefined(readable) : orNull(readable);
};

const FOREIGN = "it is no regular expression of ECMA-262";

/** Leaves out patterns of another notation, and what depends on the names that they match. */
const withoutForeignPatterns = (schema: Json): Json => {
  const { pattern, patternProperties } = schema;
  const isForeign = (text: string): boolean => expressionOf(text) === undefined;
  const own = typeof pattern === "string" && isForeign(pattern) ? ["pattern"] : [];
  const byName =
    isObject(patternProperties) && Object.keys(patternProperties).some(isForeign)
      ? ["patternProperties", "additionalProperties", "unevaluatedProperties"]
      : [];
  const foreign = [...own, ...byName];
  return foreign.length === 0 ? schema : withoutKeywords(schema, foreign, FOREIGN);
};

const NO_VALUES = "the list has no values, so nothing would fit it";

/** Leaves out a list of values that has none (JSON Schema 2020-12, Validation, 6.1.2). */
const withoutEmptyLists = (schema: Json): Json =>
  Array.isArray(schema.enum) && schema.enum.length === 0
    ? withoutKeywords(schema, ["enum"], NO_VALUES)
    : schema;

/** Returns the scalar example of a schema. The sandbox shows it where it knows no value. */
const exampleOf = (node: Json): unknown => examplesIn(node).find(isScalar);

const examplesIn = ({ example, examples }: Json): unknown[] => [
  ...(example === undefined ? [] : [example]),
  ...(Array.isArray(examples) ? examples : []),
];

const isScalar = (value: unknown): boolean => ["string", "number", "boolean"].includes(typeof value);

/** Returns what only the description of a schema says. The sandbox follows it, and nobody is judged by it. */
const inProse = ({ type, description, properties, ...node }: Json): Json => {
  if (typeof description !== "string") return {};
  const examples = examplesIn(node);
  if (type === "object" && properties === undefined) {
    const scalars = ["number", "string"].filter((name) => new RegExp(`\\b${name}\\b`, "i").test(description));
    const areScalars = examples.length > 0 && examples.every(isScalar);
    return areScalars && scalars.length > 0 ? { "x-scalars": scalars } : {};
  }
  const words = [...description.matchAll(/^\s*[*-]\s*["`']?([A-Za-z]\w*)["`']?\s*:/gm)].map(
    ([, word]) => word,
  );
  const isList = type === "string" && node.enum === undefined && words.length > 1;
  return isList && examples.every((one) => words.includes(one as string)) ? { "x-words": words } : {};
};

/** Returns the data of a text that states another content (JSON Schema 2020-12, Validation, 8). Nobody is judged by it. */
const contentOf = ({ type, contentEncoding, contentMediaType }: Json): Json => {
  const [encoding] = /^base64/.exec(String(contentEncoding)) ?? [];
  const [media] = /\bjson\b/.exec(String(contentMediaType)) ?? [];
  const data = [encoding, media].filter((one) => one !== undefined);
  return [type].flat().includes("string") && data.length > 0 ? { "x-data": data.join("-") } : {};
};

/** The extension that states the last day of an operation, a parameter or a property. */
export const SUNSET = "x-sunset";

/** The extension that lists the values of a field to which others may be added. */
export const EXTENSIBLE_ENUM = "x-extensible-enum";

/** The extensions of others that are read; all others are left out. */
export const READ_EXTENSIONS: ReadonlySet<string> = new Set([SUNSET, EXTENSIBLE_ENUM]);

/** Keywords of documentation, and keywords that only OpenAPI 3.0 has. */
const DROPPED = new Set(["title", "description", "externalDocs", "xml", "example", "nullable", "summary"]);
const translateKeyword = (dialect: Dialect, keyword: string, value: unknown, pointer: string): unknown => {
  if (READ_EXTENSIONS.has(keyword) && dialect.isForComparison) return value;
  if (keyword.startsWith("x-") || DROPPED.has(keyword)) return undefined;
  const [test, shape] = formOf(keyword);
  if (test !== undefined && !test(value))
    throw wrongAt(dialect.document, pointer, `\`${keyword}\` has to be ${shape}`);
  return withSchemas(keyword, value, (schema, step) => translateSchema(dialect, schema, `${pointer}${step}`));
};

const TYPES: readonly unknown[] = ["string", "number", "integer", "boolean", "object", "array", "null"];
const isNames = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => typeof one === "string");
const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;
const isNumber = (value: unknown): boolean => typeof value === "number";
const isLimit = (value: unknown): boolean => isNumber(value) || typeof value === "boolean";

const COUNT = [isCount, "a non-negative integer"] as const;
const NUMBER = [isNumber, "a number"] as const;

const formOf = (keyword: string): readonly [isRight?: (value: unknown) => boolean, words?: string] => {
  if (SCHEMAS_BY_NAME.has(keyword)) return [isObject, "an object"];
  return SCHEMA_LISTS.has(keyword) ? [Array.isArray, "a list"] : (FORMS[keyword] ?? []);
};

const FORMS: Readonly<Record<string, ReturnType<typeof formOf>>> = {
  type: [(value) => [value].flat().every((one) => TYPES.includes(one)), "a JSON type"],
  required: [isNames, "a list of property names"],
  enum: [Array.isArray, "a list"],
  pattern: [(value) => typeof value === "string", "a regular expression"],
  format: [(value) => typeof value === "string", "a string"],
  minLength: COUNT,
  maxLength: COUNT,
  minItems: COUNT,
  maxItems: COUNT,
  minProperties: COUNT,
  maxProperties: COUNT,
  minimum: NUMBER,
  maximum: NUMBER,
  exclusiveMinimum: [isLimit, "a number"],
  exclusiveMaximum: [isLimit, "a number"],
  multipleOf: NUMBER,
};

const COMPONENT = /^#\/components\/schemas\/[^/]+$/;

/** Keeps a reference to a component schema, so that recursion ends. Replaces any other reference by its target. */
const translateRef = (
  dialect: Dialect,
  node: Json,
  ref: string,
  pointer: string,
  entered: readonly string[],
): unknown => {
  const target = followed(dialect.document, ref, pointer, entered);
  const { $ref: _, ...siblings } = node;
  const own = dialect.is30 ? {} : (translateSchema(dialect, siblings, pointer) as Json);
  if (COMPONENT.test(ref)) return { $ref: ref, ...own };
  const content = translateSchema(dialect, target, pointerIn(ref), [...entered, ref]);
  return Object.keys(own).length === 0 ? content : { allOf: [content, own] };
};
