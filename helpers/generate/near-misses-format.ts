/** Near-misses of a format: a row a format, each entry a kind and values that certainly have another form. */
import fc from "fast-check";
import { uuidNearMisses } from "./near-misses-pattern.ts";
import { change, type Draft, type Place } from "./place.ts";

export const formatNearMisses = (place: Place): Draft[] => {
  const format = String(place.rule.value);
  if (format === "uuid") return uuidNearMisses(place);
  return Object.entries(FORMAT_SLIPS[format] ?? {}).map(([kind, values]) =>
    change(place, kind, fc.constantFrom(...values)),
  );
};

type Slips = Readonly<Record<string, readonly unknown[]>>;

const DATE_SLIPS: Slips = {
  "no such day": ["2024-02-30", "2023-02-29", "2024-13-01"],
  "another notation": ["01/31/2024", "31.01.2024"],
  words: ["tomorrow"],
};

const DATE_TIME_SLIPS: Slips = {
  "no such day": ["2024-02-30T10:00:00Z", "2024-13-01T10:00:00Z"],
  "no such time": ["2024-01-31T25:00:00Z", "2024-01-31T10:61:00Z"],
  "another notation": ["01/31/2024 10:00:00", "Wed, 31 Jan 2024 10:00:00 GMT"],
  words: ["tomorrow"],
};

const FORMAT_SLIPS: Readonly<Record<string, Slips>> = {
  "iso-3166-alpha-2": {
    "one letter": ["U", "D", "F"],
    "three letters": ["USA", "DEU", "FRA"],
    "with a digit": ["U1", "4S", "D3"],
    "two digits": ["84", "27"],
  },
  "iso-639-1": {
    "one letter": ["e", "d", "f"],
    "three letters": ["eng", "deu", "fra"],
    "language tag": ["en-US", "de-DE", "fr-CA"],
    "with a digit": ["e1", "4n", "d3"],
    "two digits": ["84", "27"],
  },
  uri: {
    "no scheme": ["www.example.com/terms", "/terms"],
    "with a space": ["https://www.example.com/terms of use"],
    words: ["no address"],
  },
  email: { "no at sign": ["anna.example.com"], "no domain": ["anna@"], "no local part": ["@example.com"] },
  date: DATE_SLIPS,
  "date-time": DATE_TIME_SLIPS,
  "utc-datetime": { ...DATE_TIME_SLIPS, "another zone": ["2024-01-31T10:00:00+02:00"] },
  int32: { "too large": [2 ** 31], "too small": [-(2 ** 31) - 1] },
  int64: { "too large": [2 ** 64], "too small": [-(2 ** 64)] },
};
