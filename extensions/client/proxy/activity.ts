/** Watches whether the clients of a recording work or wait, so that its clock moves only when all of them wait. */
import { setTimeout as sleep } from "node:timers/promises";

/** Clients are quiet when nothing happened in this number of turns of the event loop, each this long in milliseconds. */
const TURNS = 5;
const TURN = 5;
/** Milliseconds after which the clock moves although a client works, because this client may never wait. */
const LONGEST = 3_000;

export type Activity = ReturnType<typeof createActivity>;

export const createActivity = () => {
  let count = 0;
  let exchanges = 0;
  const note = (): void => {
    count += 1;
  };
  const counted = async (change: number, work: () => Promise<void>): Promise<void> => {
    exchanges += change;
    note();
    try {
      await work();
    } finally {
      exchanges -= change;
      note();
    }
  };
  return {
    /** Tells that a client did something. */
    note,
    underWay: (work: () => Promise<void>) => counted(1, work),
    /** Runs a part of an exchange during which the exchange is not under way. */
    held: (work: () => Promise<void>) => counted(-1, work),
    /** Resolves when all clients wait, when `isNeeded` becomes false, or after a few seconds. */
    async untilQuiet(isNeeded: () => boolean): Promise<void> {
      const end = performance.now() + LONGEST;
      for (let turns = 0; turns < TURNS && isNeeded() && performance.now() < end; ) {
        const before = count;
        await sleep(TURN);
        turns = count === before && exchanges === 0 ? turns + 1 : 0;
      }
    },
  };
};
