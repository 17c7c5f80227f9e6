/**
 * The clock of a recording. It runs in real time. A client that takes its time from it can let time pass at once, so
 * that a test of 90 minutes needs no 90 minutes.
 *
 * Several clients may share the clock. If one of them sleeps, time passes only when the others wait too, and only to the
 * earliest time that one of them waits for. Otherwise the time limit of a client, or its token, would end at once while
 * it works.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { steadyNow } from "../../../helpers/contract/steady-time.ts";

export type RecordingClock = ReturnType<typeof createClock>;

/** One wait for a time. */
interface Waiter {
  readonly time: number;
  /** Whether the clock moves to this time. */
  readonly moves: boolean;
  /** Ends the waiting if the time has come. */
  check(): void;
  fail(error: Error): void;
}

/** @param move moves the clock of the target by this number of seconds; absent when the target has no such clock */
export const createClock = (move?: (seconds: number) => Promise<void>) => {
  let offset = 0;
  let used = false;
  let closed = false;
  let isPassing = false;
  let moving: Promise<void> = Promise.resolve();
  const activity = createActivity();
  const now = (): number => steadyNow() + offset;
  const waiters = createWaiters((time) => closed || now() >= time, now, activity);
  const isAwaited = (): boolean => !closed && waiters.list().some(({ moves }) => moves);

  const moveBy = async (distance: number): Promise<void> => {
    if (distance > 0) {
      await move?.(distance / 1000);
      offset += distance;
    }
    for (const { check } of waiters.list()) check();
  };

  /** Moves the clock from waiter to waiter, as long as one of them lets time pass. */
  const passTime = async (): Promise<void> => {
    if (isPassing) return;
    isPassing = true;
    try {
      while (isAwaited()) {
        await activity.untilQuiet(isAwaited);
        if (!isAwaited()) break;
        moving = moveBy(Math.min(...waiters.list().map(({ time }) => time)) - now());
        await moving;
      }
    } catch (error) {
      moving = Promise.resolve();
      for (const { moves, fail } of waiters.list()) if (moves) fail(error as Error);
    } finally {
      isPassing = false;
    }
  };

  /**
   * Lets time pass, and resolves when the clock has reached a time, is closed, or the signal aborts.
   * @throws Error when the clock of the target can't be moved
   */
  const moveTo = (time: number, signal?: AbortSignal): Promise<void> => {
    const waited = waiters.wait(time, true, signal);
    void passTime();
    return waited;
  };

  return {
    /** Returns milliseconds since 1970. */
    now,
    moveTo,
    /** Like `moveTo`, for an exchange under way that waits for this time. */
    holdUntil: (time: number, signal?: AbortSignal) => activity.held(() => moveTo(time, signal)),
    /** Resolves when the clock has reached a time, is closed, or the signal aborts. */
    reached: (time: number, signal?: AbortSignal) => waiters.wait(time, false, signal),
    /** Runs an exchange. The clock does not move before the exchange ends or is held. */
    async during(exchange: () => Promise<void>): Promise<void> {
      await moving.catch(() => {});
      await activity.underWay(exchange);
    },
    /** Whether the client takes its time from this clock. */
    isUsed: () => used,
    /** Tells that a client takes its time from this clock now. */
    use(): void {
      used = true;
      activity.note();
    },
    close(): void {
      closed = true;
      for (const { check } of waiters.list()) check();
    },
  };
};

/** @param isOver whether nobody needs to wait for a time any longer */
const createWaiters = (
  isOver: (time: number) => boolean,
  now: () => number,
  activity: ReturnType<typeof createActivity>,
) => {
  const waiters = new Set<Waiter>();
  return {
    list: (): readonly Waiter[] => [...waiters],
    wait: (time: number, moves: boolean, signal?: AbortSignal): Promise<void> =>
      new Promise((resolve, reject) => {
        let timer: NodeJS.Timeout | undefined;
        const leave = (): void => {
          clearTimeout(timer);
          signal?.removeEventListener("abort", check);
          waiters.delete(waiter);
          activity.note();
        };
        const check = (): void => {
          clearTimeout(timer);
          if (isOver(time) || signal?.aborted) {
            leave();
            resolve();
          } else timer = setTimeout(check, Math.min(time - now(), LONGEST)).unref();
        };
        const fail = (error: Error): void => {
          leave();
          reject(error);
        };
        const waiter: Waiter = { time, moves, check, fail };
        waiters.add(waiter);
        signal?.addEventListener("abort", check);
        activity.note();
        check();
      }),
  };
};

/** Checks at this interval in milliseconds at least, because the clock may move. */
const LONGEST = 60_000;

/** Clients are quiet when nothing happened in this number of turns of the event loop, each this long in milliseconds. */
const TURNS = 5;
const TURN = 5;
/** Milliseconds after which the clock moves although a client works, because this client may never wait. */
const LONGEST_WORK = 3_000;

/** Watches whether the clients of a recording work or wait, so that its clock moves only when all of them wait. */
const createActivity = () => {
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
      const end = performance.now() + LONGEST_WORK;
      for (let turns = 0; turns < TURNS && isNeeded() && performance.now() < end; ) {
        const before = count;
        await sleep(TURN);
        turns = count === before && exchanges === 0 ? turns + 1 : 0;
      }
    },
  };
};
