/**
 * Redacts known secrets in any notation, and in encoded forms: base64 and base64url at each offset, hexadecimal, percent and
 * HTML encoding of all characters, another letter case, and each of these split over lines.
 */

/** Shorter secrets are ignored, because they would match ordinary words. */
const SHORTEST = 4;

/** The number and the length of the texts that are remembered: names, messages and credentials, which are repeated. */
const MOST_REMEMBERED = 1_000;
const LONGEST_REMEMBERED = 200;

export function createKnownSecrets() {
  const encoded = createEncodedSecrets();
  const nameByValue = new Map<string, string>();
  /** The patterns of short secrets, which only count in their own letter case. */
  const short = new Map<string, RegExp>();
  /** Texts, redacted by the secrets that are known so far. */
  const remembered = new Map<string, string>();

  const redact = (given: string): string => {
    let text = encoded.redact(given);
    for (const [value, pattern] of short) text = text.replaceAll(pattern, `‹${nameByValue.get(value)}›`);
    return text;
  };

  return {
    learn(value: string, name: string): void {
      if (value.length < SHORTEST || nameByValue.has(value)) return;
      remembered.clear();
      nameByValue.set(value, name);
      if (value.length < SHORTEST_ENCODED) short.set(value, anyNotation(value));
      else encoded.learn(value, name);
    },
    knows: (name: string): boolean => [...nameByValue.values()].includes(name),
    /** Replaces each known secret with `‹NAME›`. */
    redact(given: string): string {
      const known = remembered.get(given);
      if (known !== undefined) return known;
      const text = redact(given);
      if (given.length > LONGEST_REMEMBERED) return text;
      if (remembered.size === MOST_REMEMBERED) remembered.clear();
      remembered.set(given, text);
      return text;
    },
  };
}

/** The encoded forms of shorter secrets would match ordinary texts. */
const SHORTEST_ENCODED = 8;

/** Longer secrets have no pattern of all their forms, and no pattern at all, because it would be too large. */
const LONGEST = 512;
const LONGEST_VERBATIM = 10_000;

interface Secret {
  readonly name: string;
  readonly length: number;
  /** The flat forms of the secret. */
  readonly needles: readonly string[];
  /** Matches the secret as it is, in any letter case unless it is very long. */
  readonly verbatim: RegExp | string;
  /** Absent for a long secret: the text that contains it is replaced. */
  readonly pattern?: () => RegExp;
}

const secretOf = (value: string, name: string): Secret => {
  const encoded = [...base64Of(value), Buffer.from(value).toString("hex")];
  // A plus sign may be a space, and a backslash and a letter may look like a line break.
  const alike = [value, value.replaceAll(" ", "+")].flatMap((one) => [
    one,
    Buffer.from(one).toString("hex").replaceAll(/../g, "%$&"),
  ]);
  const needles = [...new Set([...alike, value.replaceAll("\\", ""), ...encoded].map(flat))];
  let compiled: RegExp | undefined;
  const pattern = () => (compiled ??= patternOf(value));
  const { length } = value;
  const verbatim = length > LONGEST_VERBATIM ? value : new RegExp(`(?<!\\\\)${quoted(value)}`, "gi");
  return { name, length, needles, verbatim, ...(length <= LONGEST && { pattern }) };
};

const createEncodedSecrets = () => {
  const secrets: Secret[] = [];
  const nameBySpelling = new Map<string, string>();
  return {
    learn(value: string, name: string): void {
      if (value.length < SHORTEST_ENCODED) return;
      if (!nameBySpelling.has(spelled(value))) nameBySpelling.set(spelled(value), name);
      secrets.push(secretOf(value, name));
      // The rest of a secret that contains another would remain if the other were replaced first.
      secrets.sort((a, b) => b.length - a.length);
    },
    redact(text: string): string {
      if (secrets.length === 0 || text.length < SHORTEST_ENCODED) return text;
      const plain = flat(text);
      let redacted = text;
      for (const { name, needles, verbatim, pattern } of secrets) {
        const isIn = (one: string): boolean => needles.some((needle) => one.includes(needle));
        if (!isIn(plain)) continue;
        // Another secret may differ in letter case only.
        const named = (found: string): string => `‹${nameBySpelling.get(spelled(found)) ?? name}›`;
        redacted = redacted.replaceAll(verbatim, named);
        // The pattern of all its forms is slow, and most texts contain a secret as it is.
        if (!isIn(flat(redacted))) continue;
        if (pattern !== undefined) redacted = redacted.replaceAll(pattern(), named);
        // Several encodings within each other have no pattern: the word that contains them is replaced, or everything.
        if (isIn(flat(redacted)))
          redacted = redacted.replaceAll(WORD, (word) => (isIn(flat(word)) ? named(word) : word));
        if (isIn(flat(redacted))) redacted = `‹${name}›`;
      }
      return redacted;
    },
  };
};

const WORD = /[^\s"'<>‹›?=]+/g;

/** Returns the text in one line and one case, with decoded characters, one alphabet of base64 and no escapes. */
const flat = (text: string): string => spelled(text).toLowerCase();

const spelled = (text: string): string => {
  // Most encoded characters of a long text are spaces, which are left out.
  let plain = text.replaceAll(BREAK, "").replaceAll(/(?:%(?:25){0,2}20)+/g, "");
  for (let times = 0; times < MOST_ENCODED && /[%&\\]/.test(plain); times += 1)
    plain = plain.replaceAll(ENCODED, decodedCharacter).replaceAll(/\s/g, "");
  return plain
    .replaceAll(/[\s:\\]/g, "")
    .replaceAll("-", "+")
    .replaceAll("_", "/");
};

/** A text that is encoded more often is not decoded. */
const MOST_ENCODED = 3;

const decodedCharacter = (
  _: string,
  percent?: string,
  unicode?: string,
  decimal?: string,
  hex?: string,
  entity?: string,
): string => {
  if (entity !== undefined) return ENTITIES[entity] ?? "";
  const code = decimal === undefined ? Number.parseInt(percent ?? unicode ?? hex ?? "", 16) : Number(decimal);
  return code <= 0x10ffff ? String.fromCodePoint(code) : "";
};

const ENCODED =
  /%(?:25){0,2}([\da-f]{2})|\\{1,4}u([\da-f]{4})|&#0{0,6}(\d{1,7});|&#x0{0,6}([\da-f]{1,6});|&(amp|lt|gt|quot|apos);/gi;

/** The named entities of XML. */
export const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** A line break, also in JSON, with the indentation of the next line. */
const BREAK_SOURCE = "(?:(?:\\\\{1,4}[rn]|[\\r\\n])[ \\t]*)";
const BREAK = new RegExp(BREAK_SOURCE, "g");
const GAP = `${BREAK_SOURCE}{0,3}`;

/** Returns the characters of the base64 form that the secret alone determines, for each offset in its surroundings. */
const base64Of = (value: string): string[] =>
  [0, 1, 2].map((offset) => {
    const bytes = Buffer.from(value);
    const start = (3 - offset) % 3;
    return bytes.subarray(start, start + Math.floor((bytes.length - start) / 3) * 3).toString("base64");
  });

/** Returns a pattern of each character; a run of backslashes is one, so that matches are unambiguous. */
const formsOf = (value: string): string[] => (value.match(/\\+|[^\\]/gu) ?? []).map(anyForm);

/** Matches a secret in any notation of its characters, but not in encodings of the whole. */
const anyNotation = (value: string): RegExp => new RegExp(formsOf(value).join(""), "g");

const patternOf = (value: string): RegExp => {
  const plain = formsOf(value).join(GAP);
  const base64 = base64Of(value).map(
    (text) => `[\\w+/-]{0,3}${[...text].map(base64Form).join(GAP)}[\\w+/-]{0,3}={0,2}`,
  );
  const hex = (Buffer.from(value).toString("hex").match(/../g) ?? []).join(`(?:[ :-]|${GAP})`);
  return new RegExp([plain, ...base64, hex].map((one) => `(?:${one})`).join("|"), "gi");
};

/** Matches a character, or a run of backslashes, as it is and in each notation: JSON, percent and HTML encoding. */
const anyForm = (characters: string): string => {
  const { length } = characters;
  const code = characters.codePointAt(0) ?? 0;
  const json = JSON.stringify(characters).slice(1, -1).replace(/^\\/, "");
  return `(?:${[
    coded(Buffer.from(characters), /../g, "%(?:25){0,2}"),
    coded(Buffer.from(characters, "utf16le").swap16(), /..../g, "\\\\{1,4}u"),
    `&#0{0,6}${code};|&#x0{0,6}${inAnyCase(code.toString(16))};`,
    characters.startsWith("\\")
      ? `\\\\{${length},${8 * length}}`
      : `\\\\{0,4}${quoted(characters)}|\\\\{1,4}${quoted(json)}`,
    ...(NAMED[characters] ?? []),
  ].join("|")})`;
};

/** Returns a pattern of bytes in hexadecimal digits of either case, each unit of which follows a sign. */
const coded = (bytes: Buffer, unit: RegExp, sign: string): string =>
  bytes.toString("hex").replaceAll(unit, (digits) => sign + inAnyCase(digits));

const inAnyCase = (hex: string): string =>
  hex.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

/** Forms encode a space as a plus sign. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(Object.entries(ENTITIES).map(([entity, sign]) => [sign, [`&${entity};`]])),
  " ": ["\\+"],
};

const base64Form = (character: string): string => {
  if (character === "+") return "(?:[+-]|%2b)";
  if (character === "/") return "(?:\\\\{0,4}/|_|%2f)";
  return character;
};

const quoted = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
