/** Parses the JSON of a body without losing digits of large integers, such as 64-bit identifiers. */
import type { ReceivedResponse } from "./exchange.ts";

const decoder = new TextDecoder();
const JSON_START = new Set(Buffer.from('{["-0123456789tfn'));
const BYTE_ORDER_MARK = 0xef;

/** Parses JSON regardless of the content type, because servers mislabel JSON. A separate check reads the header. */
export const jsonOf = (body: Buffer): Pick<ReceivedResponse, "json" | "numeric"> => {
  const first = body.find((byte) => byte > 0x20);
  if (first === undefined || !(JSON_START.has(first) || first === BYTE_ORDER_MARK))
    return { json: undefined };
  try {
    const text = decoder.decode(body);
    const json: unknown = JSON.parse(text);
    return LARGE.test(text) ? { json: JSON.parse(withTexts(text)), numeric: json } : { json };
  } catch {
    return { json: undefined };
  }
};

/** An integer that a double may not hold. */
const LARGE = /[:[,\s]-?\d{16,}\s*[,\]}]/;

/** Matches strings, so that nothing inside them counts, and numbers. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

const withTexts = (text: string): string =>
  text.replaceAll(TOKEN, (token) =>
    /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
  );
