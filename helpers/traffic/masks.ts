/** Finds values that a tool masked when it recorded them, so that nobody is judged by them. */
import { HIDING } from "../contract/schemas/formats.ts";

/** Replaces masked values. Like all placeholders, it begins with `‹`. */
const MASK = "‹masked›";
const WHOLE = new RegExp(`^\\s*[[<({]*(?:\\*{3,}|${HIDING})[\\])>}]*\\s*$`, "i");
const PART = /\*{3,}/;
const POSSIBLE = new RegExp(`\\*{3}|${HIDING}`, "i");

/** Matches strings in JSON. A string that a colon follows is a name. */
const STRING = /"((?:[^"\\]|\\.)*)"(\s*:)?/g;

export const isPlaceholder = (value: string): boolean => value.includes("‹");

/** Replaces a masked value of a header. */
export const unmaskedHeader = (value: string): string =>
  POSSIBLE.test(value) && (WHOLE.test(value) || PART.test(value)) ? MASK : value;

/**
 * Replaces masked values in the JSON of a body.
 * @param allowsParts whether values with some asterisks stay, because a service may mask parts of what it shows
 */
export const unmaskedBody = (text: string, allowsParts: boolean): string =>
  POSSIBLE.test(text)
    ? text.replace(STRING, (whole, value: string, colon: string | undefined) =>
        colon === undefined && (WHOLE.test(value) || (!allowsParts && PART.test(value)))
          ? `"${MASK}"`
          : whole,
      )
    : text;
