/** Seeds of what a run draws, each from the seed of the run and a name. */

/** FNV-1a: the same trial, or resource, draws the same values in every run with the same seed, whatever runs beside it. */
export const seedOf = (seed: number, name: string): number => {
  let hash = 0x811c9dc5 ^ seed;
  for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash | 0;
};
