/** The order of a list: the direction of its items by each of their fields. */

/** A shorter list may be in order by chance. */
const SHORTEST = 6;

/** Returns the direction by each field that all items have as a number or a text, if enough values differ. */
export const orderOf = (items: readonly unknown[]): ReadonlyMap<string, string> => {
  const orders = new Map<string, string>();
  if (items.length < SHORTEST) return orders;
  const [first] = items;
  if (typeof first !== "object" || first === null) return orders;
  for (const name of Object.keys(first)) {
    const values = items.map((item) => (item as Record<string, unknown> | null)?.[name]);
    const direction = directionOf(values);
    if (direction !== undefined) orders.set(name, direction);
  }
  return orders;
};

const directionOf = (values: readonly unknown[]): string | undefined => {
  const areNumbers = values.every((value) => typeof value === "number");
  if (!areNumbers && !values.every((value) => typeof value === "string")) return undefined;
  if (new Set<unknown>(values).size < SHORTEST) return undefined;
  const ordered = values as readonly string[];
  const holds = (test: (one: string, other: string) => boolean): boolean =>
    ordered.every((value, at) => at === 0 || test(ordered[at - 1] as string, value));
  if (holds((one, other) => one <= other)) return "ascending";
  return holds((one, other) => one >= other) ? "descending" : "in no order";
};
