/** Which known names someone who mistyped one may have meant. */

const COUNT = 3;

export const nearest = (wanted: string, known: readonly string[]): string[] =>
  known
    .map((name) => ({ name, distance: distance(wanted, name) }))
    .sort((a, b) => a.distance - b.distance || a.name.localeCompare(b.name))
    .slice(0, COUNT)
    .map(({ name }) => name);

/** Levenshtein distance, in which what is only missing at the end counts a tenth: a prefix is a near match. */
const distance = (wanted: string, name: string): number => {
  let row = Array.from({ length: name.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...wanted].entries()) {
    const next = [index + 1];
    for (let at = 1; at <= name.length; at += 1) {
      const changed = (row[at - 1] ?? 0) + (name.charAt(at - 1) === letter ? 0 : 1);
      next.push(Math.min(changed, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return Math.min(...row.map((steps, at) => steps + (name.length - at) / 10));
};
