/** The random choices of a step, as a function of one number: the same number gives the same choices. */

export interface Draw {
  /** A seed for other generators. */
  readonly seed: number;
  /** Picks the resource that the step is about. @throws when the list is empty */
  pick<Item>(items: readonly Item[]): Item;
  /** Picks a value for the step to send. @throws when the list is empty */
  value<Item>(items: readonly Item[]): Item;
}

/** @param picks the seed of `pick`; another `seed` with the same `picks` sends other values to the same resource */
export const drawOf = (seed: number, picks = seed): Draw => {
  let drawn = 0;
  const one = <Item>(items: readonly Item[], by: number): Item => {
    if (items.length === 0) throw new Error("There is nothing to draw from.");
    drawn += 1;
    return items[(mixed(by, drawn) >>> 0) % items.length] as Item;
  };
  return { seed, pick: (items) => one(items, picks), value: (items) => one(items, seed) };
};

/** Returns a hash of two numbers. All its bits are equally random (MurmurHash3's finalizer). */
export const mixed = (seed: number, index: number): number => {
  let hash = Math.imul(seed ^ Math.imul(index + 1, 0x9e3779b1), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) | 0;
};
