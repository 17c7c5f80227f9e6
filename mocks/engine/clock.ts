/** The clock of one tenant. It runs in real time and can be moved. */
import { firstIndex } from "./values/search.ts";

export interface Clock {
  now(): Date;
  /**
   * Runs the work when the clock reaches the time, by passing or by being moved.
   * @param time milliseconds since the epoch; work for a past time is due immediately
   * @returns a function that cancels the work
   */
  at(time: number, work: Work): () => void;
}

export interface MovableClock extends Clock {
  /** Moves the clock. A move forward runs all work that becomes due; a move back only sets the time. */
  moveTo(instant: Date): Promise<void>;
  stop(): void;
}

export type Work = () => void | Promise<void>;

export const tenantClock = (): MovableClock => {
  const due: Due[] = [];
  let offset = 0;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let moving: Promise<void> = Promise.resolve();
  const now = () => Date.now() + offset;
  const runUntil = async (instant: number, reach: (time: number) => void): Promise<void> => {
    for (let next = due[0]; next !== undefined && next.time <= instant; next = due[0]) {
      due.shift();
      reach(next.time);
      await attempt(next.work);
    }
  };
  const arm = (): void => {
    clearTimeout(timer);
    const [next] = due;
    if (next === undefined || stopped) return;
    timer = setTimeout(
      () => void runUntil(now(), () => {}).then(arm),
      Math.min(Math.max(0, next.time - now()), LONGEST_TIMEOUT),
    ).unref();
  };
  return {
    now: () => new Date(now()),
    at: (time, work) => {
      const entry = { time, work };
      due.splice(placeOf(due, time), 0, entry);
      if (due[0] === entry) arm();
      return () => {
        const index = due.indexOf(entry);
        if (index >= 0) due.splice(index, 1);
      };
    },
    moveTo: (instant) => {
      moving = moving.then(async () => {
        const target = instant.getTime();
        const reach = (time: number) => {
          if (time > now()) offset = time - Date.now();
        };
        await runUntil(target, reach);
        offset = target - Date.now();
        arm();
      });
      return moving;
    },
    stop: () => {
      stopped = true;
      due.length = 0;
      clearTimeout(timer);
    },
  };
};

interface Due {
  readonly time: number;
  readonly work: Work;
}

/** The longest timeout of a Node timer (2^31 - 1 milliseconds). */
const LONGEST_TIMEOUT = 2_147_483_647;

/** Returns the index after all work for the same time, so that work runs in the order in which it was added. */
const placeOf = (due: readonly Due[], time: number): number =>
  firstIndex(0, due.length, (index) => (due[index] as Due).time > time);

const attempt = async (work: Work): Promise<void> => {
  try {
    await work();
  } catch (error) {
    process.stderr.write(`Due work of the sandbox failed: ${(error as Error).stack}\n`);
  }
};
