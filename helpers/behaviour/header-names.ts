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

const formOf = formReader();

/** @param isRepeated whether the server closed the first connection without an answer */
export const headerNames = ({ headers, body }: ReceivedResponse, isRepeated: boolean): string[] => [
  ...Object.entries(headers)
    .map(([name, value]) => {
      if (WITH_VALUE.has(name)) return `${name}: ${value.toLowerCase()}`;
      return name === "retry-after" ? `${name}: ${/^\d+$/.test(value) ? "seconds" : formOf(value)}` : name;
    })
    .sort(),
  ...(hasPaddedNumbers(body) ? [PADDED] : []),
  ...(isRepeated ? [REPEATED] : []),
];

/** These are not headers, but traits of an answer that its values do not show. */
const PADDED = "(numbers with trailing zeros)";
const REPEATED = "(sent again, because the connection was closed)";

/** Whether a number in JSON has decimals of which the last is zero. A large body takes long to decode as UTF-8. */
const hasPaddedNumbers = (body: Buffer): boolean =>
  body.includes(".") && /[:[,]\s*-?\d+\.\d*0\s*[,}\]]/.test(body.toString("latin1"));
