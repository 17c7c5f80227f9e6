/** Redacts secrets by their shape: named fields, tokens, e-mail addresses, card numbers, passwords in URLs. */
import { CARD_NUMBER_SIGN, redactCardNumbers } from "./card-numbers.ts";
import { AT_SIGN, redactEmails } from "./emails.ts";
import { KEY_SIGN, redactForeignKeys } from "./foreign-keys.ts";
import { type IsKept, placeholder } from "./placeholder.ts";
import type { SecretNames } from "./secret-names.ts";

/** Redacts a text in linear time: in every step, repetitions are bounded, consumed as a whole, or scanned by hand. */
export const redactShapes = (text: string, names: SecretNames, isKept: IsKept = () => false): string => {
  let redacted = text;
  for (const { redact, sign } of STEPS) if (sign.test(redacted)) redacted = redact(redacted, isKept, names);
  return redacted;
};

/** Redacts userinfo in URLs (RFC 3986, 3.2.1), including URLs with escaped slashes in JSON and URL-encoded URLs. */
const redactUserinfo = (text: string, isKept: IsKept): string =>
  text.replace(
    /((?::|%3a)(?:\\{0,4}\/|%2f){2})([^\s/?#"'<>@‹›]{1,512}?)(?=@|%40)/gi,
    (found: string, before: string, userinfo: string) =>
      isKept(userinfo) ? found : `${before}${placeholder("user", userinfo)}`,
  );

/** Only the name is matched: a value may contain other members. */
const MEMBER = /"([^"\\]{1,80})(\\{0,8})"\s*:\s*/g;

/** Redacts JSON members. It scans by hand, which also works for malformed, cut and escaped JSON. */
function redactMembers(text: string, isKept: IsKept, { isMember }: SecretNames): string {
  let redacted = "";
  let done = 0;
  for (const { 0: member, 1: name = "", 2: escapes = "", index } of text.matchAll(MEMBER)) {
    let at = index + member.length;
    if (index < done || !isMember(name)) continue;
    const isList = text[at] === "[";
    do {
      if (isList) at = afterSpace(text, at + 1);
      const quote = text.startsWith(`${escapes}"`, at) ? `${escapes}"` : "";
      const from = at + quote.length;
      const to = quote === "" ? endOfLiteral(text, from) : endOfString(text, from, escapes.length);
      const value = text.slice(from, to);
      const given = isKept(value, name)
        ? value
        : quote === ""
          ? roundNumber(value)
          : placeholderOf(name, value);
      redacted += text.slice(done, from) + given;
      done = to;
      at = afterSpace(text, to + quote.length);
    } while (isList && text[at] === ",");
  }
  return redacted + text.slice(done);
}

function afterSpace(text: string, from: number): number {
  let end = from;
  while (/\s/.test(text.charAt(end))) end += 1;
  return end;
}

/** Finds the end of a string. In nested JSON, the closing quote has as many backslashes as the opening one. */
function endOfString(text: string, from: number, escapes: number): number {
  for (let quote = text.indexOf('"', from); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (quote - backslashes > from && text[quote - backslashes - 1] === "\\") backslashes += 1;
    if (backslashes % (2 * (escapes + 1)) === escapes) return quote - escapes;
  }
  return text.length;
}

function endOfLiteral(text: string, from: number): number {
  let end = from;
  while (/[-+.\w]/.test(text.charAt(end))) end += 1;
  return end;
}

/** Keeps the sign, the first digit and the size of a number, in a notation that shows it is redacted: `4e12`. */
export const roundNumber = (number: string): string => {
  const [, sign = "", integer = "", more = ""] = /^(-?)(\d+)(.*)$/.exec(number) ?? [];
  if (integer === "" || (integer.length === 1 && /^e/i.test(more))) return number;
  return `${sign}${integer.charAt(0)}e${integer.length - 1}`;
};

/** Whether JSON contains a redacted number. */
export const hasRoundNumber = (text: string): boolean => /[[:,]\s*-?\de\d/.test(text);

/** Returns the redacted numbers of JSON. */
export const roundNumbersIn = (text: string): number[] =>
  [...text.matchAll(/[[:,]\s*(-?\de\d+)/g)].map(([, number]) => Number(number));

/** Whether the JSON of a body contains a redacted value. */
export const isRedactedJson = (text: string): boolean => text.includes("‹") || hasRoundNumber(text);

/** @param value in the notation of the text: JSON or URL-encoded */
export const placeholderOf = (name: string, value: string): string =>
  /^encryptedCard$/i.test(name) && value.split(".").length === 5 ? ENCRYPTED_CARD : placeholder(name, value);

const ENCRYPTED_CARD = "‹encrypted card›";

/** Only the name is matched: a value may contain other parameters. */
const PARAMETER = /(?:^|[?&;\s]|%3f|%26|\\u0026)([\w.-]{1,80})(?:=|%3d)/gi;
const VALUE = /(?:‹[^‹›]{1,80}›|(?!%26|\\u0026)[^&;#\s"'<>])+/iy;

/** Redacts parameters of a query or a form. */
function redactParameters(text: string, isKept: IsKept, { isParameter }: SecretNames): string {
  let redacted = "";
  let done = 0;
  for (const { 0: before, 1: name = "", index } of text.matchAll(PARAMETER)) {
    if (index < done || !isParameter(name)) continue;
    VALUE.lastIndex = index + before.length;
    const value = VALUE.exec(text)?.[0];
    if (value === undefined || isKept(value, name)) continue;
    redacted += text.slice(done, index + before.length) + placeholderOf(name, value);
    done = index + before.length + value.length;
  }
  return redacted + text.slice(done);
}

/** The head of a part of a form, up to its value (RFC 7578, 4.2). */
const PART =
  /form-data;[^\r\n]{0,300}?\bname=(?:"([^"\r\n]{1,80})"|([\w.-]{1,80}))[^\r\n]{0,300}\r?\n(?:[^\r\n]{1,300}\r?\n){0,8}\r?\n/gi;

/** Redacts parts of a form. A value ends before the line of the next boundary. */
function redactParts(text: string, isKept: IsKept, { isMember, isParameter }: SecretNames): string {
  let redacted = "";
  let done = 0;
  for (const { 0: head, 1: quoted, 2: token = "", index } of text.matchAll(PART)) {
    const name = quoted ?? token;
    if (index < done || !(isMember(name) || isParameter(name))) continue;
    const from = index + head.length;
    const length = text.slice(from).search(/\r?\n--/);
    const value = length < 0 ? text.slice(from) : text.slice(from, from + length);
    if (isKept(value, name)) continue;
    redacted += text.slice(done, from) + placeholderOf(name, value);
    done = from + value.length;
  }
  return redacted + text.slice(done);
}

/** Redacts compact JWS and JWE (RFC 7515 and 7516, 7.1): the first segment is a JSON object in base64url. */
/** The repetition is bounded, because the regular expression engine stores each position for backtracking. */
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

/** The steps, each with a sign that every text has in which the step finds something. Most texts have few signs. */
const STEPS: readonly {
  readonly redact: (text: string, isKept: IsKept, names: SecretNames) => string;
  readonly sign: RegExp;
}[] = [
  { redact: redactForeignKeys, sign: KEY_SIGN },
  { redact: redactUserinfo, sign: /@|%40/ },
  { redact: redactParts, sign: /form-data;/i },
  { redact: redactMembers, sign: /"/ },
  { redact: redactParameters, sign: /=|%3d/i },
  // The first octets of a JSON object in base64url, at the start of a segment.
  { redact: redactTokens, sign: /(?<![\w-])e[yw8_-]/ },
  { redact: redactEmails, sign: AT_SIGN },
  { redact: redactCardNumbers, sign: CARD_NUMBER_SIGN },
];
