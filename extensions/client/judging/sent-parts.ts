/** Judges the parts of a form in the body of a request (multipart/form-data, RFC 7578; OpenAPI 3.1, 4.8.14.4). */
import type { Contract, JsonSchema, Rule } from "../../../helpers/contract/contract.ts";
import { valueOfJson } from "../../../helpers/contract/json.ts";
import { essenceOf } from "../../../helpers/contract/media-type.ts";
import { atPointer, segmentsOf } from "../../../helpers/contract/pointer.ts";
import { PARTS } from "../../../helpers/contract/rules.ts";
import { flatten } from "../../../helpers/contract/schemas/flatten.ts";
import { formIn, isFile } from "../../../helpers/contract/schemas/form-fields.ts";
import { typesOf } from "../../../helpers/contract/schemas/schema-reading.ts";
import type { Validator } from "../../../helpers/contract/schemas/schema-validator.ts";
import { propertiesOf } from "../../../helpers/contract/schemas/schema-visitor.ts";
import { type CheckResult, HOLDS, shownValue, violation } from "../../../helpers/exchange/check-result.ts";
import type { Seen, StoredResult } from "../../../helpers/traffic/seen.ts";
import { takes } from "./of-any-contract.ts";
import { type Part, sentParts, typed } from "./written-value.ts";

/** By what a request is judged. */
export interface Standard extends Pick<Contract, "schemas"> {
  readonly validator: Validator;
}

/**
 * Judges the parts of a request together: what no rule of a single part says.
 * @param rules of the body of the operation
 */
export const judgeParts = (by: Standard, rules: readonly Rule[], seen: Seen): StoredResult[] => {
  const rule = rules.find(({ keyword, untried }) => keyword === PARTS && untried !== undefined);
  const form = formOf(seen, by.schemas);
  if (rule === undefined || form === undefined || form.properties.size === 0) return [];
  const result = wrongPart(form) ?? misfit(form.schema, valuesOf(form), by.validator) ?? HOLDS;
  return [{ requirement: rule.requirement, result, rule }];
};

/** @returns `undefined` if nobody can tell which value the part with this name has */
export const sentPart = (name: string, seen: Seen, schemas: Contract["schemas"]): unknown => {
  const form = formOf(seen, schemas);
  const read = form && valuesOf(form);
  return read?.unread.has(name) ? undefined : read?.value[name];
};

type Form = NonNullable<ReturnType<typeof formOf>>;

/** Returns the parts of a request, and what its document says about them: the schemas and the media types by their names. */
const formOf = (seen: Seen, schemas: Contract["schemas"]) => {
  const { content = {}, partTypes = {} } = seen.operation?.requestBody ?? {};
  const [, schema] = formIn(content, "part") ?? [];
  const parts = sentParts(seen);
  if (schema === undefined || parts === undefined) return undefined;
  const members = Object.entries(propertiesOf(flatten(schema, schemas)));
  const properties = new Map(members.map(([name, one]) => [name, flatten(one, schemas)]));
  return { schema, parts, properties, partTypes, schemas };
};

/** Finds a part of another media type, or one that is sent again: only a list has several parts of one name. */
const wrongPart = ({ parts, properties, partTypes }: Form): CheckResult | undefined => {
  const broken = ({ name }: Part, problem: string, expected: string, actual: string): CheckResult =>
    violation({ pointer: `/${name}`, message: `the part ${name} ${problem}`, expected, actual });
  const listed = (name: string): string[] => (partTypes[name] ?? "*/*").split(",").map(essenceOf);
  const other = parts.find(
    ({ name, type }) => type !== undefined && !listed(name).some((one) => takes(one, type)),
  );
  if (other !== undefined)
    return broken(other, "has another media type", partTypes[other.name] ?? "", other.type ?? "");
  const isOne = (name: string): boolean => {
    const types = typesOf(properties.get(name) ?? {});
    return types.length > 0 && !types.includes("array");
  };
  const again = parts.find(
    ({ name }, at) => isOne(name) && parts.slice(0, at).some((one) => one.name === name),
  );
  return again && broken(again, "is sent more than once", "one part of this name", "several");
};

/** The values of parts by their names; of those in `files` only the size is known, and nothing of those in `unread`. */
type Values = ReturnType<typeof valuesOf>;

const valuesOf = ({ parts, properties, partTypes, schemas }: Form) => {
  const value: Record<string, unknown> = {};
  const files = new Set<string>();
  const unread = new Set<string>();
  for (const name of new Set(parts.map((part) => part.name))) {
    const own = parts.filter((part) => part.name === name);
    const schema = properties.get(name) ?? {};
    const isList = typesOf(schema).includes("array");
    const item = isList ? flatten(schema.items ?? {}, schemas) : schema;
    const read = own.map((part) => partValue(part, item, partTypes[name]));
    if (isFile(item)) files.add(name);
    // One part may be a whole list.
    if (read.includes(undefined) || (isList && own.length === 1 && /^\s*\[/.test(own[0]?.text ?? "")))
      unread.add(name);
    value[name] = isList ? read : read[0];
  }
  return { value, files, unread };
};

/** @returns `undefined` if nobody can tell which value a part has */
const partValue = ({ text, type = "" }: Part, schema: JsonSchema, partType = ""): unknown => {
  if (isFile(schema)) return "x".repeat(leastOctets(text));
  const types = typesOf(schema);
  const isEmpty = types.includes("null") && /^(?:null)?$/.test(text);
  if (types.length === 0 || isEmpty || text.includes(UNREADABLE)) return undefined;
  if (!types.includes("object") && !types.includes("array")) return typed(schema, text);
  const isJson = /^$|^text\/plain$|[/+]json$/.test(type) && /[/+]json|^$/.test(partType);
  if (!isJson || types.length > 1) return undefined;
  const value = valueOfJson(text);
  return value === undefined ? text : value;
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
