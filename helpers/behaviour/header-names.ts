/** The headers of an answer in normal form: their names, and the values that do not depend on the answer. */
import type { ReceivedResponse } from "../exchange/exchange.ts";
import { formReader } from "./value-forms.ts";

/** Headers of which the value is part of the behaviour. */
const WITH_VALUE: ReadonlySet<string> = new Set([
  "cache-control",
  "connection",
  "content-encoding",
  "content-type",
  "transfer-encoding",
]);

const WITH_FORM: ReadonlySet<string> = new Set(["retry-after"]);

const formOf = formReader();

/** @param isRepeated whether the server closed the first connection without an answer */
export const headerNames = ({ headers, body }: ReceivedResponse, isRepeated: boolean): string[] => [
  ...Object.entries(headers)
    .map(([name, value]) => {
      if (WITH_VALUE.has(name)) return `${name}: ${value.toLowerCase()}`;
      return WITH_FORM.has(name) ? `${name}: ${/^\d+$/.test(value) ? "seconds" : formOf(value)}` : name;
    })
    .sort(),
  ...(hasPaddedNumbers(body) ? [PADDED] : []),
  ...(isRepeated ? [REPEATED] : []),
];

/** These are not headers, but traits of an answer that its values do not show. */
const PADDED = "(numbers with trailing zeros)";
const REPEATED = "(sent again, because the connection was closed)";

const [POINT, MINUS, ZERO, NINE, SPACE] = [0x2e, 0x2d, 0x30, 0x39, 0x20];
const BEFORE_NUMBER = Buffer.from(":[,");
const AFTER_NUMBER = Buffer.from(",}]");

/** Reads the bytes around each point, because a large body takes long to decode. */
const hasPaddedNumbers = (body: Buffer): boolean => {
  for (let point = body.indexOf(POINT); point >= 0; point = body.indexOf(POINT, point + 1))
    if (isOfPaddedNumber(body, point)) return true;
  return false;
};

/** Whether the point is part of a number in JSON whose last decimal is zero. */
const isOfPaddedNumber = (body: Buffer, point: number): boolean => {
  let end = point + 1;
  while (isDigit(body[end])) end += 1;
  if (end === point + 1 || body[end - 1] !== ZERO) return false;
  while (isSpace(body[end])) end += 1;
  let start = point - 1;
  while (isDigit(body[start])) start -= 1;
  if (start === point - 1) return false;
  if (body[start] === MINUS) start -= 1;
  while (isSpace(body[start])) start -= 1;
  return BEFORE_NUMBER.includes(body[start] ?? NaN) && AFTER_NUMBER.includes(body[end] ?? NaN);
};

const isDigit = (byte = 0): boolean => byte >= ZERO && byte <= NINE;

const isSpace = (byte = NINE): boolean => byte <= SPACE;
