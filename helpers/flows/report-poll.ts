/** Polls reports as documented: in parallel, every 20 seconds after a first read. */
import { type CheckResult, checkThat } from "../exchange/check-result.ts";
import { type Exchange, isAccepted, statusOf } from "../exchange/exchange.ts";
import type { TrialClock } from "./clock.ts";
import { type Patience, waitUntil } from "./wait-until.ts";

/** Reads one report and its status. */
export interface Reading {
  read(): Promise<Exchange>;
  /** Returns `undefined` when the status is not a text. */
  statusIn(exchange: Exchange): string | undefined;
}

/**
 * The result of polling a report. `undecided`: the report was in progress until the limit; `unreadable`: the report was
 * never found, or reading it was refused; `statusless`: the report was read but had no status.
 */
export type ReportEnd = "success" | "failure" | "undecided" | "unreadable" | "statusless" | "undocumented";

export interface Polled {
  readonly end: ReportEnd;
  /** The statuses in their original spelling, in order. */
  readonly statuses: readonly string[];
  readonly exchanges: readonly Exchange[];
}

/** The document states the interval but no limit. */
const POLLING: Patience = { everySeconds: 20, limitSeconds: 300 };

/** The delay of the first read. Most reports are complete soon, and a client sees that some are in progress. */
const FIRST_AFTER_S = 1;

/** The number of reads after which a report that is not found counts as never found. */
const UNFOUND_MOST = 4;

/** For a read of a report that is not found yet. */
export const UNTIL_FOUND: Patience = {
  everySeconds: POLLING.everySeconds,
  limitSeconds: POLLING.everySeconds * (UNFOUND_MOST - 1),
};

/** @returns the results in the order of the readings. The readings wait at the same time. */
export const pollReports = async (
  clock: TrialClock,
  readings: readonly Reading[],
  patience: Patience = POLLING,
): Promise<Polled[]> => {
  const polls = readings.map((reading) => ({
    reading,
    statuses: [] as string[],
    exchanges: [] as Exchange[],
    end: undefined as ReportEnd | undefined,
  }));
  const round = async (): Promise<true | undefined> => {
    const pending = polls.filter(({ end }) => end === undefined);
    await Promise.all(
      pending.map(async (poll) => {
        const exchange = await poll.reading.read();
        poll.exchanges.push(exchange);
        const status = isAccepted(exchange) ? poll.reading.statusIn(exchange) : undefined;
        if (status !== undefined) poll.statuses.push(status);
        const isUnfound = poll.statuses.length === 0 && poll.exchanges.length === UNFOUND_MOST;
        poll.end = endOf(exchange, status) ?? (isUnfound ? "unreadable" : undefined);
      }),
    );
    return polls.every(({ end }) => end !== undefined) || undefined;
  };
  if (polls.length > 0) await clock.pass(FIRST_AFTER_S);
  await waitUntil(clock, round, patience);
  return polls.map(({ statuses, exchanges, end }) => ({
    statuses,
    exchanges,
    end: end ?? (statuses.length > 0 ? "undecided" : "unreadable"),
  }));
};

const ENDS: Readonly<Record<string, ReportEnd | undefined>> = {
  success: "success",
  failure: "failure",
  inprogress: undefined,
};

/** @returns `undefined` while the report is in progress or not found yet */
const endOf = (exchange: Exchange, status: string | undefined): ReportEnd | undefined => {
  if (!isAccepted(exchange)) return statusOf(exchange) === 404 ? undefined : "unreadable";
  if (status === undefined) return "statusless";
  const letters = lettersOf(status);
  return Object.hasOwn(ENDS, letters) ? ENDS[letters] : "undocumented";
};

/** Normalizes a status, because its spelling varies: `inProgress`, `IN_PROGRESS`. */
export const lettersOf = (status: string): string => status.toLowerCase().replaceAll(/[^a-z]/g, "");

/** Whether a report is in progress, in any spelling. */
export const isInProgress = (status: string | undefined): boolean =>
  status !== undefined && lettersOf(status) === "inprogress";

/** Checks that all statuses of a report are documented, and that a final status does not change. */
export const checkReportStatuses = (statuses: readonly string[]): CheckResult => {
  const letters = statuses.map(lettersOf);
  const unknown = letters.findIndex((status) => !Object.hasOwn(ENDS, status));
  const back = letters.findIndex((status, index) => {
    const before = letters[index - 1];
    return before !== undefined && ENDS[before] !== undefined && status !== before;
  });
  return checkThat(unknown < 0 && back < 0, {
    pointer: "",
    message:
      unknown < 0
        ? `a report went from ${statuses[back - 1]} to ${statuses[back]}`
        : `a report has the status ${statuses[unknown]}`,
    expected: "inProgress, then success or failure",
    actual: statuses.join(", "),
  });
};
