/** Makers of plausible fictional values, by name in the contract, or by name of the property. */
import fictional from "./fictional.json" with { type: "json" };
import type { FlatSchema } from "./flat-schema.ts";
import { uuidOf } from "./identifiers.ts";
import type { Random } from "./random.ts";
import { DAY, dateOf, instantOf } from "./units.ts";

/** @param epoch seconds since 1970 around which dates are generated */
export type Maker = (random: Random, epoch: number) => unknown;

export const makerOf = ({ data, format, types }: FlatSchema, property: string): Maker | undefined => {
  const named = MAKERS[data ?? ""];
  if (named !== undefined) return named;
  if (format !== undefined && FORMATS.includes(format)) return MAKERS[format];
  const isNumeric = types[0] === "integer" || types[0] === "number";
  const likely = BY_PROPERTY.find(({ pattern, numeric }) => numeric === isNumeric && pattern.test(property));
  return MAKERS[likely?.maker ?? ""];
};

/** Picks an item. A list of one item needs no random value. */
const one =
  (items: readonly unknown[]): Maker =>
  (random) =>
    items.length === 1 ? items[0] : random.pick(items);
const { words, streets, cities } = fictional;
const firstName = one(words["first-name"]);
const fullName: Maker = (random, epoch) => `${firstName(random, epoch)} ${random.pick(words["last-name"])}`;
const past: Maker = (random, epoch) => epoch - random.integer(1, 90) * DAY;
const future: Maker = (random, epoch) => epoch + random.integer(30, 700) * DAY;
const digits =
  (count: number): Maker =>
  (random) =>
    random.digits(count);
const amount: Maker = (random) => random.integer(1_00, 5_000_00) / 100;
const instant =
  (maker: Maker): Maker =>
  (random, epoch) =>
    instantOf(maker(random, epoch) as number);
const day =
  (maker: Maker): Maker =>
  (random, epoch) =>
    dateOf(maker(random, epoch) as number);
const street: Maker = (random) => `${random.integer(1, 999)} ${random.pick(streets)}`;
const uuid: Maker = (random) => {
  const hex = Array.from({ length: 32 }, () => random.integer(0, 15).toString(16)).join("");
  return uuidOf(hex, "a");
};

/** Returns nine digits with an ABA check digit. */
export const routingNumber: Maker = (random) => {
  const first = `0${random.integer(1, 9)}${random.digits(6)}`;
  const sum = [...first].reduce(
    (total, digit, index) => total + Number(digit) * ([3, 7, 1][index % 3] ?? 0),
    0,
  );
  return `${first}${(10 - (sum % 10)) % 10}`;
};

const inBase64 =
  (maker: Maker): Maker =>
  (random, epoch) =>
    Buffer.from(String(maker(random, epoch))).toString("base64");
const jsonText: Maker = (random) => JSON.stringify({ count: random.integer(1, 99) });

const MAKERS: Readonly<Record<string, Maker>> = {
  ...Object.fromEntries(Object.entries(words).map(([name, items]) => [name, one(items)])),
  ...Object.fromEntries(Object.entries(fictional.digits).map(([name, count]) => [name, digits(count)])),
  amount,
  ...{ byte: inBase64(digits(6)), base64: inBase64(digits(6)) },
  ...{ json: jsonText, "base64-json": inBase64(jsonText) },
  "birth-date": (random, epoch) => epoch - random.integer(25 * 365, 60 * 365) * DAY,
  city: (random) => random.pick(cities).city,
  date: day(past),
  "date-time": instant(past),
  "day-of-month": (random) => random.integer(1, 28),
  decimal: (random) => (random.integer(100, 99_999) / 100).toFixed(2),
  duration: (random) => `P${random.integer(1, 30)}D`,
  email: (random) => `${random.pick(words["first-name"]).toLowerCase()}.${random.digits(4)}@example.com`,
  "from-date": past,
  "full-address": (random) => `${street(random, 0)}, ${Object.values(random.pick(cities)).join(" ")}`,
  "full-name": fullName,
  "future-date-time": instant(future),
  "future-time": future,
  "json-pointer": (random) => `/items/${random.integer(0, 9)}`,
  "json-pointer-uri-fragment": (random) => `#/items/${random.integer(0, 9)}`,
  "local-date-time": (random, epoch) => String(instant(past)(random, epoch)).slice(0, 19),
  hostname: (random) => `host${random.digits(4)}.example.com`,
  ipv4: (random) => `192.0.2.${random.integer(1, 254)}`,
  ipv6: (random) => `2001:db8::${random.integer(1, 9999)}`,
  "micro-amount": (random) => random.integer(1, 99) / 100,
  number: (random) => random.integer(1_000_000, 9_999_999),
  month: (random) => random.integer(1, 12),
  "phone-number": (random) => `801555${random.digits(4)}`,
  rate: (random) => random.integer(1, 800) / 100,
  regex: (random) => `^[a-z]{${random.integer(1, 9)}}$`,
  "relative-json-pointer": (random) => `${random.integer(0, 9)}/items`,
  reference: (random) => `ref-${random.digits(8)}`,
  "request-id": (random) => `r${random.digits(9)}`,
  "routing-number": routingNumber,
  rssd: (random) => random.integer(100_000, 999_999),
  "settle-by-date": day(future),
  "signing-key": (random) => random.digits(32),
  state: (random) => random.pick(cities).state,
  street,
  "svg-url": (random) => `https://assets.example.com/${random.digits(6)}.svg`,
  time: (random) => `1${random.integer(0, 9)}:15:30Z`,
  timestamp: past,
  "to-date": (_, epoch) => epoch,
  "transaction-description": (random) =>
    `${random.pick(words["merchant-name"])} ${random.digits(4)}`.toUpperCase(),
  uri: (random) => `https://www.example.com/${random.digits(6)}`,
  "uri-reference": (random) => `/items/${random.digits(6)}`,
  "uri-template": (random) => `https://www.example.com/${random.digits(6)}/{name}`,
  url: (random) => `https://www.example.com/${random.digits(6)}`,
  username: (random) => `user${random.digits(6)}`,
  "utc-datetime": instant(past),
  uuid,
  year: (_, epoch) => new Date(epoch * 1000).getUTCFullYear(),
  zip: (random) => random.pick(cities).zip,
};

const FORMATS = [
  ...["date", "date-time", "utc-datetime", "time", "duration"],
  ...["uuid", "uri", "url", "email", "hostname", "ipv4", "ipv6", "byte", "uri-reference", "uri-template"],
  ...["regex", "json-pointer", "json-pointer-uri-fragment", "relative-json-pointer"],
];

/** Rules that guess the maker from a property's name and type, for documents that name no maker. */
const BY_PROPERTY = fictional.properties.map((row) => ({ ...row, pattern: new RegExp(row.pattern, "i") }));
