/** Choices that follow from a seed, so that a document, its server and its mistakes can be made again. */
export interface Random {
  /** Returns an integer from 0 to `below - 1`. */
  below(below: number): number;
  /** Whether something happens that happens in so many of 100 cases. */
  chance(percent: number): boolean;
  one<Item>(items: readonly Item[]): Item;
  /** Returns the items in a random order. */
  shuffled<Item>(items: readonly Item[]): Item[];
}

export const randomOf = (seed: number): Random => {
  let state = Math.imul(seed + 1, 0x9e37_79b1) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b_79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return {
    below,
    chance: (percent) => below(100) < percent,
    one: (items) => items[below(items.length)] as (typeof items)[number],
    shuffled<Item>(items: readonly Item[]) {
      const left = [...items];
      return items.map(() => left.splice(below(left.length), 1)[0] as Item);
    },
  };
};
