/** Data makers for time. Values depend only on the day, so that a replay on the same day makes the same values. */
import { fakerAt as at, type DataMaker, type Draw } from "./data-maker.ts";

const DAY = 24 * 60 * 60;

const startOfDay = (): Date => new Date(new Date().setUTCHours(0, 0, 0, 0));
const today = (): number => startOfDay().getTime() / 1000;

/** Returns seconds since 1970, from which most values here are formatted. */
const recently = ({ leaf }: Draw): number =>
  Math.floor(at(leaf).date.recent({ days: 300, refDate: startOfDay() }).getTime() / 1000);
const soon = ({ leaf }: Draw): number => today() + (30 + (leaf % 300)) * DAY;
const born = ({ person }: Draw): number => today() - (25 * 365 + (person % (40 * 365))) * DAY;

/** Returns the start of a period. A request contains both ends of the period, which are between 90 and 10 days ago. */
const from = ({ leaf }: Draw): number => today() - (60 + (leaf % 31)) * DAY;
const to = ({ leaf }: Draw): number => today() - (10 + (leaf % 31)) * DAY;

/** Returns the start of a search, whose end is at most 28 days later: many servers refuse a window of more than a month. */
const since = ({ leaf }: Draw): number => today() - (30 + (leaf % 10)) * DAY;
const until = ({ leaf }: Draw): number => today() - (11 + (leaf % 10)) * DAY;

/** Returns the start of a period to come. Its end is at most 28 days later. */
const start = ({ leaf }: Draw): number => today() + (30 + (leaf % 10)) * DAY;
const end = ({ leaf }: Draw): number => today() + (49 + (leaf % 10)) * DAY;

const iso = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
const day = (seconds: number): string => iso(seconds).slice(0, 10);

const month = ({ leaf }: Draw): string => String(1 + (leaf % 12)).padStart(2, "0");
const year = ({ leaf }: Draw): string => String(startOfDay().getUTCFullYear() + 1 + (leaf % 4));

const padded = (make: (draw: Draw) => string): DataMaker => ({
  make,
  ofLength: (length, draw) => (length > 0 ? make(draw).padStart(length, "0").slice(-length) : ""),
});

/** Returns a maker of dates and one of times for each period: `future-date` and `future-date-time`. */
const inPeriods = (periods: Readonly<Record<string, (draw: Draw) => number>>): Record<string, DataMaker> =>
  Object.fromEntries(
    Object.entries(periods).flatMap(([name, make]) => [
      [`${name}-date`, { make: (draw: Draw) => day(make(draw)) }],
      [`${name}-date-time`, { make: (draw: Draw) => iso(make(draw)) }],
    ]),
  );

export const TIME: Readonly<Record<string, DataMaker>> = {
  date: { make: (draw) => day(recently(draw)) },
  "date-time": { make: (draw) => iso(recently(draw)) },
  "local-date-time": { make: (draw) => iso(recently(draw)).slice(0, 19) },
  timestamp: { make: recently },
  "unix-time": { make: recently },
  "this-week": { make: ({ leaf }) => today() - (1 + (leaf % 6)) * DAY },
  "from-date": { make: from },
  "to-date": { make: to },
  // The period has at most 31 days.
  "billing-start": { make: ({ leaf }) => today() - (12 + (leaf % 10)) * DAY },
  "billing-end": { make: ({ leaf }) => today() - (1 + (leaf % 10)) * DAY },
  "birth-date": { make: born },
  "future-time": { make: soon },
  ...inPeriods({
    future: soon,
    "past-start": since,
    "past-end": until,
    "future-start": start,
    "future-end": end,
  }),
  // Payments settle within days, and predictions cover ten days.
  "settle-by-date": { make: ({ leaf }) => day(today() + (2 + (leaf % 7)) * DAY) },
  "day-of-month": { make: ({ leaf }) => 1 + (leaf % 28) },
  month: { make: ({ leaf }) => 1 + (leaf % 12) },
  year: { make: ({ leaf }) => startOfDay().getUTCFullYear() - (leaf % 3) },
  expiry: { make: (draw) => `${month(draw)}/${year(draw).slice(-2)}` },
  "expiry-month": padded(month),
  "expiry-year": padded(year),
};
