/** What a document states of an answer beside its JSON: media types and headers (OpenAPI 3.1, 4.8.17 and 4.8.21). */
import { isObject, type Json } from "./json.ts";

export interface ResponseParts {
  /** The media types as the document writes them; empty if it shows no body. */
  readonly mediaTypes: readonly string[];
  /** By name. */
  readonly headers: Readonly<
    Record<
      string,
      {
        readonly required: boolean;
        readonly schema: Json;
        /** Whether it is written as JSON. */
        readonly isJson?: true;
      }
    >
  >;
  /** The class of statuses, such as `4XX`, that the document lists instead of the status. */
  readonly ofClass?: string;
}

/** @param resolved returns the target of a reference, or the object itself */
export const partsOfResponse = (
  { content, headers }: Json,
  resolved: (header: unknown, name: string) => Json,
): ResponseParts => ({
  mediaTypes: isObject(content) ? Object.keys(content) : [],
  headers: Object.fromEntries(
    Object.entries(isObject(headers) ? headers : {})
      .filter(([name]) => name.toLowerCase() !== "content-type")
      .map(([name, raw]) => {
        const { required, schema = {}, content } = resolved(raw, name);
        const [[type = "", written] = []] = Object.entries(isObject(content) ? content : {});
        const isJson = /json/i.test(type) && isObject(written) && isObject(written.schema);
        return [
          name,
          {
            ...{ required: required === true, schema: (isJson ? written.schema : schema) as Json },
            ...(isJson && { isJson }),
          },
        ];
      }),
  ),
});

/** Returns the schemas that restrict a text, by media type. */
export const textsIn = (content: Readonly<Record<string, { readonly [keyword: string]: unknown }>>) =>
  Object.entries(content).filter(
    ([type, schema]) =>
      /^text\//i.test(type) && schema.type === "string" && LIMITS.some((one) => one in schema),
  );

const LIMITS = ["pattern", "enum", "const", "minLength", "maxLength"];
