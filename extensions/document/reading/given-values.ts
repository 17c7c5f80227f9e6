/** Gives parameters, headers and fields of requests the values of `--value NAME=VALUE`, or `OPERATION.NAME=VALUE`. */
import type { JsonSchema, Schemas } from "../../../helpers/contract/contract.ts";
import { isObject, type Json } from "../../../helpers/contract/json.ts";
import { didYouMean } from "../../../helpers/contract/nearest.ts";
import { resolveRef } from "../../../helpers/contract/schemas/rule-walk.ts";
import { createValidator } from "../../../helpers/contract/schemas/schema-validator.ts";
import {
  memberNames,
  propertiesOf,
  withinChanged,
} from "../../../helpers/contract/schemas/schema-visitor.ts";
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
  const schemas = schemasOf(root);
  const { withValue, withFields, whyLeft } = createGiver(schemas, values);
  const names = new Set<string>();
  for (const operation of operationsIn(root)) {
    const isNamed = (id: unknown) => [...values.keys()].some((name) => name.startsWith(`${id}.`));
    const id = [operation.operationId, ...(operation["x-aliases"] as unknown[])].map(String).find(isNamed);
    for (const parameter of (operation.parameters ?? []) as Json[]) {
      if (parameter.in === "path") continue;
      const [name, stated] = [String(parameter.name), (parameter.schema ?? {}) as Json];
      names.add(name);
      const schema = withValue(name, stated, id);
      if (schema !== stated)
        Object.assign(parameter, { schema, "x-example": schema["x-given"], "x-send": "always" });
    }
    const { content = {} } = (operation.requestBody ?? {}) as { readonly content?: Record<string, Json> };
    for (const media of Object.values(content)) {
      for (const name of memberNames(schemas, media.schema)) names.add(name);
      // The values of one operation need a copy of the component.
      const schema = id === undefined ? media.schema : resolveRef(schemas, media.schema as JsonSchema);
      media.schema = withFields(schema, id);
    }
  }
  const changed = Object.entries(schemas).map(([name, schema]) => [name, withFields(schema)]);
  Object.assign(root.components as object, { schemas: Object.fromEntries(changed) });
  for (const name of values.keys()) {
    const isOfRequest = [...names].some((one) => name === one || name.endsWith(`.${one}`));
    const why = isOfRequest ? whyLeft(name) : `no request has it.${didYouMean(name, [...names])}`;
    if (why !== undefined) throw new ConfigurationError(`--value ${name}: ${why}`);
  }
};

/** Gives values to schemas. A field of an answer may have the name of a field of a request, and another type. */
const createGiver = (schemas: Schemas, values: ReadonlyMap<string, string>) => {
  const validator = createValidator({ schemas });
  const placed = new Set<string>();
  const misfits = new Map<string, string>();
  const fitting = (name: string, schema: Json): unknown => {
    const text = values.get(name);
    if (text === undefined) return undefined;
    const tried = [text, jsonIn(text)].map((value) => ({
      value,
      error: validator.validate(schema, value)[0],
    }));
    const fit = tried.find(({ error }) => error === undefined);
    if (fit === undefined)
      misfits.set(name, `"${text}" does not fit its schema: ${tried.at(-1)?.error?.message}`);
    else placed.add(name);
    return fit?.value;
  };
  /** @param id the operation, if values are given for it alone */
  const withValue = (name: string, schema: Json, id?: string): Json => {
    const value = (id && fitting(`${id}.${name}`, schema)) ?? fitting(name, schema);
    return value === undefined ? schema : { ...schema, "x-given": value };
  };
  const withFields = (schema: unknown, id?: string): unknown =>
    withinChanged(schema, (one) => {
      const fields = Object.entries(propertiesOf(one));
      const changed = fields.map(([name, field]) => [
        name,
        isObject(field) ? withValue(name, field, id) : field,
      ]);
      return fields.length === 0 ? one : { ...one, properties: Object.fromEntries(changed) };
    });
  const whyLeft = (name: string) =>
    placed.has(name) ? undefined : (misfits.get(name) ?? "no request has it.");
  return { withValue, withFields, whyLeft };
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
