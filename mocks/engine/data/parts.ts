/** Parts of the rows of a data file. Each has a JSON Schema, and converts its value to the state and back. */
import type { JsonSchema } from "../../../helpers/contract/contract.ts";
import { fieldsIn } from "../values/fields.ts";
import type { Allows } from "../values/identifiers.ts";
import { DAY, dateOf, instantOf } from "../values/units.ts";
import { DataError, within } from "./data-error.ts";

export interface Part<Value> {
  readonly schema: JsonSchema;
  readonly isOptional?: true;
  /** @param value fits the schema @throws DataError whose path begins at the value */
  read(value: unknown, allows: Allows): Value;
  write(value: Value): unknown;
}

// biome-ignore lint/suspicious/noExplicitAny: a record has parts of any types.
type Parts = Readonly<Record<string, Part<any>>>;

export type RowOf<Own> = Own extends Part<infer Value> ? Value : never;

const asIs = <Value>(schema: JsonSchema): Part<Value> => ({
  schema,
  read: (value) => value as Value,
  write: (value) => value,
});

/** Converts the values of another part. */
const converted = <From, To>(
  part: Part<From>,
  read: (value: From) => To,
  write: (value: To) => From,
): Part<To> => ({
  schema: part.schema,
  read: (value, allows) => read(part.read(value, allows)),
  write: (value) => part.write(write(value)),
});

export const optional = <Value>(part: Part<Value>): Part<Value | undefined> => ({
  schema: part.schema,
  isOptional: true,
  read: part.read,
  write: (value) => (value === undefined ? undefined : part.write(value)),
});

export const described = <Value>(part: Part<Value>, description: string): Part<Value> => ({
  ...part,
  schema: { ...part.schema, description },
});

export const text = asIs<string>({ type: "string" });
export const filledText = asIs<string>({ type: "string", minLength: 1 });
export const textLike = (pattern: RegExp) => asIs<string>({ type: "string", pattern: pattern.source });
export const address = textLike(/^https?:\/\//);
export const uuid = textLike(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
export const flag = asIs<boolean>({ type: "boolean" });
export const number = asIs<number>({ type: "number" });
export const integer = (limits: JsonSchema = {}) => asIs<number>({ type: "integer", ...limits });
export const anything = asIs<unknown>({});
/** A JSON object with any fields. */
export const fields = asIs<Readonly<Record<string, unknown>>>({ type: "object" });
export const oneOf = <const Value extends string>(...values: readonly Value[]) =>
  asIs<Value>({ enum: [...values] });

const instant = asIs<string>({ type: "string", format: "date-time" });

/** An instant in ISO 8601; milliseconds since 1970 in the state. */
export const milliseconds = converted(instant, Date.parse, (value: number) => new Date(value).toISOString());

/** An instant in ISO 8601; seconds since 1970 in the state. */
export const seconds = converted(instant, (value) => Math.floor(Date.parse(value) / 1000), instantOf);

/** A date in UTC; days since 1970 in the state. */
export const day = converted(
  asIs<string>({ type: "string", format: "date" }),
  (value) => Date.parse(value) / 1000 / DAY,
  (value: number) => dateOf(value * DAY),
);

/** Base64 text. */
export const bytes = converted(
  asIs<string>({ type: "string", contentEncoding: "base64" }),
  (value) => Buffer.from(value, "base64"),
  (value: Buffer) => value.toString("base64"),
);

/** An id as a text or a number. A number that JSON cannot hold exactly must be a text. */
export const id: Part<string> = {
  schema: {
    type: ["string", "integer"],
    pattern: "^[\\w.~-]{1,128}$",
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
  },
  read: String,
  write: (value) => value,
};

/** Marks the part of a row that identifies it. @param also other names of the resource, and the fields that follow from each */
export const identifying = <Value>(
  part: Part<Value>,
  resource: string,
  also: Readonly<Record<string, object>> = {},
): Part<Value> => ({
  ...part,
  schema: { ...part.schema, "x-resource": resource, ...(Object.keys(also).length > 0 && { "x-also": also }) },
});

/** The id of another resource. */
export const reference = (resource: string): Part<string> => ({
  ...id,
  schema: { ...id.schema, "x-refers": resource },
});

/** The id of a new resource. It stays as it is, or is refused. @param also as of `identifying` */
export const ownId = (resource: string, also?: Readonly<Record<string, object>>): Part<string> => ({
  ...identifying(id, resource, also),
  read: (value, allows) => {
    const own = String(value);
    const form = allows(resource, own);
    if (form === true) return own;
    throw new DataError([], `the contract has no ${resource} with an id like "${own}", but ${form}`);
  },
});

/** @param limits of its length */
export const listOf = <Value>(part: Part<Value>, limits: JsonSchema = {}): Part<readonly Value[]> => ({
  schema: { type: "array", items: part.schema, ...limits },
  read: (value, allows) =>
    (value as readonly unknown[]).map((item, index) => within(index, () => part.read(item, allows))),
  write: (values) => values.map(part.write),
});

type OptionalIn<Own extends Parts> = {
  [Name in keyof Own]: undefined extends RowOf<Own[Name]> ? Name : never;
}[keyof Own];

type Row<Own extends Parts> = { readonly [Name in Exclude<keyof Own, OptionalIn<Own>>]: RowOf<Own[Name]> } & {
  readonly [Name in OptionalIn<Own>]?: RowOf<Own[Name]>;
};

/** An object with these fields and no others. */
export const record = <Own extends Parts>(parts: Own): Part<Row<Own>> => {
  const entries = Object.entries(parts);
  return {
    schema: {
      type: "object",
      required: entries.flatMap(([name, { isOptional }]) => (isOptional === true ? [] : [name])),
      properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
      additionalProperties: false,
    },
    read: (value, allows) => {
      const given = fieldsIn(value);
      const row: Record<string, unknown> = {};
      for (const [name, part] of entries)
        row[name] =
          given[name] === undefined ? undefined : within(name, () => part.read(given[name], allows));
      return row as Row<Own>;
    },
    write: (row) => {
      const written: Record<string, unknown> = {};
      for (const [name, part] of entries) {
        const value = part.write(row[name as keyof Row<Own>]);
        if (value !== undefined) written[name] = value;
      }
      return written;
    },
  };
};
