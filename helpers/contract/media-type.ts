/** Media types and their ranges, and the types of JSON (RFC 6839, 3.1). */
import type { JsonSchema, Response } from "./contract.ts";

export const JSON_TYPE = "application/json";

/**
 * Returns the media type of bodies of JSON: `application/json` if it is among them, otherwise a type such as
 * `application/vnd.api+json` or `application/json; charset=utf-8`, and a range of types if there is no such type.
 */
export const jsonTypeIn = (types: readonly string[]): string | undefined =>
  types.find((type) => type === JSON_TYPE) ??
  types.find((type) => /^[^/]+\/(?:[^;]+\+)?json *(?:;|$)/i.test(type)) ??
  types.find((type) => /^(?:\*|application)\/\*/.test(type));

/** Returns the JSON schemas of a body, by media type. Bodies of other media types have no rules. */
export const jsonIn = (body: Pick<Response, "content"> | undefined): [type: string, JsonSchema][] =>
  Object.entries(body?.content ?? {}).filter(([type]) => /json/i.test(type));

/** Returns a media type without its parameters. */
export const essenceOf = (type: string): string => (type.split(";")[0] ?? "").trim().toLowerCase();

/** Whether a media type, or a range of them such as `text/*`, covers another (RFC 9110, 12.5.1). */
export const covers = (range: string, type: string): boolean =>
  range === type || range === "*/*" || (range.endsWith("/*") && type.startsWith(range.slice(0, -1)));
