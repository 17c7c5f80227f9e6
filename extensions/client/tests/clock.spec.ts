/** The clock of a recording, which several clients and exercises share. */
import { expect, test } from "@playwright/test";
import { createClock, type RecordingClock } from "../proxy/clock.ts";

const MINUTE = 60_000;

/** Returns the start, and a function that notes the minutes since then when its promise is resolved. */
const notesOf = (clock: RecordingClock) => {
  const start = clock.now();
  const notes: string[] = [];
  const note = async (name: string, waited: Promise<void>): Promise<void> => {
    await waited;
    notes.push(`${name}: ${Math.floor((clock.now() - start) / MINUTE)} minutes`);
  };
  return { start, notes, note };
};

test("time passes to the earliest time that somebody waits for", async () => {
  const moves: number[] = [];
  const clock = createClock(async (seconds) => void moves.push(seconds));
  const { start, notes, note } = notesOf(clock);
  await Promise.all([
    note("a long sleep", clock.moveTo(start + 91 * MINUTE)),
    note("a time limit", clock.reached(start + 3 * MINUTE)),
    note("a short sleep", clock.moveTo(start + MINUTE)),
    clock.reached(start + 5 * MINUTE, AbortSignal.abort()),
  ]);
  expect(notes).toEqual(["a short sleep: 1 minutes", "a time limit: 3 minutes", "a long sleep: 91 minutes"]);
  expect(moves).toHaveLength(3);
});

test("no time passes while an exchange is under way, unless the exchange waits for it", async () => {
  const clock = createClock();
  const { start, notes, note } = notesOf(clock);
  let answer = (): void => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const working = clock.during(() => answered);
  const sleeping = note("a sleep", clock.moveTo(start + MINUTE));
  // The control: a clock without an exchange moves in the meantime.
  const other = createClock();
  await other.moveTo(other.now() + MINUTE);
  expect(notes).toEqual([]);
  answer();
  await Promise.all([working, sleeping]);
  const late = clock.during(() => clock.holdUntil(start + 3 * MINUTE));
  await Promise.all([note("a longer sleep", clock.moveTo(start + 5 * MINUTE)), note("a late answer", late)]);
  expect(notes).toEqual(["a sleep: 1 minutes", "a late answer: 3 minutes", "a longer sleep: 5 minutes"]);
});

test("waiting ends when its signal aborts, and fails when the clock of the target can't be moved", async () => {
  const clock = createClock(() => Promise.reject(new Error("no clock")));
  const client = new AbortController();
  const held = clock.during(() => clock.holdUntil(clock.now() + MINUTE, client.signal));
  client.abort();
  await held;
  await expect(clock.moveTo(clock.now() + MINUTE)).rejects.toThrow("no clock");
});
