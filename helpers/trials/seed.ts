/** Derives seeds from the seed of the run and a name, and draws numbers from a seed. */

/** Returns an FNV-1a hash: a name always draws the same values with the same seed. */
export const seedOf = (seed: number, name: string): number => {
  let hash = 0x811c9dc5 ^ seed;
  for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash | 0;
};

/** Returns a function that draws integers from 0 to below its argument; the same seed gives the same numbers. */
export const drawsFrom = (seed: number): ((below: number) => number) => {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 0x1_0000_0000) * below);
  };
};
