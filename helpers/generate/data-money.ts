/** Data makers for money: cards, accounts, amounts, and what is said of them. */
import { alphanumerics, type DataMaker, type Draw, digits, freeText, numeric, pick } from "./data-maker.ts";

const amount = ({ leaf }: Draw): number => (100 + (leaf % 99_900)) / 100;

export const MONEY: Readonly<Record<string, DataMaker>> = {
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
};

/** Check digit of a routing number of the American Bankers Association: weights 3, 7, 1; in the Federal Reserve's range. */
const routingNumber = (draw: Draw): string => {
  const first = `0${1 + (draw.leaf % 9)}${digits(6, draw)}`;
  const sum = [...first].reduce(
    (total, digit, index) => total + Number(digit) * ([3, 7, 1][index % 3] as number),
    0,
  );
  return `${first}${(10 - (sum % 10)) % 10}`;
};

/** Leading digits of card numbers that card networks publish for tests. */
const TEST_PREFIXES = ["411111", "555555", "424242", "520082", "222300"] as const;

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
