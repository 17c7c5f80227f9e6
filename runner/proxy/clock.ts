/**
 * The clock of a recording. It runs in real time. A client that takes its time from it can let time pass at once, so
 * that a test of 90 minutes needs no 90 minutes.
 */

export interface RecordingClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Moves the clock forward to a time. Does nothing when this time has passed. */
  moveTo(time: number): Promise<void>;
  /** Resolves when the clock has reached a time, or is closed. */
  reached(time: number): Promise<void>;
  /** Whether the client takes its time from this clock. */
  isUsed(): boolean;
  use(): void;
  close(): void;
}

/** @param move moves the clock of the target by this number of seconds; absent when the target has no such clock */
export const createClock = (move?: (seconds: number) => Promise<void>): RecordingClock => {
  let offset = 0;
  let used = false;
  let closed = false;
  let moving: Promise<void> = Promise.resolve();
  const waiting = new Set<() => void>();
  const now = (): number => Date.now() + offset;
  return {
    now,
    moveTo(time) {
      moving = moving.then(async () => {
        const distance = time - now();
        if (distance <= 0) return;
        await move?.(distance / 1000);
        offset += distance;
        for (const check of [...waiting]) check();
      });
      return moving;
    },
    reached: (time) =>
      new Promise((resolve) => {
        let timer: NodeJS.Timeout | undefined;
        const check = (): void => {
          clearTimeout(timer);
          if (now() >= time || closed) {
            waiting.delete(check);
            resolve();
          } else timer = setTimeout(check, Math.min(time - now(), LONGEST)).unref();
        };
        waiting.add(check);
        check();
      }),
    isUsed: () => used,
    use() {
      used = true;
    },
    close() {
      closed = true;
      for (const check of [...waiting]) check();
    },
  };
};

/** Checks at this interval in milliseconds at least, because the clock may move. */
const LONGEST = 60_000;
