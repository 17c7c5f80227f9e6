/** The media types of JSON (RFC 6839, 3.1). */

export const JSON_TYPE = "application/json";

/**
 * Returns the media type of bodies of JSON: `application/json` if it is among them, otherwise a type such as
 * `application/vnd.api+json` or `application/json; charset=utf-8`, and a range of types if there is no such type.
 */
export const jsonTypeIn = (types: readonly string[]): string | undefined =>
  types.find((type) => type === JSON_TYPE) ??
  types.find((type) => /^[^/]+\/(?:[^;]+\+)?json *(?:;|$)/i.test(type)) ??
  types.find((type) => /^(?:\*|application)\/\*/.test(type));
