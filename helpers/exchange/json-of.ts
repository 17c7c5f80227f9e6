/** Parses the JSON of a body without losing digits of large integers, such as 64-bit identifiers. */
import type { ReceivedResponse } from "./exchange.ts";

type Parsed = Pick<ReceivedResponse, "json" | "numeric" | "oddities">;

const decoder = new TextDecoder();
const JSON_START = new Set(Buffer.from('{["-0123456789tfn'));
const BYTE_ORDER_MARK = 0xef;

/** Parses JSON regardless of the content type, because servers mislabel JSON. A separate check reads the header. */
export const jsonOf = (body: Buffer): Parsed => {
  const first = body.find((byte) => byte > 0x20);
  if (first === undefined || !(JSON_START.has(first) || first === BYTE_ORDER_MARK))
    return { json: undefined };
  try {
    const text = decoder.decode(body);
    const numeric: unknown = JSON.parse(text);
    const { isCut, names } = cutBelow(numeric);
    const oddities = [
      ...(first === BYTE_ORDER_MARK ? ["a byte order mark"] : []),
      ...(isCut ? [`values below ${DEEPEST} levels`] : []),
      ...(!isCut && text.length <= LONGEST_COUNTED && namesIn(text) > names ? ["a name twice"] : []),
    ];
    const odd = oddities.length > 0 && { oddities };
    if (!LARGE.test(text)) return { json: numeric, ...odd };
    const [json, finite] = [asTexts, asFinite].map((replace) => {
      const value: unknown = JSON.parse(text.replaceAll(TOKEN, replace));
      cutBelow(value);
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

/** Replaces the values below the deepest level by null, so that recursive readers don't exhaust the stack. */
const cutBelow = (value: unknown): { readonly isCut: boolean; readonly names: number } => {
  let level: object[] = isNode(value) ? [value] : [];
  let names = 0;
  for (let depth = 1; level.length > 0; depth += 1) {
    const below: object[] = [];
    for (const node of level) {
      const members = Object.entries(node);
      if (!Array.isArray(node)) names += members.length;
      for (const [, child] of members) {
        if (!isNode(child)) continue;
        if (depth >= DEEPEST) return cutFrom(level, names);
        below.push(child);
      }
    }
    level = below;
  }
  return { isCut: false, names };
};

const isNode = (value: unknown): value is object => typeof value === "object" && value !== null;

const cutFrom = (nodes: readonly object[], names: number) => {
  for (const node of nodes)
    for (const [name, child] of Object.entries(node))
      if (isNode(child)) Object.defineProperty(node, name, { value: null, enumerable: true });
  return { isCut: true, names };
};

/** An integer that a double may not hold, or a number with a large exponent. */
const LARGE = /[:[,\s]-?\d{16,}\s*[,\]}]|\d[eE]\+?\d{3,}/;

/** Matches strings, so that nothing inside them counts, and numbers. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Returns a text for a number that a double can't hold. */
const asTexts = (token: string): string =>
  token.startsWith('"') || Number.isSafeInteger(Number(token)) || !isTooLarge(token) ? token : `"${token}"`;

const isTooLarge = (token: string): boolean => /^-?\d+$/.test(token) || !Number.isFinite(Number(token));

/** Returns the largest double for a larger number. */
const asFinite = (token: string): string => {
  if (token.startsWith('"') || Number.isFinite(Number(token))) return token;
  return String(token.startsWith("-") ? -Number.MAX_VALUE : Number.MAX_VALUE);
};

const NAME = /"(?:[^"\\]|\\.)*"(\s*:)?/g;

/** Counts the names of members. A string that a colon follows is a name. */
const namesIn = (text: string): number => {
  let names = 0;
  for (const [, colon] of text.matchAll(NAME)) if (colon !== undefined) names += 1;
  return names;
};
