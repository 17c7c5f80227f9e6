/** Checks how a client reads answers: lists with several pages, and answers that lack or add something. */
import { atPointer } from "../contract/pointer.ts";
import { isAccepted } from "../exchange/exchange.ts";
import type { Seen } from "../traffic/seen.ts";
import { broken, type HistoryCheck, met, NOTHING, type Shown, shows } from "./check.ts";
import { Memory } from "./memory.ts";
import { requestOf } from "./request-key.ts";

/** Whether the answer says that more items follow; `undefined` when it is not a page. */
const hasMore = ({ operation, answer, exchange }: Seen): boolean | undefined => {
  if (operation?.list === undefined || !isAccepted(exchange)) return undefined;
  const { more, last } = operation.list;
  if (more !== undefined && typeof atPointer(answer, more) === "boolean")
    return atPointer(answer, more) === true;
  if (last !== undefined && typeof atPointer(answer, last) === "boolean")
    return atPointer(answer, last) === false;
  return undefined;
};

/** Checks that a client reads more than the first page of a list that has more. */
export const readsFurtherPages = (requirement: string): HistoryCheck => ({
  requirement,
  occasion: "a list that does not fit on one page",
  watch() {
    const open = new Memory<string, { readonly first: Seen; readonly at: number }>(1_000);
    let exchanges = 0;
    return {
      see(seen) {
        exchanges += 1;
        const more = hasMore(seen);
        if (more === undefined) return NOTHING;
        const { paging } = seen.operation ?? {};
        const names = [paging?.start, paging?.page, paging?.limit].filter((name) => name !== undefined);
        const key = keyOf(seen, names);
        const first = open.get(key)?.first;
        if (first !== undefined && first.exchange.request.url !== seen.exchange.request.url) {
          open.delete(key);
          return shows(met, seen, first);
        }
        if (more && isFirstPage(seen)) open.set(key, { first: seen, at: exchanges });
        return NOTHING;
      },
      // A client that ended right after the first page, or failed, may not have come to the second one.
      end: ({ exitCode }) =>
        [...open.values()].flatMap(({ first, at }) =>
          exchanges - at >= OTHERS || exitCode === 0 ? unread(first) : NOTHING,
        ),
    };
  },
});

const keyOf = ({ exchange, query }: Seen, without: readonly string[]): string => {
  const others = [...query].filter(([name]) => !without.includes(name)).sort();
  return `${exchange.operationId} ${new URL(exchange.request.url).pathname} ${JSON.stringify(others)}`;
};

const isFirstPage = ({ operation, query }: Seen): boolean => {
  const { start, page, first = 1 } = operation?.paging ?? {};
  const asked = query.get(start ?? page ?? "");
  return asked === null || Number(asked) <= first;
};

const unread = (first: Seen): readonly Shown[] =>
  shows(
    broken({
      pointer: "",
      message: "only the first page of a list was read",
      expected: "the next page, because the answer says that more items follow",
      actual: "no request for another page",
    }),
    first,
  );

/** @param isOccasion whether the answer differs from the usual one in a permitted way */
export const acceptsAnswers = (
  requirement: string,
  occasion: string,
  isOccasion: (seen: Seen) => boolean,
): HistoryCheck => ({
  requirement,
  occasion,
  watch() {
    const open = new Memory<string, { readonly seen: Seen; others: number }>(100);
    /** The end of the last accepted answer by request, and the operations that the client repeats anyway. */
    const accepted = new Memory<string, number>(1_000);
    const habitual = new Set<string>();
    let latest = Number.NEGATIVE_INFINITY;
    /** A client that sends requests in parallel may send equal requests for different reasons. */
    let isParallel = false;
    const candidates: (readonly [Seen, Seen])[] = [];
    const repeated = (seen: Seen, again: Seen): readonly Shown[] =>
      shows(
        broken({
          pointer: "",
          message: "the client sent a request again although it was answered as documented",
          expected: "the client accepts the answer",
          actual: "the same request again",
        }),
        seen,
        again,
      );
    return {
      see(seen) {
        const key = requestOf(seen);
        const { operationId } = seen.exchange;
        const known = open.get(key);
        isParallel ||= seen.start < latest;
        latest = Math.max(latest, seen.end);
        if (known !== undefined && seen.start >= known.seen.end) {
          open.delete(key);
          const isEarly = seen.start - known.seen.end < EARLY && known.others === 0;
          if (!isEarly) return shows(met, known.seen, seen);
          if (!habitual.has(operationId)) candidates.push([known.seen, seen]);
          return NOTHING;
        }
        if (seen.start - (accepted.get(key) ?? Number.NaN) < EARLY) habitual.add(operationId);
        if (isOccasion(seen)) open.set(key, { seen, others: 0 });
        else if (isAccepted(seen.exchange)) accepted.set(key, seen.end);
        return [...open].flatMap(([other, entry]) => {
          if (other === key) return NOTHING;
          entry.others += 1;
          if (entry.others < OTHERS) return NOTHING;
          open.delete(other);
          return shows(met, entry.seen);
        });
      },
      end: ({ exitCode }) => [
        ...(isParallel ? [] : candidates.slice(0, 1)).flatMap(([seen, again]) => repeated(seen, again)),
        ...[...open.values()].flatMap(({ seen, others }) => {
          if (others > 0 || exitCode === 0) return shows(met, seen);
          return exitCode === undefined ? NOTHING : shows(failedAfter(exitCode), seen);
        }),
      ],
    };
  },
});

const EARLY = 10_000;
const OTHERS = 3;

const failedAfter = (exitCode: number) =>
  broken({
    pointer: "",
    message: "the client failed right after an answer that the documents permit",
    expected: "the client accepts the answer",
    actual: `exit code ${exitCode}, and no further request`,
  });
