/** Reads single values of a body by likely names. */
import { isObject } from "../contract/json.ts";
import { loose } from "../contract/names.ts";

/** Returns the first field with one of these names, outermost first; lists are not searched. */
export const fieldOf = (value: unknown, ...names: readonly string[]): unknown => {
  const wanted = names.map(loose);
  let level = [value];
  for (let depth = 0; depth < DEEPEST && level.length > 0; depth += 1) {
    const below: unknown[] = [];
    for (const one of level) {
      if (!isObject(one)) continue;
      for (const [name, field] of Object.entries(one)) {
        if (field !== null && wanted.includes(loose(name))) return field;
        if (typeof field === "object") below.push(field);
      }
    }
    level = below;
  }
  return undefined;
};

const DEEPEST = 4;

/** The largest number of seconds since 1970 that a date can have (ECMAScript, 21.4.1.1). */
const LAST_SECOND = 8_640_000_000_000;

/** Converts a number, digits or an ISO 8601 date and time to seconds since 1970; `undefined` for another value. */
export const secondsOf = (value: unknown): number | undefined => {
  const number = typeof value === "number" || /^\d+$/.test(String(value)) ? Number(value) : Number.NaN;
  // Larger numbers are milliseconds, because as seconds they would be later than the year 5000.
  const seconds = number > 100_000_000_000 ? number / 1000 : number;
  if (!Number.isNaN(seconds)) return Math.abs(seconds) <= LAST_SECOND ? seconds : undefined;
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time / 1000;
};
