/** Parses the JSON of a body without losing digits of large integers, such as 64-bit identifiers. */
import { isNested } from "../contract/json.ts";
import type { ReceivedResponse } from "./exchange.ts";
import { jsonSize } from "./json-size.ts";

const decoder = new TextDecoder();
const JSON_START = new Set(Buffer.from('{["-0123456789tfn'));
const BYTE_ORDER_MARK = 0xef;

/** Parses JSON regardless of the content type, because servers mislabel JSON. A separate check reads the header. */
export const jsonOf = (body: Buffer): Pick<ReceivedResponse, "json" | "numeric" | "oddities"> => {
  const first = body.find((byte) => byte > 0x20);
  if (first === undefined || !(JSON_START.has(first) || first === BYTE_ORDER_MARK))
    return { json: undefined };
  try {
    const text = decoder.decode(body);
    const numeric: unknown = JSON.parse(text);
    const { names, levels, large } = jsonSize(body);
    const isCut = levels > DEEPEST;
    if (isCut) cutBelow(numeric);
    const oddities = [
      ...(first === BYTE_ORDER_MARK ? ["a byte order mark"] : []),
      ...(isCut ? [`values below ${DEEPEST} levels`] : []),
      ...(!isCut && text.length <= LONGEST_COUNTED && names > namesIn(numeric) ? ["a name twice"] : []),
    ];
    const odd = oddities.length > 0 && { oddities };
    if (large === 0) return { json: numeric, ...odd };
    const [json, finite] = [asTexts, asFinite].map((replace) => {
      const value: unknown = JSON.parse(text.replaceAll(TOKEN, replace));
      if (isCut) cutBelow(value);
      return value;
    });
    return { json, numeric: finite, ...odd };
  } catch {
    return { json: undefined };
  }
};

/** No contract has that many levels, so that values below them cannot change a verdict. */
const DEEPEST = 200;

/** The names of longer texts are not counted. */
const LONGEST_COUNTED = 1_000_000;

/** Counts the names of members in parsed JSON. */
const namesIn = (value: unknown): number => {
  if (!isNested(value)) return 0;
  const children: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  const own = Array.isArray(value) ? 0 : children.length;
  return children.reduce<number>((names, child) => names + namesIn(child), own);
};

/** Replaces the values below the deepest level by null, so that recursive readers don't exhaust the stack. */
const cutBelow = (value: unknown): void => {
  let level: object[] = isNested(value) ? [value] : [];
  for (let depth = 1; depth < DEEPEST; depth += 1)
    level = level.flatMap((node) => Object.values(node).filter(isNested));
  for (const node of level)
    for (const [name, child] of Object.entries(node))
      if (isNested(child)) Object.defineProperty(node, name, { value: null, enumerable: true });
};

/** Matches strings, so that nothing inside them counts, and numbers. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Returns a text for a number that a double can't hold. */
const asTexts = (token: string): string =>
  token.startsWith('"') || Number.isSafeInteger(Number(token)) || !isTooLarge(token) ? token : `"${token}"`;

const isTooLarge = (token: string): boolean => /^-?\d+$/.test(token) || !Number.isFinite(Number(token));

const asFinite = (token: string): string =>
  token.startsWith('"') || Number.isFinite(Number(token)) ? token : String(finiteNumber(token));

/** Reads a number; returns the largest double for a larger one, because no schema allows an infinite number. */
export const finiteNumber = (text: string): number =>
  Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, Number(text)));
