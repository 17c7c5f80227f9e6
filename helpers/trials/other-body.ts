/** Writes bodies of other media types than JSON: forms and texts. No schema states which file a server must accept. */
import type { Contract, JsonSchema, MediaTypes, Parameter } from "../contract/contract.ts";
import { flatten } from "../contract/flatten.ts";
import { isObject } from "../contract/json.ts";
import { withoutNull } from "../contract/keywords.ts";
import { oncePer } from "../contract/once.ts";
import { referenced } from "../contract/pointer.ts";
import { resolveRef } from "../contract/rule-walk.ts";
import { propertiesOf } from "../contract/schema-visitor.ts";
import type { Call } from "./call.ts";
import { withoutParameter, writtenQuery } from "./written-parameter.ts";

type Raw = NonNullable<Call["raw"]>;

export interface OtherBody {
  /** The schema of the value. */
  readonly schema: JsonSchema;
  write(value: unknown): Raw;
}

/**
 * Returns the first media type that can be written; `undefined` if there is none.
 * @param schemas to which the schemas of the media types refer
 * @param fields of a form
 */
export const otherBodyIn = (
  content: MediaTypes,
  schemas: Contract["schemas"] = {},
  fields: readonly Parameter[] = [],
): OtherBody | undefined =>
  Object.entries(content)
    .flatMap(([type, schema]): OtherBody[] => {
      const write = WRITERS.find(([pattern]) => pattern.test(type))?.[1];
      if (write === undefined || (write === asMultipart && mayHaveFile(schema, schemas))) return [];
      return [
        {
          get schema() {
            if (!isTyped(schema)) return TEXT;
            return write === asText ? schema : withoutNulls(schemas)(schema);
          },
          write: (value) => write(value, type, fields),
        },
      ];
    })
    .at(0);

/** Returns the schema of a form: no field of it can be null. Always returns the same object for a schema. */
const withoutNulls = oncePer((schemas: Contract["schemas"]) =>
  oncePer((schema: JsonSchema): JsonSchema => {
    const whole = flatten(schema, schemas);
    const properties = Object.entries(propertiesOf(whole)).map(([name, property]) => [
      name,
      isObject(property) ? withoutNull(resolveRef(schemas, property)) : property,
    ]);
    return properties.length === 0 ? whole : { ...whole, properties: Object.fromEntries(properties) };
  }),
);

const TEXT: JsonSchema = { type: "string" };

/** Whether a schema or one that it refers to describes a file. A schema that is not known here may do so too. */
const mayHaveFile = (
  schema: unknown,
  schemas: Readonly<Record<string, unknown>>,
  entered: readonly string[] = [],
): boolean => {
  const text = JSON.stringify(schema) ?? "";
  if (/"(?:binary|byte|contentMediaType|contentEncoding)"/.test(text)) return true;
  return [...text.matchAll(/"\$ref":"([^"]*)"/g)]
    .flatMap(([, ref = ""]) => (entered.includes(ref) ? [] : [ref]))
    .some((ref) => {
      const target = referenced(ref, schemas);
      return target === undefined || mayHaveFile(target, schemas, [...entered, ref]);
    });
};

const isTyped = (schema: JsonSchema): boolean => Object.keys(schema).length > 0;

const asForm = (value: unknown, contentType: string, fields: readonly Parameter[]): Raw => {
  const given = isObject(value) ? value : {};
  const form = Object.entries(given).map(([name, one]) => {
    const field = fields.find((each) => each.name === name);
    return field === undefined ? { [name]: [one].flat().map(textOf) } : writtenQuery(field, one);
  });
  return formOf(Object.assign({}, ...form), contentType);
};

const formOf = (form: NonNullable<Raw["form"]>, contentType = ""): Raw => {
  const entries = Object.entries(form).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  );
  return { body: String(new URLSearchParams(entries)), contentType, form };
};

/** Returns the form with another value of a field; `undefined` leaves the field out. */
export const withField = (
  { form = {}, contentType }: Raw,
  field: Pick<Parameter, "name" | "written">,
  properties: readonly string[],
  value: unknown,
): Raw => {
  const others = withoutParameter(form, field, properties);
  return formOf(value === undefined ? others : { ...others, ...writtenQuery(field, value) }, contentType);
};

const BOUNDARY = "assay-boundary";

const asMultipart = (value: unknown): Raw => ({
  body: `${partsOf(value)
    .map(
      ([name, text, type]) =>
        `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${encodeURIComponent(name)}"\r\n${type}\r\n${text}\r\n`,
    )
    .join("")}--${BOUNDARY}--\r\n`,
  contentType: `multipart/form-data; boundary=${BOUNDARY}`,
});

const asText = (value: unknown, type: string): Raw => ({
  body: textOf(value),
  contentType: type,
});

/** By the media types that they write. */
const WRITERS: readonly (readonly [
  RegExp,
  (value: unknown, type: string, fields: readonly Parameter[]) => Raw,
])[] = [
  [/^application\/x-www-form-urlencoded/i, asForm],
  [/^multipart\/form-data/i, asMultipart],
  [/^text\/plain|^application\/octet-stream/i, asText],
];

/** Returns the parts of a form, each with its header. A list has a part for each item (OpenAPI 3.1, 4.8.14.4). */
const partsOf = (value: unknown): [name: string, text: string, type: string][] =>
  Object.entries((value ?? {}) as object).flatMap(([name, one]) =>
    [one]
      .flat()
      .map((item): [string, string, string] => [
        name,
        textOf(item),
        isObject(item) ? "content-type: application/json\r\n" : "",
      ]),
  );

const textOf = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value ?? null);
