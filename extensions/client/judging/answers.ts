/** Checks that a client accepts answers that differ from the usual ones in a permitted way. */
import { getOrInsert } from "../../../helpers/contract/memoize.ts";
import { type CheckResult, HOLDS, violation } from "../../../helpers/exchange/check-result.ts";
import { isAccepted } from "../../../helpers/exchange/exchange.ts";
import { Memory } from "../../../helpers/traffic/memory.ts";
import type { Seen } from "../../../helpers/traffic/seen.ts";
import { type HistoryCheck, history, requestOf, times } from "./check.ts";

/** Milliseconds in which a client that refuses an answer sends its request again. */
const EARLY = 10_000;
/** The number of other requests that show that the client went on. */
const OTHERS = 3;

interface Taken {
  readonly end: number;
  readonly operationId: string;
  /** The exchange, if its answer differs from the usual ones. The others are not kept, because they are many. */
  readonly seen?: Seen;
  /** The number of exchanges of the client up to this one. */
  readonly at: number;
}

/**
 * A client that does not accept an answer fails, or sends the request again. A right client may also send equal requests
 * for other reasons, so one repetition shows nothing, unless it is the repetition of a request that changes something.
 * The client is compared with itself: a client that repeats its requests after usual answers too has another reason.
 * @param isOccasion whether the answer differs from the usual one in a permitted way
 */
export const acceptsAnswers = (occasion: string, isOccasion: (seen: Seen) => boolean): HistoryCheck =>
  history(occasion, ({ show, tell, atEnd }) => {
    const taken = new Memory<string, Taken>(1_000);
    /** Occasions after which the client has hardly gone on. */
    let recent: { readonly seen: Seen; readonly at: number }[] = [];
    const repetitions = newRepetitions();
    let exchanges = 0;
    let latest = Number.NEGATIVE_INFINITY;

    /** Returns whether the request is a repetition right after its answer. */
    const isRepetition = (key: string, seen: Seen): boolean => {
      const known = taken.get(key);
      if (known === undefined || seen.start < known.end) return false;
      taken.delete(key);
      if (seen.start - known.end >= EARLY) return false;
      if (isCounted(repetitions, known, seen, exchanges - known.at > 1))
        recent = recent.filter((one) => one.seen !== known.seen);
      return true;
    };

    atEnd(({ exitCode }) => {
      const { first, unusual } = repetitions;
      if (first !== undefined && isViolation(repetitions)) show(REPEATED, ...first);
      else if (unusual.repeated > 0)
        tell(`after such an answer, the same request was sent again ${times(unusual.repeated)}`);
      for (const { seen, at } of recent) {
        if (exchanges > at || exitCode === 0) show(HOLDS, seen);
        else if (exitCode !== undefined) show(failedAfter(exitCode), seen);
      }
    });
    return (seen) => {
      exchanges += 1;
      const key = requestOf(seen);
      repetitions.isParallel ||= seen.start < latest;
      latest = Math.max(latest, seen.end);
      if (!isRepetition(key, seen) && isAccepted(seen.exchange)) {
        const known = { end: seen.end, operationId: seen.exchange.operationId, at: exchanges };
        const entry: Taken = { ...known, ...(isOccasion(seen) && { seen }) };
        taken.set(key, entry);
        countsOf(repetitions, entry).answers += 1;
        if (entry.seen !== undefined) recent.push({ seen, at: exchanges });
      }
      for (const one of recent) if (exchanges - one.at >= OTHERS) show(HOLDS, one.seen);
      recent = recent.filter(({ at }) => exchanges - at < OTHERS);
    };
  });

/** The number of repetitions of reads that does not occur by coincidence. */
const MANY = 2;
/** Usual answers that a client with parallel requests must have accepted before its repetitions show anything. */
const COMPARED = 3;
/** The share of usual answers after which a right client may repeat its requests. */
const HABIT = 0.2;

/** The number of answers, and of those whose requests the client repeated. */
const newCounts = () => ({ answers: 0, repeated: 0 });

const newRepetitions = () => ({
  unusual: newCounts(),
  /** By operation, because a client may repeat the requests of one operation for a reason. */
  usual: new Map<string, ReturnType<typeof newCounts>>(),
  /** The operations with repetitions after unusual answers. */
  operations: new Set<string>(),
  /** Whether the client sends several requests at a time. */
  isParallel: false,
  isChanging: false,
  first: undefined as readonly [Seen, Seen] | undefined,
});

type Repetitions = ReturnType<typeof newRepetitions>;

const countsOf = ({ unusual, usual }: Repetitions, { seen, operationId }: Taken): typeof unusual =>
  seen !== undefined ? unusual : getOrInsert(usual, operationId, newCounts);

/** Whether a repetition counts. A client that sends one request at a time repeats a request before it sends another one. */
const isCounted = (known: Repetitions, entry: Taken, again: Seen, hasGoneOn: boolean): boolean => {
  if (hasGoneOn && !known.isParallel) return false;
  countsOf(known, entry).repeated += 1;
  if (entry.seen === undefined) return true;
  known.first ??= [entry.seen, again];
  known.operations.add(again.exchange.operationId);
  known.isChanging ||= again.exchange.request.method !== "GET";
  return true;
};

/** Whether the client does not accept the unusual answers. */
const isViolation = ({ unusual, usual, operations, isParallel, isChanging }: Repetitions): boolean => {
  const compared = [...operations].flatMap((operation) => usual.get(operation) ?? []);
  const answers = compared.reduce((sum, one) => sum + one.answers, 0);
  const isHabit = compared.reduce((sum, one) => sum + one.repeated, 0) > HABIT * answers;
  const { repeated } = unusual;
  const isCertain = isParallel
    ? repeated >= MANY && repeated === unusual.answers && answers >= COMPARED
    : (repeated >= MANY || isChanging) && repeated > unusual.answers / 2;
  return isCertain && !isHabit;
};

const REPEATED = violation({
  message: "the client sent a request again although it was answered as documented",
  ...{ expected: "the client accepts the answer", actual: "the same request again" },
});

const failedAfter = (exitCode: number): CheckResult =>
  violation({
    message: "the client failed right after an answer that the documents permit",
    ...{ expected: "the client accepts the answer", actual: `exit code ${exitCode}, and no further request` },
  });
