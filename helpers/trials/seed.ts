/** Derives seeds from the seed of the run and a name. */

/** Returns an FNV-1a hash: a name always draws the same values with the same seed. */
export const seedOf = (seed: number, name: string): number => {
  let hash = 0x811c9dc5 ^ seed;
  for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash | 0;
};
