/** The media types of JSON (RFC 6839, 3.1). */

export const JSON_TYPE = "application/json";

/**
 * Returns the media type that bodies of JSON have: `application/json` if it is among them, else a type such as
 * `application/vnd.api+json` or `application/json; charset=utf-8`, else a range of types.
 */
export const jsonTypeIn = (types: readonly string[]): string | undefined =>
  types.find((type) => type === JSON_TYPE) ??
  types.find((type) => /^[^/]+\/(?:[^;]+\+)?json *(?:;|$)/i.test(type)) ??
  types.find((type) => /^(?:\*|application)\/\*/.test(type));
