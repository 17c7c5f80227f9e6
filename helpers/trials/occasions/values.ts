/** Changes of a JSON value: the same value with one small difference, or with another form. */

export type Path = readonly (string | number)[];

/** A place in a JSON value. */
export interface Place {
  readonly path: Path;
  readonly value: unknown;
}

/** Returns the places in a value, outermost first. Of a list, only some items count. */
export const placesIn = (json: unknown, most: number): Place[] => {
  const places: Place[] = [{ path: [], value: json }];
  for (let at = 0; at < places.length && places.length < most; at += 1) {
    const { path, value } = places[at] as Place;
    for (const [key, child] of childrenOf(value, MOST_WIDE * most))
      places.push({ path: [...path, key], value: child });
  }
  return places;
};

/** How many times more places one object may have than there may be before it. */
const MOST_WIDE = 8;

const childrenOf = (value: unknown, most: number): [string | number, unknown][] => {
  if (Array.isArray(value)) {
    return keyIndices(value).map((index) => [index, value[index]]);
  }
  if (typeof value !== "object" || value === null) return [];
  const names = Object.keys(value).slice(0, most);
  return names.map((name) => [name, (value as Record<string, unknown>)[name]]);
};

/** Returns the first and the last item, and the first of each other shape. */
const keyIndices = (list: readonly unknown[]): number[] => {
  const shapes = new Map<string, number>();
  for (const [index, item] of list.slice(0, MOST_ITEMS).entries()) {
    const shape = typeof item === "object" && item !== null ? Object.keys(item).join() : typeof item;
    if (!shapes.has(shape)) shapes.set(shape, index);
    if (shapes.size === MOST_SHAPES) break;
  }
  return [...new Set([...shapes.values(), list.length - 1])].filter((index) => index >= 0);
};

const MOST_SHAPES = 4;
const MOST_ITEMS = 200;

/** Stands for a removed field or item. */
export const REMOVED = Symbol("removed");

/** Returns a copy of a value with another value at one place. */
export const replaced = (json: unknown, [key, ...rest]: Path, value: unknown): unknown => {
  if (key === undefined) return value === REMOVED ? undefined : value;
  if (typeof json !== "object" || json === null) return json;
  if (Array.isArray(json)) {
    const index = Number(key);
    if (value === REMOVED && rest.length === 0) return json.toSpliced(index, 1);
    return index < json.length ? json.with(index, replaced(json[index], rest, value)) : json;
  }
  if (value === REMOVED && rest.length === 0) {
    const { [key]: _, ...others } = json as Record<string, unknown>;
    return others;
  }
  return { ...json, [key]: replaced((json as Record<string, unknown>)[key], rest, value) };
};

/** Returns a copy with other values of all fields and items. */
export const withLeaves = (json: unknown, change: (value: unknown) => unknown): unknown => {
  if (Array.isArray(json)) return json.map((item) => withLeaves(item, change));
  if (typeof json !== "object" || json === null) return change(json);
  const copy = { ...json } as Record<string, unknown>;
  for (const name of Object.keys(copy)) copy[name] = withLeaves(copy[name], change);
  return copy;
};

/** Returns a copy in which wide objects have only some members of each kind, and texts have a limited length. */
export const fewOfAKind = (json: unknown): unknown => {
  if (typeof json === "string") return json.slice(0, MOST_CHARACTERS);
  if (Array.isArray(json)) return json.map(fewOfAKind);
  if (typeof json !== "object" || json === null) return json;
  const counts = new Map<string, number>();
  const some = Object.entries(json).filter(([name, value]) => {
    const kind = `${Array.isArray(value) ? "list" : value === null ? "null" : typeof value} ${name.slice(0, MOST_CHARACTERS).replaceAll(/\d+/g, "#")}`;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return count <= MOST_MEMBERS;
  });
  return Object.fromEntries(some.map(([name, value]) => [name, fewOfAKind(value)]));
};

const MOST_CHARACTERS = 10_000;
const MOST_MEMBERS = 10;

const DAY = 86_400;
/** The numbers of days by which a date is moved: documents state limits with some tolerance. */
const DAYS = [-10, 10, -1, 1];

/**
 * Returns values next to a value: of the same type, and so near that a limit must be close to be crossed. Lists are
 * changed by one item.
 */
export const neighboursOf = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return [...neighboursOfList(value), PLAIN];
  if (typeof value === "string") return neighboursOfText(value);
  if (typeof value === "number") return neighboursOfNumber(value);
  if (typeof value === "boolean") return [!value];
  return value === null ? [] : [PLAIN];
};

/** A text that is neither masked nor encoded. */
const PLAIN = "in clear";

const neighboursOfList = (list: readonly unknown[]): readonly unknown[] => {
  if (list.length === 0) return [];
  const [first, last] = [list[0], list.at(-1)];
  const exchanged = [...list.slice(1, 2), first, ...list.slice(2)];
  return [
    [...list, last],
    [],
    list.slice(0, -1),
    exchanged,
    list.toReversed(),
    list.slice(1),
    [first, ...list],
  ];
};

/** A number may be a time in seconds or in milliseconds since 1970. */
const neighboursOfNumber = (value: number): readonly number[] => {
  const unit = value > 100_000_000_000 ? DAY * 1000 : DAY;
  const days = value > 1_000_000_000 ? DAYS.map((count) => value + count * unit) : [];
  return [...days, value + 1, value - 1, -value, 0].filter((other) => !Object.is(other, value));
};

const neighboursOfText = (text: string): readonly string[] =>
  [...otherDays(text), withOtherEnd(text), PLAIN, ""].filter((other) => other !== text);

/** Returns the text with other dates at its start, if it starts with one. */
const otherDays = (text: string): readonly string[] => {
  const time = DATE.test(text) ? Date.parse(`${text.slice(0, 10)}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(time)) return [];
  return DAYS.map((count) => new Date(time + count * DAY * 1000).toISOString().slice(0, 10) + text.slice(10));
};

const DATE = /^\d{4}-\d{2}-\d{2}/;

const withOtherEnd = (text: string): string => {
  let at = text.length - 1;
  while (at >= 0 && !LETTER_OR_DIGIT.test(text[at] as string)) at -= 1;
  if (at < 0) return `${text}x`;
  const old = text[at] as string;
  return `${text.slice(0, at)}${OTHER.find(([form]) => form.test(old))?.[1](old) ?? "x"}${text.slice(at + 1)}`;
};

const LETTER_OR_DIGIT = /[a-z0-9]/i;

const OTHER: readonly [RegExp, (old: string) => string][] = [
  [/\d/, (old) => (old === "7" ? "3" : "7")],
  [/[a-z]/, (old) => (old === "e" ? "b" : "e")],
  [/[A-Z]/, (old) => (old === "E" ? "B" : "E")],
];

/** Returns values of another form, which a schema that says anything about the place refuses. */
export const strangersTo = (value: unknown): readonly unknown[] => {
  if (typeof value === "string") return [REMOVED, 7, "", "\u0001 ".repeat(3000), "~", null];
  if (typeof value === "number") return [REMOVED, "text", -1e12 + 0.123456789, 1e12 + 0.5, null];
  if (typeof value === "boolean") return [REMOVED, "text", !value, null];
  if (Array.isArray(value)) {
    const isLight = typeof value[0] !== "object";
    const others = [[], [...value, 7, "text"], ...(isLight ? [Array(2000).fill(value[0])] : [])];
    return [REMOVED, "text", ...others, ...(value.length > 1 ? [value.toReversed()] : [])];
  }
  return [REMOVED, "text", {}, null];
};
