/** Redacts known secrets in any notation: plain, JSON, URL-encoded or HTML, and in encoded forms. */
import { createEncodedSecrets } from "../encoded-secrets.ts";

/** Longer secrets have no pattern, which would be too large: they are found as they are, and as encoded secrets. */
const LONGEST = 1_024;

/** Shorter secrets are ignored, because they would match ordinary words. */
const SHORTEST = 4;

/** The number and the length of the texts that are remembered: names, messages and credentials, which are repeated. */
const MOST_REMEMBERED = 1_000;
const LONGEST_REMEMBERED = 200;

export function createKnownSecrets() {
  const encoded = createEncodedSecrets();
  const containing = createContainingSecrets();
  const long = new Map<string, string>();
  const nameByValue = new Map<string, string>();
  /** A sign of each secret that every text has in which the pattern finds it. */
  const signs = new Set<string>();
  /** Texts, redacted by the secrets that are known so far. */
  const remembered = new Map<string, string>();
  let names: string[] = [];
  let pattern: RegExp | undefined;

  const compile = (): RegExp => {
    const longestFirst = [...nameByValue].sort(([a], [b]) => b.length - a.length);
    names = longestFirst.map(([, name]) => name);
    return new RegExp(longestFirst.map(([value]) => `(${anyNotation(value)})`).join("|"), "g");
  };

  const mayContainSecret = (text: string): boolean => {
    for (const sign of signs) if (text.includes(sign)) return true;
    return false;
  };

  const redactPlain = (text: string): string => {
    // The pattern takes long to compile, and each new secret changes it.
    if (!mayContainSecret(text)) return text;
    pattern ??= compile();
    return text.replace(pattern, (_, ...groups: unknown[]) => {
      const found = groups.findIndex((group) => group !== undefined);
      return `‹${names[found]}›`;
    });
  };

  const remember = (given: string, redacted: string): void => {
    if (given.length > LONGEST_REMEMBERED) return;
    if (remembered.size === MOST_REMEMBERED) remembered.clear();
    remembered.set(given, redacted);
  };

  return {
    learn(value: string, name: string): void {
      if (value.length < SHORTEST || nameByValue.has(value)) return;
      remembered.clear();
      if (value.length > LONGEST) {
        long.set(value, name);
        encoded.learn(value, name);
        return;
      }
      nameByValue.set(value, name);
      signs.add(signOf(value));
      encoded.learn(value, name);
      containing.learn(value, name);
      pattern = undefined;
    },
    knows: (name: string): boolean => [...nameByValue.values()].includes(name),
    /** Replaces each known secret with `‹NAME›`. */
    redact(given: string): string {
      const known = remembered.get(given);
      if (known !== undefined) return known;
      let text = given;
      for (const [value, name] of long) text = text.replaceAll(value, () => `‹${name}›`);
      text = containing.redact(text);
      if (nameByValue.size > 0) text = redactPlain(text);
      text = encoded.redact(text);
      remember(given, text);
      return text;
    },
  };
}

/**
 * Redacts secrets that contain other secrets, in any letter case. They are replaced first: in another case, the pattern
 * would find only the short secret, and the rest of the long one would stay.
 */
function createContainingSecrets() {
  /** Each secret and its name, by the secret in lower case. */
  const known = new Map<string, readonly [value: string, name: string]>();
  const containing = createEncodedSecrets();
  return {
    learn(value: string, name: string): void {
      const flat = value.toLowerCase();
      const entries = [...known];
      const isWithin = (one: string, other: string): boolean =>
        one.length < other.length && other.includes(one);
      if (entries.some(([other]) => isWithin(other, flat))) containing.learn(value, name);
      for (const [other, secret] of entries) if (isWithin(flat, other)) containing.learn(...secret);
      known.set(flat, [value, name]);
    },
    redact: containing.redact,
  };
}

/** Returns the longest run of letters and digits of a secret, which stay as they are in each notation. */
const signOf = (value: string): string =>
  (value.match(/[A-Za-z0-9]+/g) ?? [""]).reduce((one, other) => (other.length > one.length ? other : one));

/**
 * Returns a pattern without nested repetition. It matches a run of backslashes as a whole, so that matches are
 * unambiguous.
 */
const anyNotation = (value: string): string => (value.match(/\\+|[^\\]/gu) ?? []).map(notationsOf).join("");

function notationsOf(character: string): string {
  if (/^[A-Za-z0-9]$/.test(character)) return character;
  if (character.startsWith("\\")) {
    const { length } = character;
    const others = ["%(?:25){0,2}5[cC]", "\\\\{1,4}u005[cC]"].map((one) => `(?:${one}){${length}}`);
    return `(?:${[...others, `\\\\{${length},${8 * length}}`].join("|")})`;
  }
  const json = JSON.stringify(character).slice(1, -1).replace(/^\\/, "");
  const percent = [...Buffer.from(character)].map((byte) => `%(?:25){0,2}${hex(byte, 2)}`).join("");
  const unicode = [...Array(character.length).keys()]
    .map((index) => `\\\\{1,4}u${hex(character.charCodeAt(index), 4)}`)
    .join("");
  const all = [
    `\\\\{0,4}${quoted(character)}`,
    `\\\\{1,4}${quoted(json)}`,
    percent,
    unicode,
    ...(HTML[character] ?? []),
  ];
  return `(?:${all.join("|")})`;
}

const HTML: Readonly<Record<string, readonly string[]>> = {
  "&": ["&amp;", "&#38;"],
  "<": ["&lt;", "&#60;"],
  ">": ["&gt;", "&#62;"],
  '"': ["&quot;", "&#34;"],
  "'": ["&apos;", "&#39;", "&#x27;"],
  // Forms encode a space as a plus sign.
  " ": ["\\+"],
};

/** Returns a pattern for hexadecimal digits in either case. */
const hex = (code: number, digits: number): string =>
  code
    .toString(16)
    .padStart(digits, "0")
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

const quoted = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
