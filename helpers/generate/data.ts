/**
 * Data makers: plausible values by `x-data` name, which a strict real server accepts. All of it is
 * fictional.
 */
import { fakerAt as at } from "./quick-faker.ts";

/** Seeds to make a value from: the same draw gives the same value. */
export interface Draw {
  /** Shared by the values of one body, so that a name, an e-mail address and a country go together. */
  readonly person: number;
  /** Different at each place, so that two identifiers are two. */
  readonly leaf: number;
}

export interface DataMaker {
  make(draw: Draw): string | number | boolean;
  /** A value of exactly `length` ASCII characters that is as plausible as it can be. */
  ofLength?(length: number, draw: Draw): string;
  /** Any character may stand in the value. */
  readonly freeText?: true;
  /** Stands for something that a server must know: a made-up value may be refused for being unknown. */
  readonly known?: true;
  /** Lengths at which acceptance is promised, where schema and standard contradict each other. */
  readonly acceptedLengths?: readonly number[];
}

/** `undefined` where no row has that name: the keywords of the schema then say what the value is. */
export const dataMaker = (name: unknown): DataMaker | undefined => DATA_MAKERS[String(name)];

/** The text again and again, cut at `length` characters. */
export const repeatTo = (text: string, length: number): string =>
  length > 0 ? text.repeat(Math.ceil(length / text.length)).slice(0, length) : "";

/** Countries with a language, and telephone numbers that their regulators keep free for fiction. */
const COUNTRIES = [
  { country: "US", language: "en", callingCode: "1", first: 2025550100, numbers: 100 },
  { country: "GB", language: "en", callingCode: "44", first: 7700900000, numbers: 1000 },
  { country: "FR", language: "fr", callingCode: "33", first: 639980000, numbers: 10_000 },
  { country: "CA", language: "fr", callingCode: "1", first: 6135550100, numbers: 100 },
  { country: "SE", language: "sv", callingCode: "46", first: 701740605, numbers: 95 },
] as const;

/** Leading digits of card numbers that card networks publish for tests. */
const TEST_PREFIXES = ["411111", "555555", "424242", "520082", "222300"] as const;

const pick = <Row>(rows: readonly Row[], seed: number): Row => rows[seed % rows.length] as Row;
const countryOf = ({ person }: Draw) => pick(COUNTRIES, person);
const lettersOnly = (text: string): string => text.replaceAll(/[^A-Za-z]/g, "");
const firstName = ({ person }: Draw): string => lettersOnly(at(person).person.firstName());
const lastName = ({ person }: Draw): string => lettersOnly(at(person).person.lastName());
const digits = (length: number, { leaf }: Draw): string =>
  length > 0 ? at(leaf).string.numeric(length) : "";
const recently = ({ leaf }: Draw): Date => at(leaf).date.recent({ days: 300, refDate: startOfDay() });

/** Dates hang on the day alone, so that a replay on that day makes the same ones. */
const startOfDay = (): Date => new Date(new Date().setUTCHours(0, 0, 0, 0));

const name = (make: (draw: Draw) => string): DataMaker => ({
  make,
  freeText: true,
  ofLength: (length, draw) => repeatTo(make(draw), length),
});

const username = (draw: Draw): string =>
  `${firstName(draw)}.${lastName(draw)}${draw.leaf % 100_000}`.toLowerCase();

/** RFC 5321: at most 64 characters before the at sign; RFC 1035: at most 63 a label. */
const emailOfLength = (length: number, draw: Draw): string => {
  const domain = "example.com";
  if (length < domain.length + 2) return repeatTo("a", length);
  const name = username(draw).replaceAll(".", "");
  const whole = length - domain.length - 1;
  if (whole <= 64) return `${repeatTo(name, whole)}@${domain}`;
  const local = whole === 65 ? 63 : 64;
  return `${repeatTo(name, local)}@${labels(whole - local - 1, name)}.${domain}`;
};

const labels = (length: number, text: string): string => {
  const parts: string[] = [];
  for (let left = length; left > 0; left -= 1 + (parts.at(-1)?.length ?? 0)) {
    parts.push(repeatTo(text, left === 64 ? 62 : Math.min(63, left)));
  }
  return parts.join(".");
};

const panOfLength = (length: number, draw: Draw): string => {
  const payload = (pick(TEST_PREFIXES, draw.leaf) + digits(Math.max(0, length - 7), draw)).slice(
    0,
    Math.max(0, length - 1),
  );
  return length > 0 ? payload + luhnDigit(payload) : "";
};

/** Check digit of ISO/IEC 7812-1. */
const luhnDigit = (payload: string): number => {
  const sum = [...payload].reverse().reduce((total, character, index) => {
    const doubled = Number(character) * (index % 2 === 0 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return (10 - (sum % 10)) % 10;
};

const month = ({ leaf }: Draw): string => String(1 + (leaf % 12)).padStart(2, "0");
const year = ({ leaf }: Draw): string => String(startOfDay().getUTCFullYear() + 1 + (leaf % 4));
const padded = (make: (draw: Draw) => string): DataMaker => ({
  make,
  ofLength: (length, draw) => (length > 0 ? make(draw).padStart(length, "0").slice(-length) : ""),
});

const uri = ({ leaf }: Draw): string =>
  `https://www.example.com/${at(leaf).lorem.slug(2)}/v${1 + (leaf % 9)}`;
const reference = (length: number, { leaf }: Draw): string =>
  length > 0 ? at(leaf).string.alphanumeric({ length, casing: "upper" }) : "";
const SECRET = "Aa1!";

const DATA_MAKERS: Readonly<Record<string, DataMaker>> = {
  "first-name": name(firstName),
  "last-name": name(lastName),
  "full-name": name((draw) => `${firstName(draw)} ${lastName(draw)}`),
  "company-name": name(({ leaf }) => `${lettersOnly(at(leaf).person.lastName())} Trading`),
  "institution-name": name(({ leaf }) => `Bank of ${lettersOnly(at(leaf).person.lastName())}`),
  username: { make: username, ofLength: (length, draw) => repeatTo(username(draw), length) },
  email: { make: (draw) => `${username(draw)}@example.com`, ofLength: emailOfLength },
  "country-code": { make: (draw) => countryOf(draw).country },
  "language-code": { make: (draw) => countryOf(draw).language },
  "calling-code": { make: (draw) => countryOf(draw).callingCode, ofLength: digits },
  "phone-number": {
    make: (draw) => String(countryOf(draw).first + (draw.leaf % countryOf(draw).numbers)),
    ofLength: digits,
  },
  uuid: { make: ({ leaf }) => at(leaf).string.uuid().toLowerCase() },
  uri: { make: uri, ofLength: (length, draw) => repeatTo(`${uri(draw)}/`, length) },
  reference: { make: (draw) => reference(24, draw), ofLength: reference, freeText: true, known: true },
  pan: { make: (draw) => panOfLength(16, draw), ofLength: panOfLength, acceptedLengths: [16] },
  "expiry-month": padded(month),
  "expiry-year": padded(year),
  "security-code": { make: (draw) => digits(3, draw), ofLength: digits },
  amount: { make: ({ leaf }) => (100 + (leaf % 99_900)) / 100 },
  date: { make: (draw) => recently(draw).toISOString().slice(0, 10) },
  "date-time": { make: (draw) => `${recently(draw).toISOString().slice(0, 19)}Z` },
  timestamp: { make: (draw) => Math.floor(recently(draw).getTime() / 1000) },
  ssn: { make: ({ leaf }) => `98765432${leaf % 10}`, ofLength: digits },
  street: name(({ leaf }) => `${1 + (leaf % 900)} Example Street`),
  city: name(() => "Salt Lake City"),
  state: { make: () => "UT" },
  zip: { make: () => "84101", ofLength: digits },
  text: name(({ leaf }) => at(leaf).lorem.words(3)),
  "partner-secret": {
    make: (draw) => SECRET + reference(16, draw).toLowerCase(),
    ofLength: (length, draw) =>
      (SECRET + reference(length, draw).toLowerCase()).slice(0, Math.max(0, length)),
  },
};
