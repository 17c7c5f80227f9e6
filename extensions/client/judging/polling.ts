/** Checks how a client polls for a result that takes time. */
import { atPointer } from "../../../helpers/contract/pointer.ts";
import { checkThat, HOLDS } from "../../../helpers/exchange/check-result.ts";
import { isAccepted } from "../../../helpers/exchange/exchange.ts";
import { Memory } from "../../../helpers/traffic/memory.ts";
import type { Seen } from "../../../helpers/traffic/seen.ts";
import { type HistoryCheck, history, suspected } from "./check.ts";

export interface PolledResult {
  /** Ids of the operations that read the result. */
  readonly operations: readonly string[];
  /** The path parameter that identifies the result. */
  readonly parameter: string;
  /** All other states end the polling. */
  readonly inProgress: string;
  /** Ids of the operations that list results with their states. */
  readonly lists: readonly string[];
}

/** Returns the state of a result; `undefined` when an answer does not show it. */
const stateOf = ({ exchange, operation, answer }: Seen, inProgress: string) => {
  if (!isAccepted(exchange)) return undefined;
  const status = atPointer(answer, operation?.progress ?? "");
  if (typeof status === "string")
    return status.toLowerCase() === inProgress.toLowerCase() ? "in-progress" : "ended";
  // A result in another media type, such as PDF, is complete.
  return answer === undefined && !/json/.test(exchange.response?.headers["content-type"] ?? "json")
    ? "ended"
    : undefined;
};

/** Half a second less is not an offence: timers and clocks are not exact. */
const TOLERANCE = 500;

/** Checks that a client waits before it asks again. */
export const waitsBetweenPolls = (seconds: number, polled: PolledResult): HistoryCheck =>
  history(`a result that is read again after it was ${polled.inProgress}`, ({ show }) => {
    const last = new Memory<string, Seen>();
    return (seen) => {
      const id = idOf(seen, polled);
      if (id === undefined) return;
      const before = last.get(id);
      const state = stateOf(seen, polled.inProgress);
      if (state === "in-progress") last.set(id, seen);
      else last.delete(id);
      if (before === undefined) return;
      const waited = seen.start - before.start;
      // A negative time shows that the clock was changed.
      if (!(waited >= 0)) return;
      const result = checkThat(waited >= seconds * 1000 - TOLERANCE, {
        message: `a result that was ${polled.inProgress} was read again too early`,
        expected: `${seconds} seconds between two reads`,
        actual: `${(waited / 1000).toFixed(1)} seconds`,
      });
      show(result, seen, before);
    };
  });

const firstRead = (last: Seen, state: ReturnType<typeof stateOf>) => ({
  ...{ last, state, reads: 1 },
  waited: state === "in-progress",
  /** Milliseconds between the last two reads before the end. */
  pace: Number.NaN,
  /** Reads after the end, at the pace of polling. */
  extra: 0,
});

/** Adds a further read. @returns what it shows, if it shows something */
const readAgain = (read: ReturnType<typeof firstRead>, seen: Seen, state: typeof read.state) => {
  const { last, pace, extra } = read;
  const pause = seen.start - last.start;
  const isPolled = read.state === "in-progress";
  const isAtPace = pause < LONGEST_PAUSE && pause > pace / PACES && pause < pace * PACES;
  const isExtra = !isPolled && isAtPace && representation(seen) === representation(last);
  Object.assign(read, { last: seen, state, pace: isPolled ? pause : pace, extra: isExtra ? extra + 1 : 0 });
  read.reads += 1;
  if (isPolled && state === "ended") return HOLDS;
  return read.waited && read.extra === READ_AGAIN ? READ_ON : undefined;
};

/** The longest pause between two polls of one loop. */
const LONGEST_PAUSE = 60_000;
/** The pauses of one loop differ by this factor at most. Other reads of a complete result have other pauses. */
const PACES = 3;
/** A client that has not asked for this time, and for this multiple of its own pace, may have given up. */
const GIVEN_UP = 120_000;
const MULTIPLE = 6;
/** The number of reads of a complete result that no chance explains. */
const READ_AGAIN = 3;

/** Checks that a client polls until the result is complete, and then stops. */
export const pollsUntilEnd = (polled: PolledResult): HistoryCheck =>
  history(`a result that is ${polled.inProgress} at first, and complete later`, ({ show, tell, atEnd }) => {
    const all = new Memory<string, ReturnType<typeof firstRead>>();
    /** The results that a callback will tell about. */
    const called = new Memory<string, true>();
    /** How often a list that had a result in progress was read again, while no result was read. */
    const listed = new Memory<string, number>(1_000);
    let latest = Number.NaN;
    atEnd(({ exitCode }) => {
      for (const [id, { last, state, reads, pace }] of all) {
        if (state !== "in-progress") continue;
        // Another process may read on what this one has read once, or what a callback tells about.
        const isOver = exitCode === 0 && reads > 1 && !called.has(id);
        const isGivenUp = latest - last.end > Math.max(GIVEN_UP, MULTIPLE * (pace || 0));
        if (isGivenUp) show(givenUp(polled), last);
        else if (isOver) show({ ...givenUp(polled), actual: "the client ended without an error" }, last);
        else tell(`a result was ${polled.inProgress} when it was read last, soon before the end`);
      }
    });
    return (seen) => {
      latest = seen.start;
      if (polled.lists.includes(seen.exchange.operationId)) {
        const reads = (listed.get(representation(seen)) ?? 0) + 1;
        listed.set(representation(seen), isUnderWay(seen, polled) ? reads : 0);
        if (reads === READ_AGAIN) show(LIST_READ, seen);
        return;
      }
      if ([...seen.query.keys()].some((name) => /callback/i.test(name)))
        called.set(String(atPointer(seen.answer, "/id")), true);
      const id = idOf(seen, polled);
      if (id === undefined) return;
      listed.clear();
      const state = stateOf(seen, polled.inProgress);
      const before = all.get(id);
      if (state === undefined) return;
      if (before === undefined) return void all.set(id, firstRead(seen, state));
      const first = before.last;
      const result = readAgain(before, seen, state);
      if (result !== undefined) show(result, seen, first);
    };
  });

const READ_ON = suspected({
  message: "a complete result was read again and again",
  ...{ expected: "no more polling after the end", actual: `${READ_AGAIN} more reads at the pace of polling` },
});

const LIST_READ = suspected({
  message: "the list of results was read again and again, and not the result that is awaited",
  ...{ expected: "reads of the result", actual: `${READ_AGAIN} reads of the list` },
});

const isUnderWay = ({ answer }: Seen, { inProgress }: PolledResult): boolean =>
  JSON.stringify(answer ?? "")
    .toLowerCase()
    .includes(`"${inProgress.toLowerCase()}"`);

const givenUp = ({ inProgress }: PolledResult) =>
  suspected({
    message: `the client stopped reading a result that was ${inProgress}`,
    ...{ expected: "reads until the result is complete", actual: "no read at the end of the traffic" },
  });

const idOf = ({ operation, path }: Seen, { operations, parameter }: PolledResult): string | undefined => {
  if (operation === undefined || !operations.includes(operation.operationId)) return undefined;
  // Some services append the format to the id.
  return path[parameter]?.replace(/\.\w+$/, "");
};

const representation = ({ exchange }: Seen): string =>
  `${exchange.request.headers.accept ?? ""} ${new URL(exchange.request.url).pathname}`;
