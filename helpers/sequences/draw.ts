/** What a step leaves to chance, as a function of one number: the same number draws the same again. */

export interface Draw {
  /** For whoever seeds a generator of its own. */
  readonly seed: number;
  /** One of the things that the step can be about. @throws when there are none */
  pick<Item>(items: readonly Item[]): Item;
  /** One of the values that it can give. @throws when there are none */
  value<Item>(items: readonly Item[]): Item;
}

/** @param picks what picking depends on, so that another seed can give other values to the same thing */
export const drawOf = (seed: number, picks = seed): Draw => {
  let drawn = 0;
  const one = <Item>(items: readonly Item[], by: number): Item => {
    if (items.length === 0) throw new Error("There is nothing to draw from.");
    drawn += 1;
    return items[(mixed(by, drawn) >>> 0) % items.length] as Item;
  };
  return { seed, pick: (items) => one(items, picks), value: (items) => one(items, seed) };
};

/** A hash of two numbers whose low bits are as good as its high ones (MurmurHash3's finalizer). */
export const mixed = (seed: number, index: number): number => {
  let hash = Math.imul(seed ^ Math.imul(index + 1, 0x9e3779b1), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) | 0;
};
