/**
 * Redacts known secrets in encoded forms: base64 and base64url at each offset, hexadecimal, percent and HTML encoding of
 * all characters, another letter case, and each of these split over lines.
 */

/** The encoded forms of shorter secrets would match ordinary texts. */
const SHORTEST = 8;

/** The patterns of longer secrets would be too large: those of all forms, and those of the secret as it is. */
const LONGEST = 512;
const LONGEST_VERBATIM = 10_000;

interface Secret {
  readonly name: string;
  readonly length: number;
  /** The flat forms of the secret. */
  readonly needles: readonly string[];
  /** Matches the secret as it is, in any letter case. Both are absent for a long secret: the text with it is replaced. */
  readonly verbatim?: RegExp;
  readonly pattern?: () => RegExp;
}

export const createEncodedSecrets = () => {
  const secrets: Secret[] = [];
  const nameBySpelling = new Map<string, string>();
  return {
    learn(value: string, name: string): void {
      if (value.length < SHORTEST) return;
      if (!nameBySpelling.has(spelled(value))) nameBySpelling.set(spelled(value), name);
      const encoded = [...base64Of(value), Buffer.from(value).toString("hex")];
      // A backslash and a letter may look like a line break.
      const needles = [value, value.replaceAll("\\", ""), ...encoded].map(flat);
      let compiled: RegExp | undefined;
      const pattern = () => (compiled ??= patternOf(value));
      const { length } = value;
      secrets.push({
        ...{ name, length, needles },
        ...(length <= LONGEST_VERBATIM && { verbatim: new RegExp(`(?<!\\\\)${quoted(value)}`, "gi") }),
        ...(length <= LONGEST && { pattern }),
      });
      // The rest of a secret that contains another would remain if the other were replaced first.
      secrets.sort((a, b) => b.length - a.length);
    },
    redact(text: string): string {
      if (secrets.length === 0 || text.length < SHORTEST) return text;
      const plain = flat(text);
      let redacted = text;
      for (const { name, needles, verbatim, pattern } of secrets) {
        const isIn = (one: string): boolean => needles.some((needle) => one.includes(needle));
        if (!isIn(plain)) continue;
        // Another secret may differ in letter case only.
        const named = (found: string): string => `‹${nameBySpelling.get(spelled(found)) ?? name}›`;
        if (verbatim !== undefined) redacted = redacted.replaceAll(verbatim, named);
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
  let plain = text.replaceAll(BREAK, "");
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
): string => {
  const code = decimal === undefined ? Number.parseInt(percent ?? unicode ?? hex ?? "", 16) : Number(decimal);
  return code <= 0x10ffff ? String.fromCodePoint(code) : "";
};

const ENCODED = /%(?:25){0,2}([\da-f]{2})|\\{1,4}u([\da-f]{4})|&#0{0,6}(\d{1,7});|&#x0{0,6}([\da-f]{1,6});/gi;

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

const patternOf = (value: string): RegExp => {
  const plain = [...value].map(anyForm).join(GAP);
  const base64 = base64Of(value).map(
    (text) => `[\\w+/-]{0,3}${[...text].map(base64Form).join(GAP)}[\\w+/-]{0,3}={0,2}`,
  );
  const hex = (Buffer.from(value).toString("hex").match(/../g) ?? []).join(`(?:[ :-]|${GAP})`);
  return new RegExp([plain, ...base64, hex].map((one) => `(?:${one})`).join("|"), "gi");
};

/** Matches a character as it is, and in each encoding of `flat`. */
const anyForm = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  return `(?:${[
    `\\\\{0,4}${quoted(character)}`,
    ...(code < 0x80 ? [`%(?:25){0,2}${hex.padStart(2, "0")}`] : []),
    ...(code <= 0xffff ? [`\\\\{1,4}u${hex.padStart(4, "0")}`] : []),
    `&#0{0,6}${code};`,
    `&#x0{0,6}${hex};`,
  ].join("|")})`;
};

const base64Form = (character: string): string => {
  if (character === "+") return "(?:[+-]|%2b)";
  if (character === "/") return "(?:\\\\{0,4}/|_|%2f)";
  return character;
};

const quoted = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
