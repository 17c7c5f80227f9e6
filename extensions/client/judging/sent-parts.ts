/** Judges the parts of a form in the body of a request (multipart/form-data, RFC 7578; OpenAPI 3.1, 4.8.14.4). */
import type { Contract, JsonSchema, Parameter, Rule } from "../../../helpers/contract/contract.ts";
import { flatten } from "../../../helpers/contract/flatten.ts";
import { formIn, isFile } from "../../../helpers/contract/form-fields.ts";
import { essenceOf } from "../../../helpers/contract/media-type.ts";
import { atPointer, segmentsOf } from "../../../helpers/contract/pointer.ts";
import { PARTS } from "../../../helpers/contract/rules.ts";
import { typesOf } from "../../../helpers/contract/schema-reading.ts";
import type { Validator } from "../../../helpers/contract/schema-validator.ts";
import { propertiesOf } from "../../../helpers/contract/schema-visitor.ts";
import { type CheckResult, HOLDS, shownValue, violation } from "../../../helpers/exchange/check-result.ts";
import type { Seen, StoredResult } from "../../../helpers/traffic/seen.ts";
import { type Part, sentParts } from "./form-parts.ts";
import { takes } from "./of-any-contract.ts";
import { typed } from "./written-value.ts";

/**
 * Judges the parts of a request together: what no rule of a single part says.
 * @param rules of the body of the operation
 */
export const judgeParts = (
  rules: readonly Rule[],
  seen: Seen,
  { schemas }: Pick<Contract, "schemas">,
  validator: Validator,
): StoredResult[] => {
  const rule = rules.find(({ keyword, untried }) => keyword === PARTS && untried !== undefined);
  const { content = {}, partTypes = {} } = seen.operation?.requestBody ?? {};
  const [, schema] = formIn(content, "part") ?? [];
  const parts = schema && rule && sentParts(seen);
  if (parts === undefined) return [];
  const whole = flatten(schema ?? {}, schemas);
  const properties = new Map(
    Object.entries(propertiesOf(whole)).map(([name, one]) => [name, flatten(one, schemas)]),
  );
  if (properties.size === 0) return [];
  const result =
    otherType(parts, partTypes) ??
    repeated(parts, properties) ??
    misfit(schema as JsonSchema, valuesOf(parts, properties, partTypes, schemas), validator) ??
    HOLDS;
  return [{ requirement: rule?.requirement ?? "", result, ...(rule && { rule }) }];
};

/** @returns `undefined` if nobody can tell which value the part of the parameter has */
export const sentPart = (
  { name, schema }: Parameter,
  seen: Seen,
  { schemas }: Pick<Contract, "schemas">,
): unknown => {
  const own = (sentParts(seen) ?? []).filter((part) => part.name === name);
  const { partTypes = {} } = seen.operation?.requestBody ?? {};
  const read = valuesOf(own, new Map([[name, flatten(schema, schemas)]]), partTypes, schemas);
  return read.unread.has(name) ? undefined : read.value[name];
};

const otherType = (
  parts: readonly Part[],
  partTypes: Readonly<Record<string, string>>,
): CheckResult | undefined => {
  const isOther = ({ name, type }: Part): boolean =>
    type !== undefined && !listed(partTypes[name] ?? "*/*").some((one) => takes(one, type));
  const other = parts.find(isOther);
  return (
    other &&
    violation({
      pointer: `/${other.name}`,
      message: `the part ${other.name} has another media type`,
      ...{ expected: partTypes[other.name] ?? "", actual: other.type ?? "" },
    })
  );
};

const listed = (types: string): string[] => types.split(",").map(essenceOf);

/** Only a list has several parts of one name. */
const repeated = (
  parts: readonly Part[],
  properties: ReadonlyMap<string, JsonSchema>,
): CheckResult | undefined => {
  const isOne = (name: string): boolean => {
    const types = typesOf(properties.get(name) ?? {});
    return types.length > 0 && !types.includes("array");
  };
  const again = parts.find(
    ({ name }, at) => isOne(name) && parts.slice(0, at).some((one) => one.name === name),
  );
  return (
    again &&
    violation({
      pointer: `/${again.name}`,
      message: `the part ${again.name} is sent more than once`,
      ...{ expected: "one part of this name", actual: "several" },
    })
  );
};

/** The values of parts by their names; of those in `files` only the size is known, and nothing of those in `unread`. */
interface Values {
  readonly value: Readonly<Record<string, unknown>>;
  readonly files: ReadonlySet<string>;
  readonly unread: ReadonlySet<string>;
}

const valuesOf = (
  parts: readonly Part[],
  properties: ReadonlyMap<string, JsonSchema>,
  partTypes: Readonly<Record<string, string>>,
  schemas: Contract["schemas"],
): Values => {
  const value: Record<string, unknown> = {};
  const files = new Set<string>();
  const unread = new Set<string>();
  for (const name of new Set(parts.map((part) => part.name))) {
    const own = parts.filter((part) => part.name === name);
    const schema = properties.get(name) ?? {};
    const isList = typesOf(schema).includes("array");
    const item = isList ? flatten(schema.items ?? {}, schemas) : schema;
    const read = own.map((part) => partValue(part, item, partTypes[name], schemas));
    if (isFile(item)) files.add(name);
    // One part may be a whole list.
    if (read.includes(undefined) || (isList && own.length === 1 && /^\s*\[/.test(own[0]?.text ?? "")))
      unread.add(name);
    value[name] = isList ? read : read[0];
  }
  return { value, files, unread };
};

/** @returns `undefined` if nobody can tell which value a part has */
const partValue = (
  { text, type = "" }: Part,
  schema: JsonSchema,
  partType: string | undefined,
  schemas: Contract["schemas"],
): unknown => {
  if (isFile(schema)) return "x".repeat(leastOctets(text));
  const types = typesOf(schema);
  const isEmpty = types.includes("null") && /^(?:null)?$/.test(text);
  if (types.length === 0 || isEmpty || text.includes(UNREADABLE)) return undefined;
  if (!types.includes("object") && !types.includes("array")) return typed(schema, text, schemas);
  const isJson = /^$|^text\/plain$|[/+]json$/.test(type) && /[/+]json|^$/.test(partType ?? "");
  if (!isJson || types.length > 1) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** Stands in a text for bytes that are not UTF-8. */
const UNREADABLE = "\uFFFD";

/** The length of a file is its number of octets (OpenAPI 3.1, 4.8.14.2). */
const leastOctets = (text: string): number =>
  Buffer.byteLength(text) - 2 * (text.split(UNREADABLE).length - 1);

const misfit = (
  schema: JsonSchema,
  { value, files, unread }: Values,
  validator: Validator,
): CheckResult | undefined => {
  const errors = validator.validate(schema, value);
  const isSure = files.size + unread.size === 0;
  // An alternative may be about a value that nobody can read.
  if (!isSure && errors.some(({ pointer, keyword }) => pointer === "" && !OF_NAMES.has(keyword)))
    return undefined;
  const error = errors.find(({ pointer, keyword }) => {
    const [name = "", ...inner] = segmentsOf(pointer);
    if (inner.length === 0 && OF_NAMES.has(keyword)) return true;
    return !unread.has(name) && (!files.has(name) || OF_SIZES.has(keyword));
  });
  if (error === undefined) return undefined;
  const [name = ""] = segmentsOf(error.pointer);
  const actual = atPointer(value, error.pointer);
  return violation({
    pointer: error.pointer,
    message: `${error.pointer.slice(1) || "the form"} ${error.message}`,
    expected: "parts that fit the schema of the form",
    actual: files.has(name) ? "a larger file" : shownValue(actual),
  });
};

/** Keywords of an object that are about the names of its properties. */
const OF_NAMES: ReadonlySet<string> = new Set([
  ...["required", "minProperties", "maxProperties", "dependentRequired", "additionalProperties"],
]);

/** Keywords that the least size of a file or the number of files breaks. */
const OF_SIZES: ReadonlySet<string> = new Set(["maxLength", "minItems", "maxItems"]);
