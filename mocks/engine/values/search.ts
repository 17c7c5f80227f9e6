/** Binary search. */

/** @returns the first index in `low`…`high` from which the (monotonic) condition holds; `high` if there is none */
export const firstIndex = (low: number, high: number, holds: (index: number) => boolean): number => {
  let [from, until] = [low, high];
  while (from < until) {
    const middle = Math.floor((from + until) / 2);
    if (holds(middle)) until = middle;
    else from = middle + 1;
  }
  return from;
};
