/** Other forms of a value with the same meaning. */

export type Conversion = "another-type" | "other-spelling" | "another-format";

export const converted = (value: unknown, conversion: Conversion): unknown => CONVERSIONS[conversion](value);

/** A number or a truth value becomes a text, a text an object around it, an object a list of one, a list an object. */
const anotherType = (value: unknown): unknown => {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return { items: value };
  if (typeof value === "object" && value !== null) return [value];
  return typeof value === "string" ? { value } : value;
};

/** `inProgress` -> `IN_PROGRESS`, and `IN_PROGRESS` -> `in-progress` */
const otherSpelling = (value: unknown): unknown => {
  if (typeof value !== "string") return value;
  const upper = value
    .replaceAll(/([a-z])([A-Z])/g, "$1_$2")
    .replaceAll(/[\s-]+/g, "_")
    .toUpperCase();
  return upper === value ? value.toLowerCase().replaceAll("_", "-") : upper;
};

/** A time becomes a date as in HTTP headers, a date loses its dashes, and so does a UUID; other texts stay. */
const anotherFormat = (value: unknown): unknown => {
  if (typeof value !== "string") return value;
  if (/^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value)))
    return new Date(value).toUTCString();
  if (/^\d{4}-\d\d-\d\d$/.test(value) || /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value))
    return value.replaceAll("-", "");
  return value;
};

const CONVERSIONS: Readonly<Record<Conversion, (value: unknown) => unknown>> = {
  "another-type": anotherType,
  "other-spelling": otherSpelling,
  "another-format": anotherFormat,
};
