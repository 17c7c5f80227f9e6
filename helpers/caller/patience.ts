/** Checks how a client behaves when an answer is late, missing, or asks it to wait. */
import { isAccepted, isUnanswered, statusOf } from "../exchange/exchange.ts";
import { Memory } from "../traffic/memory.ts";
import type { Seen } from "../traffic/seen.ts";
import { broken, type HistoryCheck, met, NOTHING, type Shown, shows } from "./check.ts";
import { requestOf } from "./request-key.ts";

/** Whether the client closed the connection before the answer. */
const isAbandoned = ({ exchange }: Seen): boolean => exchange.failure?.kind === "abandoned";

/**
 * Checks that a client waits for a slow answer.
 * @param seconds the time limit that the client sets at least
 * @param enough seconds after which an answer shows that the client is patient
 */
export const waitsForAnswer = (
  requirement: string,
  operations: readonly string[],
  seconds: number,
  enough: number,
): HistoryCheck => ({
  requirement,
  occasion: `an answer of ${operations.join(" or ")} that takes more than ${enough} seconds`,
  watch() {
    let left: Seen | undefined;
    let latest: Seen | undefined;
    return {
      see(seen) {
        const [before, other] = [left, latest];
        const waited = seen.exchange.durationMs / 1000;
        left = undefined;
        if (latest === undefined || seen.start > latest.start) latest = seen;
        if (operations.includes(seen.exchange.operationId)) {
          if (waited >= enough && seen.exchange.response !== undefined) return shows(met, seen);
          const isEarly = isAbandoned(seen) && waited < seconds - 1;
          // The next request may be answered before the proxy notices that the client left.
          const isNext = waited >= LEAST && other !== undefined && other.start > seen.end - NOTICED;
          if (isEarly && isNext) return leftEarly(seconds, seen, other);
          if (isEarly) left = seen;
        }
        // A client that ends closes its connections too. Only a client that goes on has reached a time limit.
        return before === undefined ? NOTHING : leftEarly(seconds, before, seen);
      },
    };
  },
});

/** The shortest time limit in seconds that is told apart from the end of a client. */
const LEAST = 5;
/** Milliseconds in which a proxy notices that a client has left. */
const NOTICED = 100;

const leftEarly = (seconds: number, left: Seen, next: Seen): readonly Shown[] =>
  shows(
    broken({
      pointer: "",
      message: "the client closed the connection before the answer",
      expected: `a time limit of ${seconds} seconds`,
      actual: `${Math.round(left.exchange.durationMs / 1000)} seconds`,
    }),
    left,
    next,
  );

/** Whether the request ended without an answer of the service itself. */
const isLost = ({ exchange }: Seen): boolean =>
  isUnanswered(exchange) || exchange.failure?.kind === "abandoned" || [408, 504].includes(statusOf(exchange));

/** Checks that a client repeats a call that timed out. @param after further exchanges that show that it did not */
export const repeatsAfterTimeout = (
  requirement: string,
  operations: readonly string[],
  after = 5,
): HistoryCheck => ({
  requirement,
  occasion: `a call of ${operations.join(" or ")} that timed out`,
  watch() {
    const open = new Memory<string, { readonly lost: Seen; others: number }>(100);
    const missing = (lost: Seen): readonly Shown[] =>
      shows(
        broken({
          pointer: "",
          message: "a call that timed out was not repeated",
          expected: "the same call again",
          actual: "other calls only",
        }),
        lost,
      );
    return {
      see(seen) {
        const { operationId } = seen.exchange;
        const key = `${operationId} ${Object.values(seen.path).join(" ")}`;
        const known = open.get(key);
        if (known !== undefined && seen.start >= known.lost.end) {
          open.delete(key);
          return shows(met, seen, known.lost);
        }
        if (operations.includes(operationId) && isLost(seen)) {
          open.set(key, { lost: seen, others: 0 });
          return NOTHING;
        }
        for (const entry of open.values()) entry.others += 1;
        return NOTHING;
      },
      // A parallel process may repeat the call much later, so only the end decides.
      end: () => [...open.values()].flatMap(({ lost, others }) => (others < after ? NOTHING : missing(lost))),
    };
  },
});

/** Checks that a client goes on after a failure of the server. */
export const survivesFailures = (requirement: string): HistoryCheck => ({
  requirement,
  occasion: "an answer with 500, a lost connection or an incomplete answer",
  watch() {
    let open: Seen | undefined;
    return {
      see(seen) {
        const before = open;
        const isFailure = isServerError(seen) || seen.exchange.failure?.kind === "connection-lost";
        open = isFailure ? seen : undefined;
        return before === undefined ? NOTHING : shows(met, before, seen);
      },
      end({ exitCode }) {
        if (open === undefined || exitCode === undefined) return NOTHING;
        if (exitCode === 0) return shows(met, open);
        return shows(
          broken({
            pointer: "",
            message: "the client failed right after a failure of the server",
            expected: "the client goes on",
            actual: `exit code ${exitCode}, and no further request`,
          }),
          open,
        );
      },
    };
  },
});

/** Checks that a client does not repeat a request without an answer if the repetition may create a second resource. */
export const repeatsNoCreation = (requirement: string): HistoryCheck => ({
  requirement,
  occasion: "a request that creates something, and gets no answer",
  watch() {
    const open = new Memory<string, { readonly lost: Seen; looked: boolean }>(1_000);
    return {
      see(seen) {
        const { operation, exchange } = seen;
        const key = requestOf(seen);
        const known = open.get(key);
        if (known !== undefined && seen.start >= known.lost.end) {
          open.delete(key);
          if (known.looked) return shows(met, seen, known.lost);
          return shows(
            broken({
              pointer: "",
              message: "a request that creates something was repeated without an answer to the first one",
              expected: "a look at what the first request created, or an idempotency key",
              actual: "the same request again",
            }),
            seen,
            known.lost,
          );
        }
        const creates =
          operation !== undefined && operation.method === "POST" && operation.produces.length > 0;
        const isSafe = Object.keys(exchange.request.headers).some((name) => /idempotency/.test(name));
        if (creates && !isSafe && (isLost(seen) || isServerError(seen)))
          open.set(key, { lost: seen, looked: false });
        if (operation?.method === "GET" && isAccepted(exchange))
          for (const entry of open.values()) entry.looked = true;
        return NOTHING;
      },
      end: () => [...open.values()].flatMap(({ lost }) => shows(met, lost)),
    };
  },
});

/** Whether the server may have executed the request before it failed. */
const isServerError = ({ exchange }: Seen): boolean => [500, 502, 504].includes(statusOf(exchange));

/** Checks that a client does not repeat billable calls within a minute of an accepted one. */
export const repeatsNoBillableCall = (requirement: string): HistoryCheck => ({
  requirement,
  occasion: "a billable call",
  watch() {
    const accepted = new Memory<string, Seen>(1_000);
    return {
      see(seen) {
        if (seen.operation?.hazards.includes("billable") !== true || !isAccepted(seen.exchange))
          return NOTHING;
        const before = accepted.get(requestOf(seen));
        accepted.set(requestOf(seen), seen);
        const pause = before === undefined ? Number.NaN : seen.start - before.end;
        if (!(pause >= 0 && pause < MINUTE)) return shows(met, seen);
        return shows(
          broken({
            pointer: "",
            message: "a billable call was repeated although the first one was answered",
            expected: "one call",
            actual: `the same call again after ${(pause / 1000).toFixed(1)} seconds`,
          }),
          seen,
          ...(before === undefined ? [] : [before]),
        );
      },
    };
  },
});

const MINUTE = 60_000;

/** The number of calls whose distances show a timer. */
const SERIES = 5;
/** Milliseconds. Shorter distances also occur in loops over other work. */
const SHORTEST_TIMER = 5_000;

/** Suspects that calls are automated if they are regular in time. */
export const callsAreNotAutomated = (requirement: string, operations: readonly string[]): HistoryCheck => ({
  requirement,
  occasion: `a call of ${operations.join(" or ")}`,
  watch() {
    const recent = new Memory<string, Seen[]>(1_000);
    return {
      see(seen) {
        if (!operations.includes(seen.exchange.operationId) || !isAccepted(seen.exchange)) return NOTHING;
        const key = `${seen.exchange.operationId} ${Object.values(seen.path).join(" ")}`;
        const series = [...(recent.get(key) ?? []), seen].slice(-SERIES);
        recent.set(key, series);
        if (series.length < SERIES) return shows(met, seen);
        const pauses = series.slice(1).map(({ start }, index) => start - (series[index]?.start ?? 0));
        const mean = pauses.reduce((sum, pause) => sum + pause, 0) / pauses.length;
        const spread = Math.max(...pauses.map((pause) => Math.abs(pause - mean)));
        if (!(mean > SHORTEST_TIMER && spread < mean / 20)) return shows(met, seen);
        return [
          {
            ...broken({
              pointer: "",
              message: "calls that no program should repeat by itself are regular in time",
              expected: "calls on demand of a person",
              actual: `${SERIES} calls, one every ${Math.round(mean / 1000)} seconds`,
            }),
            suspected: true,
            exchanges: series,
          },
        ];
      },
    };
  },
});
