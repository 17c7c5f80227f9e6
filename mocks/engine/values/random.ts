/** Values that look random and are the same for the same key. */
export type Random = ReturnType<typeof randomOf>;

export const randomOf = (key: string | number) => {
  let state = typeof key === "number" ? key >>> 0 : hashOf(key);
  /** From 0 up to, not including, 1. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  /** A whole number between both, which are included. */
  const integer = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    integer,
    pick: <Item>(items: readonly Item[]): Item => items[integer(0, items.length - 1)] as Item,
    digits: (count: number): string => Array.from({ length: count }, () => integer(0, 9)).join(""),
  };
};

/** FNV-1a of 32 bits. */
export const hashOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
};
