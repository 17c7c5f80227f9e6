/** Checks that a client accepts answers that differ from the usual ones in a permitted way. */
import { isAccepted } from "../exchange/exchange.ts";
import { Memory } from "../traffic/memory.ts";
import type { Seen } from "../traffic/seen.ts";
import { broken, type HistoryCheck, met, NOTHING, type Shown, shows } from "./check.ts";
import { requestOf } from "./request-key.ts";

/** Milliseconds in which a client that refuses an answer sends its request again. */
const EARLY = 10_000;
/** The number of other requests that show that the client went on. */
const OTHERS = 3;

interface Taken {
  readonly seen: Seen;
  /** The number of exchanges of the client up to this one. */
  readonly at: number;
  readonly isOccasion: boolean;
  isRepeated: boolean;
}

/**
 * A client that does not accept an answer fails, or sends the request again. A right client may also send equal requests
 * for other reasons, so one repetition shows nothing, unless it is the repetition of a request that changes something.
 * The client is compared with itself: a client that repeats its requests after usual answers too has another reason.
 * @param isOccasion whether the answer differs from the usual one in a permitted way
 */
export const acceptsAnswers = (
  requirement: string,
  occasion: string,
  isOccasion: (seen: Seen) => boolean,
): HistoryCheck => ({
  requirement,
  occasion,
  watch() {
    const taken = new Memory<string, Taken>(1_000);
    /** Occasions after which the client has hardly gone on. */
    let recent: Taken[] = [];
    const repetitions = createRepetitions();
    let exchanges = 0;
    let latest = Number.NEGATIVE_INFINITY;

    /** Returns whether the request is a repetition right after its answer. */
    const isRepetition = (key: string, seen: Seen): boolean => {
      const known = taken.get(key);
      if (known === undefined || seen.start < known.seen.end) return false;
      taken.delete(key);
      if (seen.start - known.seen.end >= EARLY) return false;
      known.isRepeated = repetitions.add(known, seen, exchanges - known.at > 1);
      return true;
    };

    const shownOf = (some: readonly Taken[]): readonly Shown[] =>
      some.flatMap(({ seen, isRepeated }) => (isRepeated ? NOTHING : shows(met, seen)));

    return {
      see(seen) {
        exchanges += 1;
        const key = requestOf(seen);
        if (seen.start < latest) repetitions.noteParallel();
        latest = Math.max(latest, seen.end);
        if (!isRepetition(key, seen) && isAccepted(seen.exchange)) {
          const entry = { seen, at: exchanges, isOccasion: isOccasion(seen), isRepeated: false };
          taken.set(key, entry);
          repetitions.count(entry);
          if (entry.isOccasion) recent.push(entry);
        }
        if (recent.length === 0) return NOTHING;
        const isOver = ({ at }: Taken): boolean => exchanges - at >= OTHERS;
        const shown = shownOf(recent.filter(isOver));
        recent = recent.filter((entry) => !isOver(entry));
        return shown;
      },
      end: ({ exitCode }) => [
        ...repetitions.violation(),
        ...recent.flatMap((entry) => {
          if (exchanges > entry.at || exitCode === 0) return shownOf([entry]);
          return exitCode === undefined ? NOTHING : shows(failedAfter(exitCode), entry.seen);
        }),
      ],
    };
  },
});

/** The number of repetitions of reads that does not occur by coincidence. */
const MANY = 2;
/** Usual answers that a client with parallel requests must have accepted before its repetitions show anything. */
const COMPARED = 3;
/** The share of usual answers after which a right client may repeat its requests. */
const HABIT = 0.2;

/** Counts the answers, and those after which the client sent its request again. */
const createRepetitions = () => {
  const usual = { answers: 0, repeated: 0 };
  const unusual = { answers: 0, repeated: 0 };
  let isParallel = false;
  let isChanging = false;
  let first: readonly [Seen, Seen] | undefined;
  const of = ({ isOccasion }: Taken) => (isOccasion ? unusual : usual);
  return {
    noteParallel(): void {
      isParallel = true;
    },
    count(entry: Taken): void {
      of(entry).answers += 1;
    },
    /**
     * @param hasGoneOn whether other requests are between the two
     * @returns whether the repetition counts
     */
    add(entry: Taken, again: Seen, hasGoneOn: boolean): boolean {
      // A client that sends one request at a time repeats a request before it sends another one.
      if (hasGoneOn && !isParallel) return false;
      of(entry).repeated += 1;
      if (!entry.isOccasion) return true;
      first ??= [entry.seen, again];
      isChanging ||= entry.seen.exchange.request.method !== "GET";
      return true;
    },
    violation(): readonly Shown[] {
      const isHabit = usual.repeated > HABIT * usual.answers;
      const isEnough = unusual.repeated >= MANY || (isChanging && !isParallel);
      const isCompared = !isParallel || usual.answers >= COMPARED;
      const isMost = unusual.repeated > unusual.answers / 2;
      return first !== undefined && isEnough && isCompared && isMost && !isHabit
        ? repeatedShown(...first)
        : NOTHING;
    },
  };
};

const repeatedShown = (seen: Seen, again: Seen): readonly Shown[] =>
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

const failedAfter = (exitCode: number) =>
  broken({
    pointer: "",
    message: "the client failed right after an answer that the documents permit",
    expected: "the client accepts the answer",
    actual: `exit code ${exitCode}, and no further request`,
  });
