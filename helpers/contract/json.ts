/** JSON values: type guards, equality and rewriting. */

export type Json = Record<string, unknown>;

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns a JSON text that is the same for equal values, in any order of their properties. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : inner,
  ) ?? "undefined";

/** Whether two values are equal. The order of properties does not matter. */
export const isSame = (one: unknown, other: unknown): boolean => {
  if (Object.is(one, other)) return true;
  if (Array.isArray(one))
    return (
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, index) => isSame(item, other[index]))
    );
  if (!isObject(one) || !isObject(other)) return false;
  const [names, others] = [definedIn(one), definedIn(other)];
  return (
    names.length === others.length && names.every((name) => name in other && isSame(one[name], other[name]))
  );
};

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

const definedIn = (object: Json): string[] =>
  Object.keys(object).filter((name) => object[name] !== undefined);
