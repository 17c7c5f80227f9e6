/** Counts the items of a situations file that serve one trial each. */

/** Returns the position of the next unused item, from 0. All processes of a run share the positions. */
export type Take = (list: string) => Promise<number>;

/** Returns a counter for a single process. */
export const takingAlone = (): Take => {
  const taken = new Map<string, number>();
  return async (list) => {
    const position = taken.get(list) ?? 0;
    taken.set(list, position + 1);
    return position;
  };
};
