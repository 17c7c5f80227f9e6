/** Random secrets in all forms that a setting can have, the encodings in which they are repeated, and the search for them. */
import fc from "fast-check";
import rows from "../../../helpers/exchange/secrets/rows.json" with { type: "json" };
import type { Artifact } from "../support/artifacts.ts";
import { ENCODINGS } from "./canary-secrets.ts";

/** A setting, and the secrets that a server may repeat alone. */
export interface SecretSetting {
  readonly form: string;
  readonly value: string;
  readonly secrets: readonly string[];
}

const LETTERS = [..."abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"];
const SIGNS = [..."+/_-!&%<>'\\.,"];

export const words = fc.string({ unit: fc.constantFrom(...LETTERS), minLength: 16, maxLength: 32 });
const text = fc
  .tuple(words, fc.string({ unit: fc.constantFrom(...SIGNS), minLength: 1, maxLength: 4 }), words)
  .map((parts) => parts.join(""));
const digits = fc
  .tuple(
    fc.integer({ min: 1, max: 9 }),
    fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: 11, maxLength: 14 }),
  )
  .map((parts) => parts.join(""));

const base64 = (plain: string): string => Buffer.from(plain).toString("base64");

/** The forms of settings that a header can contain. */
export const headerForms = fc.oneof(
  text.map((value): SecretSetting => ({ form: "text", value, secrets: [value] })),
  digits.map((value): SecretSetting => ({ form: "number", value, secrets: [value] })),
  text.map((value): SecretSetting => ({ form: "scheme", value: `Bearer ${value}`, secrets: [value] })),
  fc.tuple(words, text).map(([user, password]): SecretSetting => {
    const pair = `${user}:${password}`;
    return { form: "pair", value: `Basic ${base64(pair)}`, secrets: [pair, password, base64(pair)] };
  }),
);

export const otherForms = fc.oneof(
  fc.tuple(words, text).map(
    ([route, token]): SecretSetting => ({
      form: "headers",
      value: JSON.stringify({ "x-route": route, authorization: `Bearer ${token}`, cookie: `sid=${route}x` }),
      secrets: [route, token],
    }),
  ),
  fc.tuple(words, text).map(
    ([user, password]): SecretSetting => ({
      form: "URL",
      value: `http://${user}:${encodeURIComponent(password)}@proxy.test:3128`,
      secrets: [password, encodeURIComponent(password)],
    }),
  ),
  fc.tuple(words, words).map(
    ([d, q]): SecretSetting => ({
      form: "JWK",
      value: JSON.stringify({ kty: "EC", crv: "P-256", x: "public", d, q }),
      secrets: [d, q],
    }),
  ),
  fc.array(words, { minLength: 8, maxLength: 12 }).map((lines): SecretSetting => {
    const body = lines.join("");
    const split = body.replaceAll(/.{64}/g, "$&\n");
    const value = `-----BEGIN PRIVATE KEY-----\n${split}\n-----END PRIVATE KEY-----`;
    return { form: "PEM", value, secrets: [body] };
  }),
);

export const encodings: fc.Arbitrary<(secret: string) => string> = fc.constantFrom(
  ...Object.values(ENCODINGS),
);

/** The number of characters of a secret that no output may contain in a row. */
const RUN = 8;

/** Finds runs of the secrets, as they are and in each encoding. @returns the artifact and the run */
export const runsOf = (secrets: readonly string[]): ((artifact: Artifact) => string[]) => {
  const runs = new Map<string, string[]>();
  for (const secret of new Set(secrets))
    for (const encode of Object.values(ENCODINGS)) addRuns(runs, secret, encode(secret));
  return ({ path, text: written }) => {
    const found = new Set<string>();
    for (let at = 0; at + RUN <= written.length; at += 1)
      for (const run of runs.get(written.slice(at, at + RUN)) ?? [])
        if (written.startsWith(run, at))
          found.add(`${path}: ${run} in ${written.slice(Math.max(0, at - 80), at + 60)}`);
    return [...found].slice(0, 3);
  };
};

/** The ends of an encoded text depend on what is next to it. */
const EDGE = 6;

const addRuns = (runs: Map<string, string[]>, secret: string, encoded: string): void => {
  const isPlain = encoded.length === secret.length;
  const length = isPlain ? RUN : Math.ceil((RUN * encoded.length) / secret.length) + 2;
  const edge = isPlain ? 0 : EDGE;
  for (let at = edge; at + length + edge <= encoded.length; at += 1) {
    const run = encoded.slice(at, at + length);
    runs.set(run.slice(0, RUN), [...(runs.get(run.slice(0, RUN)) ?? []), run]);
  }
};

/** A text in which something is said, in a body of JSON. */
type Place = (said: string) => unknown;

export const PLACES: Readonly<Record<string, Place>> = {
  value: (said) => ({ message: said, n: 1 }),
  "value of a secret field": (said) => ({ token: said, ssn: [said] }),
  name: (said) => ({ [said]: true, [`${said}Token`]: "abc" }),
  "nested JSON": (said) => ({ details: JSON.stringify({ said: [said], password: said }) }),
  list: (said) => [1, said, null, { a: [said] }],
  number: (said) => (/^[1-9]\d{0,14}$/.test(said) ? { n: Number(said), ssn: Number(said) } : { n: said }),
};

const html = (said: string): string =>
  said.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("'", "&apos;");
const parameter = (name: string, said: string): string => `${name}=${encodeURIComponent(said)}`;

/** The notations of a named value, each with the text in which a server or a client may write it. */
export const NOTATIONS: Readonly<Record<string, (name: string, said: string) => string>> = {
  JSON: (name, said) => JSON.stringify({ a: 1, [name]: said }),
  "nested JSON": (name, said) => JSON.stringify({ [name]: { value: said, list: [[{ b: said }]] } }),
  "a list": (name, said) => JSON.stringify([{ [name]: ["b", said] }]),
  "a name and a value": (name, said) => JSON.stringify({ list: [{ value: said, type: "text", name }] }),
  "JSON in JSON": (name, said) =>
    JSON.stringify({ b: JSON.stringify({ c: JSON.stringify({ [name]: said }) }) }),
  "JSON in a text": (name, said) => `got {"${name}" : ${JSON.stringify(said)}}.`,
  "escaped JSON in a text": (name, said) =>
    `got ${JSON.stringify(JSON.stringify({ [name]: { b: [said] } }))}.`,
  "cut JSON": (name, said) => JSON.stringify({ [name]: { value: said }, b: 1 }).slice(0, -4),
  "a name and a value in cut JSON": (name, said) => `[${JSON.stringify({ name, value: said })},{"a`,
  "JSON with single quotes": (name, said) =>
    `{'${name}': '${said.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}', 'b': 1}`,
  "a form": (name, said) => `a=1&${new URLSearchParams({ [name]: said })}&b=2`,
  "a form with parts": (name, said) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${said}\r\n--b--`,
  "a fragment": (name, said) => `see https://a.test/#${parameter(name, said)}`,
  "a URL in a parameter": (name, said) =>
    `/a?next=${encodeURIComponent(`https://a.test/?a=1&${parameter(name, said)}&b=2`)}&c=3`,
  "a parameter in quotes": (name, said) => `got "${parameter(name, said)}" and`,
  "a parameter in brackets": (name, said) => `got [${parameter(name, said)}], (${parameter(name, said)})`,
  "a parameter in a table": (name, said) => `a=1|${parameter(name, said)}|b=2`,
  "an encoded fragment": (name, said) => `a%23${parameter(name, said)}`,
  "an XML element": (name, said) => `<a><ns:${name} b="1">${html(said)}</ns:${name}></a>`,
  CDATA: (name, said) => `<${name}><![CDATA[${said}]]></${name}>`,
  "an XML attribute": (name, said) => `<a b="1" ${name}="${html(said)}"/>`,
  "an input of HTML": (name, said) => `<input type="hidden" name="${name}" value="${html(said)}">`,
  "an input of HTML, value first": (name, said) => `<input value='${html(said)}' name='${name}'/>`,
  "a header in a text": (name, said) => `it sent ${name}: Bearer ${said}, and then`,
  "header lines": (name, said) => `Host: a.test\r\n${name}:${said}\r\nAccept: a/b`,
  YAML: (name, said) => `a: 1\n  ${name}: ${said}\nb: 2`,
  "YAML in quotes": (name, said) => `a: 1\n- ${name}: ${JSON.stringify(said)}`,
};

/** Returns a secret that a notation can have without quotes (RFC 6750, 2.1). */
export const sayable = (secret: string, notation: string): string =>
  /^(?:a header|header lines|YAML$)/.test(notation) ? secret.replaceAll(/[^\w.~+/-]/g, "-") : secret;

/** A named value in a notation; the answer repeats it when the request sends it. */
export const fields = fc.record({
  name: fc.constantFrom(...rows.names.map(({ hides }) => hides)),
  notation: fc.constantFrom(...Object.keys(NOTATIONS)),
  isSent: fc.boolean(),
});

const before = (cut: number): fc.Arbitrary<number> => fc.integer({ min: cut - 60, max: cut + 5 });

/** The lengths of texts before a secret, near the places where something cuts. */
export const FILLERS = fc.oneof(
  { arbitrary: fc.constant(0), weight: 10 },
  ...[80, 200, 400, 1_000, 4_096].map((cut) => ({ arbitrary: before(cut), weight: 5 })),
  { arbitrary: before(262_144), weight: 1 },
);
