/** Checks how a client behaves when an answer is late, missing, or asks it to wait. */
import { creates } from "../../../helpers/contract/lookups.ts";
import { HOLDS, violation } from "../../../helpers/exchange/check-result.ts";
import { isAccepted, isUnanswered, statusOf } from "../../../helpers/exchange/exchange.ts";
import { Memory } from "../../../helpers/traffic/memory.ts";
import type { Seen } from "../../../helpers/traffic/seen.ts";
import { type HistoryCheck, history, requestOf, suspected, times } from "./check.ts";

/** Whether the client closed the connection before the answer. */
const isAbandoned = ({ exchange }: Seen): boolean => exchange.failure?.kind === "abandoned";

/**
 * Checks that a client waits for a slow answer.
 * @param seconds the time limit that the client sets at least
 * @param enough seconds after which an answer shows that the client is patient
 */
export const waitsForAnswer = (
  operations: readonly string[],
  seconds: number,
  enough: number,
): HistoryCheck =>
  history(
    `an answer of ${operations.join(" or ")} that takes more than ${enough} seconds`,
    ({ show, tell, atEnd }) => {
      let left: Seen | undefined;
      let latest: Seen | undefined;
      const limits: Seen[] = [];
      /** A person may cancel a call. A time limit ends two after the same time. */
      const leftEarly = (one: Seen): void => {
        const { durationMs } = one.exchange;
        const alike = limits.find(({ exchange }) => Math.abs(exchange.durationMs / durationMs - 1) < 0.1);
        limits.push(one);
        const actual = `${Math.round(durationMs / 1000)} seconds`;
        const message = "the client closed the connection before the answer, twice after the same time";
        const expected = `a time limit of ${seconds} seconds`;
        if (alike === undefined) tell(`a call was left once after ${actual}`);
        else show(violation({ message, expected, actual }), one, alike);
      };
      atEnd(() => left && tell("the client left a call before its answer, and sent nothing after it"));
      return (seen) => {
        const [before, other] = [left, latest];
        const waited = seen.exchange.durationMs / 1000;
        left = undefined;
        if (latest === undefined || seen.start > latest.start) latest = seen;
        // A client that ends closes its connections too. Only a client that goes on has reached a time limit.
        if (before !== undefined) leftEarly(before);
        if (!operations.includes(seen.exchange.operationId)) return;
        if (waited >= enough && seen.exchange.response !== undefined) return show(HOLDS, seen);
        if (!isAbandoned(seen) || waited >= seconds - 1) return;
        // The next request may be answered before the proxy notices that the client left.
        if (waited >= LEAST && other !== undefined && other.start > seen.end - NOTICED) leftEarly(seen);
        else left = seen;
      };
    },
  );

/** The shortest time limit in seconds that is told apart from the end of a client. */
const LEAST = 5;
/** Milliseconds in which a proxy notices that a client has left. */
const NOTICED = 100;

/** Whether the request ended without an answer of the service itself. */
const isLost = (seen: Seen): boolean =>
  isUnanswered(seen.exchange) || isAbandoned(seen) || [408, 504].includes(statusOf(seen.exchange));

/** Checks that a client repeats a call that timed out. @param after further exchanges that show that it did not */
export const repeatsAfterTimeout = (operations: readonly string[], after = 5): HistoryCheck =>
  history(`a call of ${operations.join(" or ")} that timed out`, ({ show, tell, atEnd }) => {
    const open = new Memory<string, { readonly lost: Seen; others: number }>(100);
    // A parallel process may repeat the call much later, so only the end decides.
    atEnd(() => {
      for (const { lost, others } of open.values())
        if (others >= after) show(NOT_REPEATED, lost);
        else tell(`a call timed out soon before the end, and ${others} others came after it`);
    });
    return (seen) => {
      const key = callOf(seen);
      const known = open.get(key);
      if (known !== undefined && seen.start >= known.lost.end) {
        open.delete(key);
        return show(HOLDS, seen, known.lost);
      }
      if (operations.includes(seen.exchange.operationId) && isLost(seen))
        open.set(key, { lost: seen, others: 0 });
      else for (const entry of open.values()) entry.others += 1;
    };
  });

const NOT_REPEATED = violation({
  message: "a call that timed out was not repeated",
  ...{ expected: "the same call again", actual: "other calls only" },
});

/** Equal for the calls of one operation with one path. */
const callOf = ({ exchange, path }: Seen): string =>
  `${exchange.operationId} ${Object.values(path).join(" ")}`;

/** Checks that a client goes on after a failure of the server. */
export const survivesFailures = history(
  "an answer with 500, a lost connection or an incomplete answer",
  ({ show, atEnd }) => {
    let open: Seen | undefined;
    atEnd(({ exitCode }) => {
      if (open === undefined || exitCode === undefined) return;
      const failed = violation({
        message: "the client failed right after a failure of the server",
        ...{ expected: "the client goes on", actual: `exit code ${exitCode}, and no further request` },
      });
      show(exitCode === 0 ? HOLDS : failed, open);
    });
    return (seen) => {
      if (open !== undefined) show(HOLDS, open, seen);
      // A client that leaves a call that hangs has met a failure too.
      const isLeft = isAbandoned(seen) && seen.exercises.length > 0;
      const isFailure = isLeft || isServerError(seen) || seen.exchange.failure?.kind === "connection-lost";
      open = isFailure ? seen : undefined;
    };
  },
);

/** Checks that a client does not repeat a request without an answer if the repetition may create a second resource. */
export const repeatsNoCreation = history(
  "a request that creates something, and gets no answer",
  ({ show, atEnd }) => {
    const open = new Memory<string, { readonly lost: Seen; looked: boolean }>(1_000);
    atEnd(() => {
      for (const { lost } of open.values()) show(HOLDS, lost);
    });
    return (seen) => {
      const { operation, exchange } = seen;
      const key = requestOf(seen);
      const known = open.get(key);
      if (known !== undefined && seen.start >= known.lost.end) {
        open.delete(key);
        return show(known.looked ? HOLDS : CREATED_AGAIN, seen, known.lost);
      }
      const isCreation = operation?.method === "POST" && creates(operation);
      const isSafe = Object.keys(exchange.request.headers).some((name) => /idempotency/.test(name));
      if (isCreation && !isSafe && (isLost(seen) || isServerError(seen)))
        open.set(key, { lost: seen, looked: false });
      if (operation?.method === "GET" && isAccepted(exchange))
        for (const entry of open.values()) entry.looked = true;
    };
  },
);

const CREATED_AGAIN = violation({
  message: "a request that creates something was repeated without an answer to the first one",
  expected: "a look at what the first request created, or an idempotency key",
  actual: "the same request again",
});

/** Whether the server may have executed the request before it failed. */
const isServerError = ({ exchange }: Seen): boolean => [500, 502, 504].includes(statusOf(exchange));

/** Checks that a client does not repeat billable calls within a minute of an accepted one, or often in a short time. */
export const repeatsNoBillableCall = history("a billable call", ({ show }) => {
  const accepted = new Memory<string, readonly Seen[]>(1_000);
  /** Requests without an answer. Each is the reason of one equal request after it. */
  const lost = new Memory<string, readonly number[]>(1_000);
  return (seen) => {
    if (seen.operation?.hazards.includes("billable") !== true) return;
    const key = requestOf(seen);
    const ends = lost.get(key) ?? [];
    if (isLost(seen) || isServerError(seen)) lost.set(key, [...ends, seen.end].slice(-KEPT));
    if (!isAccepted(seen.exchange)) return;
    const reason = ends.findIndex((end) => seen.start >= end);
    const all = [...(accepted.get(key) ?? []), seen].slice(-SERIES);
    const before = reason < 0 ? all.at(-2) : undefined;
    if (reason >= 0) lost.set(key, ends.toSpliced(reason, 1));
    accepted.set(key, all);
    const pause = before === undefined ? Number.NaN : seen.start - before.end;
    if (before === undefined || !(pause >= 0 && pause < MINUTE)) {
      const time = all.length < SERIES ? Number.NaN : seen.start - (all[0]?.start ?? 0);
      return time >= 0 && time < SHORT_TIME ? show(OFTEN, ...all.toReversed()) : show(HOLDS, seen);
    }
    const repeated = violation({
      message: "a billable call was repeated although the first one was answered",
      expected: "one call",
      actual: `the same call again after ${(pause / 1000).toFixed(1)} seconds`,
    });
    show(repeated, seen, before);
  };
});

const MINUTE = 60_000;
/** Equal calls in this time are too many for what a person asks again. */
const SHORT_TIME = 15 * MINUTE;
/** The number of lost requests that are stored for each request. */
const KEPT = 20;

/** The number of equal calls that shows a habit, and whose distances show a timer. */
const SERIES = 5;

const OFTEN = suspected({
  message: "a billable call was repeated again and again although each one was answered",
  ...{ expected: "the answer of the first call", actual: `${SERIES} equal calls in a quarter of an hour` },
});

/** Milliseconds. Shorter distances also occur in loops over other work. */
const SHORTEST_TIMER = 5_000;

/** Suspects that calls are automated if they are regular in time. */
export const callsAreNotAutomated = (operations: readonly string[]): HistoryCheck =>
  history(`${SERIES} calls of ${operations.join(" or ")}`, ({ show, tell }) => {
    const recent = new Memory<string, Seen[]>(1_000);
    return (seen) => {
      if (!operations.includes(seen.exchange.operationId) || !isAccepted(seen.exchange)) return;
      const series = [...(recent.get(callOf(seen)) ?? []), seen].slice(-SERIES);
      recent.set(callOf(seen), series);
      if (series.length < SERIES)
        return tell(`called ${times(series.length)}, and ${SERIES} calls show a timer`);
      const pauses = series.slice(1).map(({ start }, index) => start - (series[index]?.start ?? 0));
      const mean = pauses.reduce((sum, pause) => sum + pause, 0) / pauses.length;
      const spread = Math.max(...pauses.map((pause) => Math.abs(pause - mean)));
      if (!(mean > SHORTEST_TIMER && spread < mean / 20)) return show(HOLDS, seen);
      const regular = suspected({
        message: "calls that no program should repeat by itself are regular in time",
        expected: "calls on demand of a person",
        actual: `${SERIES} calls, one every ${Math.round(mean / 1000)} seconds`,
      });
      show(regular, ...series);
    };
  });
