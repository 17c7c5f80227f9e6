/** Suggests known names that are similar to a mistyped one. */

const COUNT = 3;

export const nearest = (wanted: string, known: readonly string[]): string[] =>
  known
    .map((name) => ({ name, distance: distance(wanted, name) }))
    .sort((a, b) => a.distance - b.distance || a.name.localeCompare(b.name))
    .slice(0, COUNT)
    .map(({ name }) => name);

/** Returns the known names of which this one is probably a misspelling: few of its characters differ. */
export const misspelled = (wanted: string, known: readonly string[]): string[] =>
  nearest(wanted, known).filter((name) => (editDistances(wanted, name).at(-1) ?? 0) <= wanted.length / 4);

/** Returns ` Did you mean a or b?`, or an empty text. */
export const didYouMean = (wanted: string, known: readonly string[]): string => {
  const names = nearest(wanted, known);
  return names.length === 0 ? "" : ` Did you mean ${names.join(" or ")}?`;
};

/** Returns the edit distance. Characters missing at the end count a tenth, so a prefix is a near match. */
const distance = (wanted: string, name: string): number =>
  Math.min(...editDistances(wanted, name).map((steps, at) => steps + (name.length - at) / 10));

/** Returns the Levenshtein distances from the first text to the first 0, 1, … characters of the second. */
export const editDistances = (one: string, other: string): readonly number[] => {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let index = 0; index < one.length; index += 1) {
    const next = [index + 1];
    for (let at = 1; at <= other.length; at += 1) {
      const changed = (row[at - 1] ?? 0) + (other[at - 1] === one[index] ? 0 : 1);
      next.push(Math.min(changed, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row;
};
