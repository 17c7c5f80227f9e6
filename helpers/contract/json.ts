/** JSON values: type guards, equality and rewriting. */

export type Json = Record<string, unknown>;

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether a value may contain others: an object or a list. */
export const isNested = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Returns a JSON text that is the same for equal values, in any order of their properties. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : inner,
  ) ?? "undefined";

/** Whether two values are equal. The order of properties does not matter. */
export const isSame = (one: unknown, other: unknown): boolean => {
  if (one === other || Object.is(one, other)) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => isSame(item, other[index]));
  if (!isObject(one) || !isObject(other)) return false;
  return Object.keys({ ...one, ...other }).every((name) => isSame(one[name], other[name]));
};

/** Returns the names of the members that differ, and of those around them, without those that move by themselves. */
export const movedNames = (one: unknown, other: unknown, moving: readonly string[] = []): string[] => {
  const [a, b] = [one, other].map((value) => (typeof value === "object" ? value : {}) as Json) as [
    Json,
    Json,
  ];
  const moved = Object.keys({ ...a, ...b }).filter(
    (name) => !moving.includes(name) && !isSame(a?.[name], b?.[name]),
  );
  return moved.flatMap((name) => [name, ...movedNames(a?.[name], b?.[name], moving)]);
};

/** Returns a JSON text without the values of the members that move by themselves. */
export const steadyText = (value: unknown, moving: readonly string[]): string =>
  JSON.stringify(value, (name, inner: unknown) =>
    moving.includes(name) && (typeof inner !== "object" || inner === null) ? undefined : inner,
  );

/** Yields each object in a value once, the outer ones first. */
export function* objectsIn(node: unknown, seen: Set<unknown> = new Set()): Generator<Json> {
  if (!isNested(node) || seen.has(node)) return;
  seen.add(node);
  if (isObject(node)) yield node;
  for (const inner of Object.values(node)) yield* objectsIn(inner, seen);
}

/** Applies `change` to each object of the value, innermost first. Returns the same value if nothing changes. */
export const rewritten = (node: unknown, change: (object: Json) => Json): unknown => {
  if (Array.isArray(node)) {
    const items = node.map((item) => rewritten(item, change));
    return items.some((item, index) => item !== node[index]) ? items : node;
  }
  if (!isObject(node)) return node;
  const entries = Object.entries(node).map(([key, value]) => [key, rewritten(value, change)] as const);
  return change(entries.some(([key, value]) => node[key] !== value) ? Object.fromEntries(entries) : node);
};

/** Returns the object without the properties that are `undefined`. */
export const defined = <Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as object;

/** @returns `undefined` for a text that is not JSON */
export const valueOfJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
