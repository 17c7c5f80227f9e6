/** Writes bodies of other media types than JSON: forms and texts. No schema states which file a server must accept. */
import type { Contract, JsonSchema, MediaTypes, Parameter } from "../contract/contract.ts";
import { isObject } from "../contract/json.ts";
import { memoize } from "../contract/memoize.ts";
import { referenced } from "../contract/pointer.ts";
import { flatten } from "../contract/schemas/flatten.ts";
import { placeInForm } from "../contract/schemas/form-fields.ts";
import { withoutNull } from "../contract/schemas/keywords.ts";
import { resolveRef } from "../contract/schemas/rule-walk.ts";
import { propertiesOf } from "../contract/schemas/schema-visitor.ts";
import type { Call } from "./call.ts";
import { withoutParameter, writtenQuery } from "./written-parameter.ts";

type Raw = NonNullable<Call["raw"]>;

export interface OtherBody {
  /** The schema of the value. */
  readonly schema: JsonSchema;
  /** The place of the fields, if the body is a form. */
  readonly place?: Parameter["in"] | undefined;
  write(value: unknown): Raw;
}

/**
 * Returns the first media type that can be written; `undefined` if there is none.
 * @param schemas to which the schemas of the media types refer
 * @param fields of forms
 */
export const otherBodyIn = (
  content: MediaTypes,
  schemas: Contract["schemas"] = {},
  fields: readonly Parameter[] = [],
): OtherBody | undefined =>
  Object.entries(content)
    .flatMap(([type, schema]): OtherBody[] => {
      const write = WRITERS.find(([pattern]) => pattern.test(type))?.[1];
      const place = placeInForm(type);
      if (write === undefined || (place === "part" && mayHaveFile(schema, schemas))) return [];
      const own = fields.filter((field) => field.in === place);
      return [
        {
          place,
          get schema() {
            if (!(Object.keys(schema).length > 0)) return TEXT;
            return write === asText ? schema : withoutNulls(schemas)(schema);
          },
          write: (value) => write(value, type, own),
        },
      ];
    })
    .at(0);

/** Returns the schema of a form: no field of it can be null. Always returns the same object for a schema. */
const withoutNulls = memoize((schemas: Contract["schemas"]) =>
  memoize((schema: JsonSchema): JsonSchema => {
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

const asForm = (value: unknown, contentType: string, fields: readonly Parameter[]): Raw => {
  const given = isObject(value) ? value : {};
  const form = Object.entries(given).map(([name, one]) => {
    const field = fields.find((each) => each.name === name);
    return field === undefined ? { [name]: [one].flat().map(textOf) } : writtenQuery(field, one);
  });
  const json = Object.keys(given).filter((name) => [given[name]].flat().some(isObject));
  return formOf({ form: Object.assign({}, ...form), contentType, json });
};

const formOf = ({ form = {}, contentType = "", json = [] }: Omit<Raw, "body">): Raw => {
  const entries = Object.entries(form).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  );
  if (placeInForm(contentType) === "form")
    return { body: String(new URLSearchParams(entries)), contentType, form };
  return {
    body: partsOf(entries, json),
    contentType: `multipart/form-data; boundary=${BOUNDARY}`,
    form,
    json,
  };
};

/** Returns the form with another value of a field; `undefined` leaves the field out. */
export const withField = (
  { form = {}, contentType, json = [] }: Raw,
  field: Pick<Parameter, "name" | "written">,
  properties: readonly string[],
  value: unknown,
): Raw => {
  const others = withoutParameter(form, field, properties);
  const changed = value === undefined ? others : { ...others, ...writtenQuery(field, value) };
  const parts = field.written === "json" ? [...json, field.name] : json;
  return formOf({ form: changed, ...(contentType && { contentType }), json: parts });
};

const BOUNDARY = "assay-boundary";

/** Writes parts, each with its header. A list has a part for each item (OpenAPI 3.1, 4.8.14.4). */
const partsOf = (
  entries: readonly (readonly [name: string, text: string])[],
  json: readonly string[],
): string =>
  `${entries
    .map(([name, text]) => {
      const type = json.includes(name) ? "content-type: application/json\r\n" : "";
      return `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${quoted(name)}"\r\n${type}\r\n${text}\r\n`;
    })
    .join("")}--${BOUNDARY}--\r\n`;

/** Writes a name as browsers do (HTML, 4.10.21.8). */
const quoted = (name: string): string => name.replaceAll(/["\r\n]/g, (sign) => encodeURIComponent(sign));

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
  [/^multipart\/form-data/i, asForm],
  [/^text\/plain|^application\/octet-stream/i, asText],
];

const textOf = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value ?? null);
