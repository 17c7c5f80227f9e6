/** Data makers for people: names, addresses and contact data. */
import {
  fakerAt as at,
  type DataMaker,
  type Draw,
  digits,
  freeText,
  lettersOnly,
  numeric,
  pick,
  repeatTo,
} from "./data-maker.ts";

export const PEOPLE: Readonly<Record<string, DataMaker>> = {
  "first-name": freeText((draw) => firstName(draw)),
  "last-name": freeText((draw) => lastName(draw)),
  "full-name": freeText((draw) => `${firstName(draw)} ${lastName(draw)}`),
  username: {
    make: (draw) => `${username(draw)}${draw.tag ?? ""}`,
    ofLength: (length, draw) => repeatTo(username(draw), length),
  },
  email: {
    make: (draw) => `${username(draw)}@example.com`,
    ofLength: (length, draw) => emailOfLength(length, draw),
  },
  "country-code": { make: (draw) => countryOf(draw).country },
  "language-code": { make: (draw) => countryOf(draw).language },
  "calling-code": { make: (draw) => countryOf(draw).callingCode, ofLength: digits },
  "phone-number": {
    make: (draw) => String(countryOf(draw).first + (draw.leaf % countryOf(draw).numbers)),
    ofLength: digits,
  },
  // Numbers with these leading digits are not assigned to people.
  ssn: { make: ({ leaf }) => `98765432${leaf % 10}`, ofLength: digits },
  "ssn-last-four": { make: ({ leaf }) => `432${leaf % 10}`, ofLength: digits },
  "tax-id": numeric(9),
  "government-id": numeric(9),
  pin: numeric(5),
  street: freeText(({ leaf }) => `${1 + (leaf % 900)} Example Street`),
  city: freeText((draw) => placeOf(draw).city),
  state: { make: (draw) => placeOf(draw).state },
  zip: { make: (draw) => placeOf(draw).zip, ofLength: digits },
  "full-address": freeText((draw) => {
    const { city, state, zip } = placeOf(draw);
    return `${1 + (draw.leaf % 900)} Example Street, ${city}, ${state} ${zip}`;
  }),
  school: freeText(({ leaf }) => `University of ${lettersOnly(at(leaf).person.lastName())}`),
};

/** Countries with a language, and telephone numbers that their regulators reserve for fiction. */
const COUNTRIES = [
  { country: "US", language: "en", callingCode: "1", first: 2025550100, numbers: 100 },
  { country: "GB", language: "en", callingCode: "44", first: 7700900000, numbers: 1000 },
  { country: "FR", language: "fr", callingCode: "33", first: 639980000, numbers: 10_000 },
  { country: "CA", language: "fr", callingCode: "1", first: 6135550100, numbers: 100 },
  { country: "SE", language: "sv", callingCode: "46", first: 701740605, numbers: 95 },
] as const;

/** Cities with their state and one of their postal codes: a server may refuse what does not belong together. */
const PLACES = [
  { city: "Salt Lake City", state: "UT", zip: "84101" },
  { city: "Denver", state: "CO", zip: "80202" },
  { city: "Boise", state: "ID", zip: "83702" },
  { city: "Phoenix", state: "AZ", zip: "85004" },
  { city: "Portland", state: "OR", zip: "97204" },
] as const;

const placeOf = ({ person }: Draw) => pick(PLACES, person);

const countryOf = ({ person, country }: Draw) =>
  pick(
    COUNTRIES.filter((row) => country === undefined || row.country === country),
    person,
  );
const firstName = ({ person }: Draw): string => lettersOnly(at(person).person.firstName());
const lastName = ({ person }: Draw): string => lettersOnly(at(person).person.lastName());

const username = (draw: Draw): string =>
  `${firstName(draw)}.${lastName(draw)}${draw.leaf % 100_000}`.toLowerCase();

/** Returns an address that obeys RFC 5321 (at most 64 characters before the @) and RFC 1035 (at most 63 per label). */
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
