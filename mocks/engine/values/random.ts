/** Deterministic pseudo-random values: the same key gives the same values. */
export type Random = ReturnType<typeof randomOf>;

export const randomOf = (key: string | number) => {
  let state = typeof key === "number" ? key >>> 0 : hashOf(key);
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  /** Returns a whole number between both bounds, inclusive. */
  const integer = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    integer,
    pick: <Item>(items: readonly Item[]): Item => items[integer(0, items.length - 1)] as Item,
    digits: (count: number): string => Array.from({ length: count }, () => integer(0, 9)).join(""),
  };
};

/** Returns the 32-bit FNV-1a hash. */
export const hashOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
};
