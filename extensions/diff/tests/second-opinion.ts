/**
 * A second validator, which shares no code with the diff. It reads schemas of OpenAPI 3.0.3 and 3.1, each translated here
 * on its own.
 */
import { type Schema, Validator } from "@cfworker/json-schema";

import type { Json, Side } from "./random-pairs.ts";

/** Whether a value is valid. */
export type Opinion = (value: unknown) => boolean;

export const secondOpinion = ({ schema, schemas }: Side, version: string): Opinion => {
  const translated = (node: unknown): unknown => translate(node, version.startsWith("3.0"));
  const root = {
    allOf: [translated(schema)],
    $defs: Object.fromEntries(Object.entries(schemas).map(([name, one]) => [name, translated(one)])),
  };
  const validator = new Validator(root as Schema, "2020-12");
  return (value) => validator.validate(value).valid;
};

/** A keyword of JSON Schema, not a promise. */
const THEN: string = "then";

const DATA: ReadonlySet<string> = new Set(["enum", "const", "default", "required"]);

const translate = (node: unknown, is30: boolean): unknown => {
  if (Array.isArray(node)) return node.map((item) => translate(item, is30));
  if (typeof node !== "object" || node === null) return node;
  const { nullable, ...rest } = node as Json;
  const result: Json = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, DATA.has(key) ? value : translate(value, is30)]),
  );
  if (typeof result.$ref === "string")
    return { $ref: result.$ref.replace("#/components/schemas/", "#/$defs/") };
  if (is30) {
    exclusive(result, "minimum", "exclusiveMinimum");
    exclusive(result, "maximum", "exclusiveMaximum");
    // OpenAPI 3.0.3: null is added to the type of the same schema, and to nothing else.
    if (nullable === true && typeof result.type === "string") result.type = [result.type, "null"];
  }
  return withRange(result);
};

const exclusive = (schema: Json, limit: string, flag: string): void => {
  if (typeof schema[flag] !== "boolean") return;
  const isExclusive = schema[flag] && schema[limit] !== undefined;
  delete schema[flag];
  if (!isExclusive) return;
  schema[flag] = schema[limit];
  delete schema[limit];
};

/** OpenAPI names two formats of numbers that this validator does not know. */
const RANGES: Readonly<Record<string, number>> = { int32: 2 ** 31, int64: 2 ** 63 };

const withRange = (schema: Json): Json => {
  const end = RANGES[String(schema.format)];
  if (end === undefined) return schema;
  const { format: _, ...rest } = schema;
  const range = { if: { type: "number" }, [THEN]: { type: "integer", minimum: -end, maximum: end - 1 } };
  return { allOf: [rest, range] };
};
