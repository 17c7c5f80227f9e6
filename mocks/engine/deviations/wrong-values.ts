/** Values that violate one keyword of a response schema. */
import type { Fields } from "../values/fields.ts";

/** Returns a value of another type. */
export const wrongType = (types: string | readonly string[]): unknown => {
  const allowed = new Set([types].flat());
  if (allowed.has("number")) allowed.add("integer");
  const [, value] = SAMPLES.find(([type]) => !allowed.has(type)) ?? [];
  return value;
};

const SAMPLES: readonly [type: string, value: unknown][] = [
  ["integer", 7],
  ["string", "seven"],
  ["object", { seven: 7 }],
];

export const outsidePattern = (pattern: string): string => {
  const expression = new RegExp(pattern, "u");
  const value = ODD_STRINGS.find((candidate) => !expression.test(candidate));
  if (value === undefined) throw new Error(`No known value violates the pattern ${pattern}`);
  return value;
};

const ODD_STRINGS = ["12a4", "no such thing", "!", ""];

/** Returns a value without characters that could be a mask. */
export const outsideFormat = (format: string): unknown => OUTSIDE[format.replace(/^masked-or-/, "")] ?? "?";

const OUTSIDE: Fields = {
  "utc-datetime": "2024-05-01T10:00:00+02:00",
  "date-time": "2024-05-01",
  date: "01.05.2024",
  "iso-3166-alpha-2": "USA",
  "iso-639-1": "eng",
  uri: "no address at all",
  uuid: "no-uuid",
  int32: 2 ** 31,
  int64: 2 ** 64,
};
