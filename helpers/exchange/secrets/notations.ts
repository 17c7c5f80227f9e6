/** Redacts named values in texts: a row says how a notation writes a name, and where the value is. */
import { getOrInsert } from "../../contract/memoize.ts";
import { CARD_NUMBER_SIGN, redactCardNumbers } from "../card-numbers.ts";
import { AT_SIGN, redactEmails } from "../emails.ts";
import { ENTITIES } from "../known-secrets.ts";
import { ENCRYPTED_CARD, type IsKept, placeholder, placeholderOf, roundNumber } from "../placeholder.ts";
import { isPersonal, type SecretNames } from "./names.ts";
import rows from "./rows.json" with { type: "json" };

/** A step takes linear time: repetitions are bounded, consumed as a whole, or scanned by hand. */
export interface Step {
  readonly redact: (text: string, isKept: IsKept, names: SecretNames) => string;
  /** A sign that every text has in which the step finds something. Most texts have few signs. */
  readonly sign: RegExp;
}

interface Value {
  readonly from: number;
  readonly to: number;
  /** The value as it is meant. A text in quotes may be written as in JSON or in HTML. */
  readonly plain: readonly string[];
  readonly isLiteral?: true;
}

/** @param from the end of the head, which matches what is before the value */
type FindValues = (text: string, from: number, head: RegExpExecArray) => Iterable<Value>;

/** The first group of a head that takes part is the name: a value may contain other names. */
const stepOf = ({ sign, head, in: places, values }: (typeof rows.notations)[number]): Step => ({
  sign: new RegExp(sign, "i"),
  redact(text, isKept, names) {
    const valuesIn: FindValues = VALUES[values as keyof typeof VALUES];
    let redacted = "";
    let done = 0;
    for (const found of text.matchAll(new RegExp(head, "gim"))) {
      const name = found.slice(1).find((group) => group !== undefined) ?? "";
      if (found.index < done || !places.some((place) => names[place as "isMember"](name))) continue;
      for (const { from, to, plain, isLiteral } of valuesIn(text, found.index + found[0].length, found)) {
        const value = text.slice(from, to);
        const given = isLiteral === true ? roundNumber(value) : placeholderOf(name, value);
        if ((given === value && value !== "") || REDACTED.test(value)) continue;
        if (plain.map((one) => isKept(one, name)).includes(true)) continue;
        redacted += text.slice(done, from) + given;
        done = to;
      }
    }
    return redacted + text.slice(done);
  },
});

/** A placeholder, possibly after a scheme (`Bearer`). */
const REDACTED = /^(?:[\w-]+ )?‹[^‹›]*›$/;

const ITEM = /[\s,:]*(?:(\\{0,8}["'])|([-+.\w]+)|([[{])|[\]}])/y;
const COLON = /\s*:/y;

/** Finds a value of JSON, or all values in a list or an object. The text may be malformed, cut or escaped. */
function* valuesOfJson(text: string, start: number): Generator<Value> {
  let at = start;
  let depth = 0;
  do {
    const [item, quote, literal, open] = matchAt(ITEM, text, at) ?? [];
    if (item === undefined) break;
    at += item.length;
    if (quote !== undefined) {
      const from = at;
      const to = endOfString(text, from, quote);
      at = to + quote.length;
      if (depth === 0 || matchAt(COLON, text, at) === null)
        yield { from, to, plain: [unescaped(text.slice(from, to), quote.length)] };
    } else if (literal !== undefined)
      yield { from: at - literal.length, to: at, plain: [literal], isLiteral: true };
    else depth += open === undefined ? -1 : 1;
  } while (depth > 0);
  // Names within what was read are not heads again.
  yield { from: at, to: at, plain: [] };
}

export const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at;
  return pattern.exec(text);
};

/** Finds the end of a string. In nested JSON, the closing quote has as many backslashes as the opening one. */
export function endOfString(text: string, from: number, opening: string): number {
  const escapes = opening.length - 1;
  const quote = opening.charAt(escapes);
  for (let end = text.indexOf(quote, from); end >= 0; end = text.indexOf(quote, end + 1)) {
    let backslashes = 0;
    while (end - backslashes > from && text[end - backslashes - 1] === "\\") backslashes += 1;
    if (backslashes % (2 * (escapes + 1)) === escapes) return end - escapes;
  }
  return text.length;
}

const SIGNS_IN_JSON: Readonly<Record<string, string>> = { "\\'": "'", '"': '\\"' };

/** @param levels of JSON in JSON have one, two, four or eight characters as their quote */
const unescaped = (text: string, levels: number): string => {
  if (levels < 1 || !text.includes("\\")) return text;
  try {
    // A string in single quotes may contain others, and escape its own.
    const json = text.replaceAll(/\\[\s\S]|"/g, (sign) => SIGNS_IN_JSON[sign] ?? sign);
    return unescaped(JSON.parse(`"${json}"`) as string, Math.floor(levels / 2));
  } catch {
    return text;
  }
};

const QUOTE = /\\{0,8}["']/y;

/** Finds a quoted value, or one that a pattern matches. */
const quotedOr =
  (
    patternOf: (head: RegExpExecArray) => RegExp,
    decoded: (value: string, head: RegExpExecArray) => string = (value) => value,
  ) =>
  (text: string, start: number, head: RegExpExecArray): Value[] => {
    const [quote] = matchAt(QUOTE, text, start) ?? [];
    const from = start + (quote?.length ?? 0);
    const to =
      quote === undefined
        ? from + (matchAt(patternOf(head), text, from)?.[0] ?? "").length
        : endOfString(text, from, quote);
    const value = text.slice(from, to);
    if (value === "") return [];
    const plain =
      quote === undefined ? [decoded(value, head)] : [htmlDecoded(value), unescaped(value, quote.length)];
    return [{ from, to, plain }];
  };

/** What ends a value without quotes, by the character before its name. */
const CLOSING: Record<string, string> = {
  '"': '"',
  "'": "'",
  "|": "|",
  "[": "\\]",
  "(": ")",
  "{": "}",
  ",": ",",
};

const valuesOfParameters = new Map<string, RegExp>();

/** A value ends at the next parameter. @param percent the start of an encoded sign, if its own equals sign is encoded */
const valueOfParameter = (percent: string, closing = ""): RegExp =>
  getOrInsert(valuesOfParameters, percent + closing, () => {
    const next = percent === "" ? "" : `|${percent}26`;
    return new RegExp(`(?:‹[^‹›]{1,80}›|(?!\\\\+["']|\\\\u0026${next})[^&;#\\s"<>${closing}])+`, "iy");
  });

const percentDecoded = (text: string, times: number): string => {
  try {
    return times === 0 ? text : percentDecoded(decodeURIComponent(text.replaceAll("+", " ")), times - 1);
  } catch {
    return text;
  }
};

const htmlDecoded = (text: string): string =>
  text
    .replaceAll(/&(amp|lt|gt|quot|apos);|&#0?39;/g, (_, name = "apos") => ENTITIES[name] ?? "")
    .replaceAll(/<!\[CDATA\[|\]\]>/g, "");

/** Matches one of the words, which may be the first of a sentence. */
const oneOf = (words: readonly string[]): string =>
  `(?:${words.map((word) => `[${word.charAt(0)}${word.charAt(0).toUpperCase()}]${word.slice(1)}`).join("|")})`;

/** A value of a header or of YAML. What a sentence says about a field is none, and the parts of a credential belong to it. */
const VALUE_OF_LINE = [
  `(?!${oneOf(rows.prose)}(?![\\w~+/-])|(?!${oneOf(rows.schemes)} )[A-Za-z]+ [A-Za-z_]+(?![\\w.~+/-]))`,
  `(?=\\S{3})(?=\\S*\\w)(?:${oneOf(rows.schemes)}[ \\t]+(?=\\S)|[A-Za-z][\\w-]{1,20}[ \\t]+(?=\\S{8}))?`,
  // It ends before the next field, and without the punctuation of the text around it.
  '(?:‹[^‹›]{1,80}›|[,;] ?(?=[\\w.-]{1,80}=)|[,;](?!\\s|[\\w.-]{1,80}["\']?\\s*:)|[^\\s"<>,;‹])*',
  "(?:‹[^‹›]{1,80}›|[^\\s\"'<>,;.)\\]}‹])",
].join("");
const PERSONAL_LINE = new RegExp(VALUE_OF_LINE, "y");
/** A text about a credential may end with the status that it got. */
const CREDENTIAL_LINE = new RegExp(`(?![1-5]\\d\\d(?!\\S))${VALUE_OF_LINE}`, "y");

const VALUES = {
  ofAttribute: quotedOr(() => /[^\s"'<>]+/y, htmlDecoded),
  ofElement(text, from) {
    const [value = ""] = matchAt(/<!\[CDATA\[(?:(?!\]\]>)[\s\S])*(?:\]\]>)?|[^<]+/y, text, from) ?? [];
    return [{ from, to: from + value.length, plain: [htmlDecoded(value)] }];
  },
  ofJson: valuesOfJson,
  ofLine: quotedOr(([, name = ""]) => (isPersonal(name) ? PERSONAL_LINE : CREDENTIAL_LINE)),
  ofParameter: quotedOr(
    ({ index, input, 2: percent = "" }) => valueOfParameter(percent, CLOSING[input.charAt(index - 1)]),
    (value, { 2: percent = "" }) => percentDecoded(value, 1 + (percent.match(/%|25/g) ?? []).length),
  ),
  /** A part of a form ends before the next boundary. */
  ofPart(text, from) {
    const length = text.slice(from).search(/\r?\n--/);
    const to = length < 0 ? text.length : from + length;
    return [{ from, to, plain: [text.slice(from, to)] }];
  },
} satisfies Readonly<Record<string, FindValues>>;

/** Redacts what has the form of a secret, by rows that have one label. */
const redactForms = (label: string): Step => {
  const found = rows.forms.filter((one) => one.label === label);
  const form = new RegExp(found.map((one) => one.form).join("|"), "g");
  return {
    sign: new RegExp(found.map(({ sign }) => sign).join("|")),
    redact: (text, isKept) =>
      text.replaceAll(form, (value) => (isKept(value) ? value : placeholder(label, value))),
  };
};

/**
 * Redacts compact JWS and JWE (RFC 7515 and 7516, 7.1): the first segment is a JSON object in base64url. The repetition is
 * bounded, because the regular expression engine stores each position for backtracking.
 */
const redactTokens = (text: string, isKept: IsKept): string =>
  text.replace(/[\w.-]{20,1000000}/g, (run) => {
    const segments = run.split(".");
    const first = segments.findIndex(isObject);
    const rest = segments.length - first;
    if (first < 0 || rest < 3) return run;
    const count = rest >= 5 ? 5 : 3;
    const token = segments.slice(first, first + count);
    if (isKept(token.join("."))) return run;
    const given = count === 5 ? ENCRYPTED_CARD : placeholder("token", token.join("."));
    return [...segments.slice(0, first), given, ...segments.slice(first + count)].join(".");
  });

const isObject = (segment: string): boolean =>
  segment.startsWith("e") && /^\{\s*"/.test(Buffer.from(segment.slice(0, 40), "base64url").toString());

const STEPS: readonly Step[] = [
  ...["private key", "key", "user"].map(redactForms),
  ...rows.notations.map(stepOf),
  // The first octets of a JSON object in base64url, at the start of a segment.
  { sign: /(?<![\w-])e[yw8_-]/, redact: redactTokens },
  { sign: AT_SIGN, redact: redactEmails },
  { sign: CARD_NUMBER_SIGN, redact: redactCardNumbers },
];

export const redactText = (text: string, names: SecretNames, isKept: IsKept): string => {
  if (!ANY_SIGN.test(text)) return text;
  let redacted = text;
  for (const { redact, sign } of STEPS) if (sign.test(redacted)) redacted = redact(redacted, isKept, names);
  return redacted;
};

/** Every text has it in which a step finds something. */
const ANY_SIGN = new RegExp(STEPS.map(({ sign }) => sign.source).join("|"), "i");
