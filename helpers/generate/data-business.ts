/** Data makers for cards, accounts and amounts, companies, reports, files, addresses on the web and identifiers. */
import {
  alphanumerics,
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

const uri = ({ leaf }: Draw): string =>
  `https://www.example.com/${at(leaf).lorem.slug(2)}/v${1 + (leaf % 9)}`;

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="#0d47a1"/></svg>';

/**
 * Returns the bytes of a file that begins like a PDF, which is how servers recognize one. The second line has bytes that are no
 * text, as the format recommends (ISO 32000-1, 7.5.2).
 */
const pdf = ({ leaf }: Draw): Buffer =>
  Buffer.from(`%PDF-1.4\n%\xe2\xe3\xcf\xd3\n% fictional pay statement ${leaf}\n%%EOF\n`, "latin1");

const base64 = (content: string | Buffer): string => Buffer.from(content as string).toString("base64");

const SECRET = "Aa1!";
const partnerSecret = (length: number, draw: Draw): string =>
  (SECRET + alphanumerics(length, draw).toLowerCase()).slice(0, Math.max(0, length));

const amount = ({ leaf }: Draw): number => (100 + (leaf % 99_900)) / 100;

export const BUSINESS: Readonly<Record<string, DataMaker>> = {
  pan: {
    make: (draw) => panOfLength(16, draw),
    ofLength: (length, draw) => panOfLength(length, draw),
    acceptedLengths: [16],
  },
  "security-code": numeric(3),
  amount: { make: amount },
  decimal: { make: (draw) => amount(draw).toFixed(2) },
  "micro-amount": { make: ({ leaf }) => (1 + (leaf % 99)) / 100 },
  rate: { make: ({ leaf }) => (1 + (leaf % 800)) / 100 },
  "account-number": numeric(10),
  "account-last-four": numeric(4),
  "account-ids": { make: (draw) => digits(10, draw), known: true, onlyOnDemand: true },
  "routing-number": { make: (draw) => routingNumber(draw) },
  rssd: { make: ({ leaf }) => 100_000 + (leaf % 900_000) },
  "check-number": numeric(4),
  "transaction-description": freeText(({ leaf }) => `EXAMPLE STORE ${leaf % 10_000}`),
  "security-id": { make: (draw) => alphanumerics(9, draw), ofLength: alphanumerics },
  "company-name": freeText(({ leaf }) => `${lettersOnly(at(leaf).person.lastName())} Trading`),
  "employer-name": freeText(({ leaf }) => `${lettersOnly(at(leaf).person.lastName())} Trading`),
  "institution-name": freeText(({ leaf }) => `Bank of ${lettersOnly(at(leaf).person.lastName())}`),
  "report-last-four": numeric(4),
  confidence: { make: ({ leaf }) => leaf % 101 },
  "pay-statement": { make: (draw) => base64(pdf(draw)) },
  "svg-image": { make: () => base64(SVG) },
  "svg-url": { make: ({ leaf }) => `https://www.example.com/${leaf % 1_000_000}.svg` },
  uuid: { make: ({ leaf }) => at(leaf).string.uuid().toLowerCase() },
  uri: { make: uri, ofLength: (length, draw) => repeatTo(`${uri(draw)}/`, length) },
  reference: {
    make: (draw) => alphanumerics(24, draw),
    ofLength: alphanumerics,
    freeText: true,
    known: true,
  },
  "request-id": { make: (draw) => alphanumerics(10, draw).toLowerCase() },
  digits: numeric(6),
  text: freeText(({ leaf }) => at(leaf).lorem.words(3)),
  "signing-key": { make: (draw) => digits(32, draw), ofLength: digits },
  "partner-secret": { make: (draw) => partnerSecret(20, draw), ofLength: partnerSecret },
};

/** Returns a routing number of the American Bankers Association (weights 3, 7, 1) in the Federal Reserve's range. */
const routingNumber = (draw: Draw): string => {
  const first = `0${1 + (draw.leaf % 9)}${digits(6, draw)}`;
  const sum = [...first].reduce(
    (total, digit, index) => total + Number(digit) * ([3, 7, 1][index % 3] as number),
    0,
  );
  return `${first}${(10 - (sum % 10)) % 10}`;
};

/** Leading digits of the test card numbers that card networks publish. */
const TEST_PREFIXES = ["411111", "555555", "424242", "520082", "222300"] as const;

const panOfLength = (length: number, draw: Draw): string => {
  const payload = (pick(TEST_PREFIXES, draw.leaf) + digits(Math.max(0, length - 7), draw)).slice(
    0,
    Math.max(0, length - 1),
  );
  return length > 0 ? payload + luhnDigit(payload) : "";
};

/** Returns the check digit of ISO/IEC 7812-1. */
const luhnDigit = (payload: string): number => {
  const sum = [...payload].reverse().reduce((total, character, index) => {
    const doubled = Number(character) * (index % 2 === 0 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return (10 - (sum % 10)) % 10;
};
