/** Measures the text of JSON in one pass, because a walk through a large parsed value takes as long as parsing it. */

/** @param bytes valid JSON */
export const jsonSize = (bytes: Buffer) => {
  let [names, widest, longest, levels, large] = [0, 1, 1, 0, 0];
  /** The numbers of members and items so far, of the objects and lists that are open here. */
  const open: number[] = [];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) at = endOfText(bytes, at);
    else if (byte === COLON) names += 1;
    else if (byte === COMMA) open.push((open.pop() ?? 0) + 1);
    else if (byte === OPENING_BRACE || byte === OPENING_BRACKET) levels = Math.max(levels, open.push(1));
    else if (byte === CLOSING_BRACE) widest = Math.max(widest, open.pop() ?? 1);
    else if (byte === CLOSING_BRACKET) longest = Math.max(longest, open.pop() ?? 1);
    else if (isDigit(byte)) {
      const end = endOfNumber(bytes, at);
      if (isLarge(bytes, at, end)) large += 1;
      at = end - 1;
    }
  }
  return {
    /** The number of names of members, of which the parsed form keeps one of several equal ones. */
    names,
    /** The number of members of the object that has most, and of items of the list that has most; 1 if there are none. */
    widest,
    longest,
    /** The number of levels. */
    levels,
    /** The number of numbers that a double may not hold: large integers, and those that are infinite when parsed. */
    large,
  };
};

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const [OPENING_BRACE, CLOSING_BRACE, OPENING_BRACKET, CLOSING_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];
const [ZERO, NINE, PLUS, MINUS, POINT, LOWER_E, UPPER_E] = [0x30, 0x39, 0x2b, 0x2d, 0x2e, 0x65, 0x45];

/** Returns the position of the quote that ends a text. */
const endOfText = (bytes: Buffer, start: number): number => {
  let at = start + 1;
  const near = at + SHORT;
  while (at < near && at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at < near || bytes[at] === QUOTE ? at : endOfLongText(bytes, at);
};

/** The built-in search is faster for longer texts only. */
const SHORT = 64;

/** @param start a position within the text, not after a backslash that escapes it */
const endOfLongText = (bytes: Buffer, start: number): number => {
  let from = start;
  for (let end = bytes.indexOf(QUOTE, from); end >= 0; end = bytes.indexOf(QUOTE, from)) {
    let escapes = 0;
    while (end - escapes > from && bytes[end - escapes - 1] === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
    from = end + 1;
  }
  return bytes.length;
};

const isDigit = (byte: number): boolean => byte >= ZERO && byte <= NINE;

const endOfNumber = (bytes: Uint8Array, start: number): number => {
  let at = start + 1;
  while (at < bytes.length && isPartOfNumber(bytes[at] as number)) at += 1;
  return at;
};

/** A minus sign before a number does not matter here. */
const isPartOfNumber = (byte: number): boolean =>
  isDigit(byte) || byte === POINT || byte === MINUS || byte === PLUS || byte === LOWER_E || byte === UPPER_E;

/** The fewest digits of a large number without an exponent. */
const FEWEST = 16;

const isLarge = (bytes: Uint8Array, start: number, end: number): boolean => {
  let mayBe = end - start >= FEWEST;
  for (let at = start; at < end && !mayBe; at += 1) mayBe = bytes[at] === LOWER_E || bytes[at] === UPPER_E;
  return mayBe && Number(Buffer.from(bytes.subarray(start, end)).toString()) > Number.MAX_SAFE_INTEGER;
};
