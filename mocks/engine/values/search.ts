/** Binary search. */

/** @returns the first index from `low` up to `high` at which the condition holds, which holds from there on; `high` if none */
export const firstIndex = (low: number, high: number, holds: (index: number) => boolean): number => {
  let [from, until] = [low, high];
  while (from < until) {
    const middle = Math.floor((from + until) / 2);
    if (holds(middle)) until = middle;
    else from = middle + 1;
  }
  return from;
};
