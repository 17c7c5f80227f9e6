/** Gives parameters, headers and fields of requests the values of `--value NAME=VALUE`. */
import type { JsonSchema } from "../../../helpers/contract/contract.ts";
import { isObject, type Json } from "../../../helpers/contract/json.ts";
import { didYouMean } from "../../../helpers/contract/nearest.ts";
import { createValidator } from "../../../helpers/contract/schema-validator.ts";
import { withinChanged } from "../../../helpers/contract/schema-visitor.ts";
import { ConfigurationError } from "../../../helpers/target/load-target.ts";
import { schemasOf } from "./convert.ts";
import type { Converted } from "./converted.ts";
import { METHODS } from "./resources.ts";

/**
 * Changes the document: each valid call has the values.
 * @throws ConfigurationError for a name that no request has, and for a value that fits the schema of no place with its name
 */
export const giveValues = ({ root }: Converted, given: readonly string[]): void => {
  if (given.length === 0) return;
  const values = new Map(given.map((pair) => split(pair)));
  const validator = createValidator({ schemas: schemasOf(root) });
  const names = new Set<string>();
  const placed = new Set<string>();
  // A field of an answer may have the name of a field of a request, and another type.
  const misfits = new Map<string, string>();
  const fitting = (name: string, schema: unknown): unknown => {
    names.add(name);
    const text = values.get(name);
    if (text === undefined) return undefined;
    const errors = [text, jsonIn(text)].map((value) => ({
      value,
      error: validator.validate(schema as JsonSchema, value)[0],
    }));
    const fit = errors.find(({ error }) => error === undefined);
    if (fit === undefined)
      misfits.set(name, `"${text}" does not fit its schema: ${errors[0]?.error?.message}`);
    else placed.add(name);
    return fit?.value;
  };
  const withFields = (schema: unknown): unknown =>
    withinChanged(schema, (one) => {
      const fields = Object.entries(isObject(one.properties) ? one.properties : {}).map(([name, field]) => {
        const value = isObject(field) ? fitting(name, field) : undefined;
        return [name, value === undefined ? field : { ...(field as Json), "x-given": value }] as const;
      });
      return fields.length === 0 ? one : { ...one, properties: Object.fromEntries(fields) };
    });
  for (const operation of operationsIn(root)) {
    for (const parameter of (operation.parameters ?? []) as Json[]) {
      const value =
        parameter.in === "path" ? undefined : fitting(String(parameter.name), parameter.schema ?? {});
      if (value !== undefined) {
        const schema = { ...(parameter.schema as Json), "x-given": value };
        Object.assign(parameter, { schema, "x-example": value, "x-send": "always" });
      }
    }
    const { content = {} } = (operation.requestBody ?? {}) as { readonly content?: Record<string, Json> };
    for (const media of Object.values(content)) media.schema = withFields(media.schema);
  }
  const schemas = Object.entries(schemasOf(root)).map(([name, schema]) => [name, withFields(schema)]);
  Object.assign(root.components as object, { schemas: Object.fromEntries(schemas) });
  const left = [...values.keys()].find((name) => !placed.has(name));
  if (left === undefined) return;
  const why = misfits.get(left) ?? `no request has it.${didYouMean(left, [...names])}`;
  throw new ConfigurationError(`--value ${left}: ${why}`);
};

const split = (pair: string): readonly [string, string] => {
  const [, name = "", value = ""] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
  if (name === "") throw new ConfigurationError(`--value "${pair}": write it as NAME=VALUE.`);
  return [name, value];
};

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const operationsIn = ({ paths }: Json): Json[] =>
  Object.values(paths as Record<string, Json>).flatMap((item) =>
    METHODS.flatMap((method) => (isObject(item[method]) ? [item[method]] : [])),
  );
