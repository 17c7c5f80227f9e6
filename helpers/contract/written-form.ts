/** How a document says that a list or an object is written in a parameter (OpenAPI 3.1, 4.8.12, `style` and `explode`). */
import type { Json } from "./json.ts";

/**
 * The forms apart from a list with commas in a query, header or cookie: `ids=1&ids=2`, `ids=1 2`, `ids=1|2`,
 * `filter[name]=x`, JSON, an object whose properties are parameters (`name=x&size=1`), `1,2` in a path, whose commas are
 * not encoded (RFC 6570, 3.2.2), `name,x,size,1`, `name=x,size=1`, `.x`, `.1.2`, `;ids=1,2`, `;ids=1;ids=2`, and files. Of
 * `unclear`, readings of the standard differ; of `label-of-one`, readings of several items differ (`.1.2` in OpenAPI 3.1.0,
 * and `.1,2` in 3.1.1).
 */
export type WrittenForm =
  | "repeated"
  | "spaces"
  | "pipes"
  | "deep-object"
  | "json"
  | "properties"
  | "commas"
  | "pairs"
  | "assignments"
  | "label"
  | "label-of-one"
  | "matrix"
  | "matrix-exploded"
  | "file"
  | "unclear";

/**
 * @param type of the schema of the parameter
 * @returns `undefined` for a text, or a list with commas
 */
export const writtenForm = (
  { in: place, style, explode, content }: Json,
  type: "object" | "array" | "scalar",
): WrittenForm | undefined => {
  if (content !== undefined) return "json";
  const isExploded = explode === true;
  if (style === "label" && !isExploded && type !== "scalar")
    return type === "array" ? "label-of-one" : "unclear";
  if (style === "label") return "label";
  if (style === "matrix") return isExploded ? "matrix-exploded" : "matrix";
  if (style === "deepObject") return "deep-object";
  const isForm = place === "query" || place === "cookie";
  if (type === "object") {
    if (!isForm) return isExploded ? "assignments" : "pairs";
    if (isExploded) return place === "query" && (style ?? "form") === "form" ? "properties" : "unclear";
    return style === "form" ? "pairs" : undefined;
  }
  if (place === "path" && type === "array") return "commas";
  if (isExploded && isForm && (style ?? "form") === "form" && type === "array")
    return place === "query" ? "repeated" : "unclear";
  return isExploded || type === "scalar" ? undefined : DELIMITED[String(style)];
};

const DELIMITED: Readonly<Record<string, WrittenForm>> = { spaceDelimited: "spaces", pipeDelimited: "pipes" };

/** The signs between the items of a list, by its form; a comma in all others. */
const BETWEEN: Readonly<Record<string, RegExp>> = {
  ...{ spaces: / /, pipes: /\|/, label: /\./, "label-of-one": /[.,]/, "matrix-exploded": /;[^=;]*=/ },
};

/** What precedes a value. */
const BEFORE: Readonly<Record<string, RegExp>> = {
  ...{ label: /^\./, "label-of-one": /^\./, matrix: /^;[^=;]*=/, "matrix-exploded": /^;[^=;]*=/ },
};

/** Returns the text of a parameter without what precedes its value. */
export const bareText = (text: string, written: WrittenForm = "commas"): string =>
  text.replace(BEFORE[written] ?? /^/, "");

/** Returns the items of a list in the text of a parameter. */
export const itemsIn = (text: string, written: WrittenForm = "commas"): string[] =>
  bareText(text, written).split(BETWEEN[written] ?? ",");
