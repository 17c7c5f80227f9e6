/** Judges recorded exchanges a few at a time, so that judging does not delay the proxy. */

/** The number of items in one turn of the event loop. */
const BATCH = 20;

export const createQueue = <Item>(handle: (item: Item) => void) => {
  let waiting: Item[] = [];
  let at = 0;
  let isPlanned = false;
  const work = (most: number): void => {
    const end = Math.min(waiting.length, at + most);
    while (at < end) handle(waiting[at++] as Item);
    if (at < waiting.length) return;
    waiting = [];
    at = 0;
  };
  const turn = (): void => {
    work(BATCH);
    isPlanned = waiting.length > 0;
    if (isPlanned) setImmediate(turn);
  };
  return {
    add(item: Item): void {
      waiting.push(item);
      if (isPlanned) return;
      isPlanned = true;
      setImmediate(turn);
    },
    /** Handles all items that wait. */
    finish: (): void => work(Number.POSITIVE_INFINITY),
  };
};
