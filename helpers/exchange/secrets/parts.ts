/** The secrets within a setting, because a server may repeat a part of what it was sent. */
import { readFileSync, statSync } from "node:fs";
import { percentDecoded } from "../../contract/pointer.ts";

/** Shorter parts may be words, such as a user name or the name of an environment. */
const SHORTEST = 8;

/** Shorter passwords are not recognised. */
const SHORTEST_PASSWORD = 4;

/**
 * Returns the parts of a secret setting: what follows a scheme, the pair of `Basic`, the values of headers and cookies,
 * the password in a URL, the private members of a JWK, and the bodies of PEM.
 */
export const partsOfSecret = (value: string): string[] => {
  const parts = [
    ...partsOfAny(value),
    ...ofHeaders(value),
    ...afterScheme(value),
    ...(isUrl(value) ? [] : ofPair(value)),
    ...[...value.matchAll(NAMED)].map(([, quoted, plain = ""]) => quoted ?? plain).filter(isLong),
  ];
  return [...new Set(parts)].filter((part) => part !== value);
};

/** The same for a setting that is not secret by itself: an address with a password, a private key, or the file of one. */
export const partsOfAny = (value: string): string[] => [
  ...ofUrl(value),
  ...ofJwk(parsedJson(value)),
  ...[...value.matchAll(PEM)].map(([, body = ""]) => body.replaceAll(/\\[rn]|\s/g, "")),
];

/** @param path the value of a setting, which may name a file with a key */
export const partsOfKeyFile = (path: string): string[] => {
  try {
    return statSync(path).size > LARGEST_KEY ? [] : partsOfAny(readFileSync(path, "latin1"));
  } catch {
    // The setting does not name a file, or the code that needs the file reports that it can't be read.
    return [];
  }
};

const LARGEST_KEY = 100_000;

const isLong = (part: string): boolean => part.length >= SHORTEST;
const isPassword = (part: string): boolean => part.length >= SHORTEST_PASSWORD;

const PEM = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----((?:(?!-----)[\s\S]){1,20000})/g;

/** `name=value` and `name="value"` in cookies, and in credentials with parameters (RFC 9110, 11.4). */
const NAMED = /[\w-]=(?:"([^"]*)"|([^\s",;&]+))/g;

/** Returns the values of new cookies. Several headers are joined with commas; attributes are not secret (RFC 6265, 4.1). */
export const newCookiesIn = (header: string): string[] =>
  header.split(/,(?=\s*[^\s;,=]{1,80}=)/).flatMap((cookie) => {
    const [, value = ""] = /^[^;=]*=\s*"?([^;"]*)/.exec(cookie) ?? [];
    return value === "" ? [] : [value];
  });

const SCHEME = /^[A-Za-z][\w-]* +(\S.*)$/;

const afterScheme = (value: string): string[] => {
  const [, credentials = ""] = SCHEME.exec(value) ?? [];
  if (!isPassword(credentials)) return [];
  const isBasic = /^basic /i.test(value);
  return [credentials, ...(isBasic ? ofPair(Buffer.from(credentials, "base64").toString()) : [])];
};

/** The parts of `user:password`, and the pair. */
const ofPair = (pair: string): string[] => {
  const [user = "", ...rest] = pair.split(":");
  const password = rest.join(":");
  if (user === "" || password === "" || /\s/.test(user)) return [];
  return [pair, ...[password].filter(isPassword), ...[user].filter(isLong)];
};

const isUrl = (value: string): boolean => /^[a-z][a-z\d+.-]*:\/\//i.test(value);

const ofUrl = (value: string): string[] => {
  if (!isUrl(value) || !URL.canParse(value)) return [];
  const { username, password } = new URL(value);
  const written = /^[^:]+:\/\/([^/?#]*)@/.exec(value)?.[1] ?? "";
  const [user = "", ...rest] = written.split(":");
  const names = [username, percentDecoded(username), user].filter((part) => password === "" || isLong(part));
  return [...names, password, percentDecoded(password), rest.join(":")].filter(isPassword);
};

/** Returns `undefined` for a text that is not a JSON object or list. */
export const parsedJson = (text: string): unknown => {
  try {
    return /^\s*[[{]/.test(text) ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
};

/** The values of a JSON object of headers, each with its own parts. */
const ofHeaders = (text: string): string[] => {
  const json = parsedJson(text);
  if (typeof json !== "object" || json === null || "kty" in json) return [];
  return Object.values(json).flatMap((value: unknown) =>
    typeof value === "string" && isLong(value) ? [value, ...partsOfSecret(value)] : [],
  );
};

/** The private members of a JWK or of a set of them (RFC 7518, 6). */
const PRIVATE = ["d", "p", "q", "dp", "dq", "qi", "k"];

const ofJwk = (json: unknown): string[] => {
  if (typeof json !== "object" || json === null) return [];
  const { keys } = json as { keys?: unknown };
  if (Array.isArray(keys)) return keys.flatMap(ofJwk);
  if (!("kty" in json)) return [];
  return Object.entries(json).flatMap(([name, value]: [string, unknown]) =>
    PRIVATE.includes(name) && typeof value === "string" && isLong(value) ? [value] : [],
  );
};
