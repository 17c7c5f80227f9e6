/** Writes bodies of other media types than JSON: forms and texts. No schema states which file a server must accept. */
import type { JsonSchema, MediaTypes } from "../contract/contract.ts";
import type { Call } from "./call.ts";

type Raw = NonNullable<Call["raw"]>;

export interface OtherBody {
  /** The schema of the value. */
  readonly schema: JsonSchema;
  write(value: unknown): Raw;
}

/** Returns the first media type that can be written; `undefined` if there is none. */
export const otherBodyIn = (content: MediaTypes): OtherBody | undefined =>
  Object.entries(content)
    .flatMap(([type, schema]): OtherBody[] => {
      const write = WRITERS.find(([pattern]) => pattern.test(type))?.[1];
      if (write === undefined || (write === asMultipart && mayHaveFile(schema))) return [];
      return [{ schema: isTyped(schema) ? schema : TEXT, write: (value) => write(value, type) }];
    })
    .at(0);

const TEXT: JsonSchema = { type: "string" };

/** A referenced schema is not known here, so it may describe a file. */
const mayHaveFile = (schema: JsonSchema): boolean => /"(?:binary|byte|\$ref)"/.test(JSON.stringify(schema));

const isTyped = (schema: JsonSchema): boolean => Object.keys(schema).length > 0;

const asForm = (value: unknown, contentType: string): Raw => ({
  body: String(new URLSearchParams(fieldsOf(value))),
  contentType,
});

const BOUNDARY = "assay-boundary";

const asMultipart = (value: unknown): Raw => ({
  body: `${fieldsOf(value)
    .map(
      ([name, text]) =>
        `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${encodeURIComponent(name)}"\r\n\r\n${text}\r\n`,
    )
    .join("")}--${BOUNDARY}--\r\n`,
  contentType: `multipart/form-data; boundary=${BOUNDARY}`,
});

const asText = (value: unknown, type: string): Raw => ({
  body: textOf(value),
  contentType: type,
});

/** By the media types that they write. */
const WRITERS: readonly (readonly [RegExp, (value: unknown, type: string) => Raw])[] = [
  [/^application\/x-www-form-urlencoded/i, asForm],
  [/^multipart\/form-data/i, asMultipart],
  [/^text\/plain|^application\/octet-stream/i, asText],
];

/** Returns the fields of a form. A list has a field for each item. */
const fieldsOf = (value: unknown): [string, string][] =>
  Object.entries((value ?? {}) as object).flatMap(([name, one]) =>
    [one].flat().map((item): [string, string] => [name, textOf(item)]),
  );

const textOf = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value ?? null);
