/** Signs requests by OAuth 1.0a (RFC 5849) with RSA and SHA-256, and a hash of the body (OAuth Request Body Hash). */
import { constants, createHash, type KeyObject, randomBytes, sign } from "node:crypto";
import { ENCODINGS, type SignatureDialect, type Signing } from "./gateway.ts";

export interface Signed {
  readonly method: string;
  readonly url: string;
  readonly bytes: string | Buffer | undefined;
}

/** Returns the value of the header Authorization. @param now milliseconds since 1970 */
export const authorizationFor = (
  request: Signed,
  { consumerKey, privateKey, encoding, method }: Signing,
  now: number,
): string => {
  const parameters: readonly OAuthParameter[] = [
    [
      "oauth_body_hash",
      createHash("sha256")
        .update(request.bytes ?? "")
        .digest("base64"),
    ],
    ["oauth_consumer_key", consumerKey],
    ["oauth_nonce", randomBytes(16).toString("hex")],
    ["oauth_signature_method", method],
    ["oauth_timestamp", String(Math.floor(now / 1000))],
    ["oauth_version", "1.0"],
  ];
  const base = signatureBase(request, parameters, { encoding });
  const signature = sign("sha256", Buffer.from(base), keyFor(method, privateKey)).toString("base64");
  const written = encoding === "single" ? String : encoded;
  const shown = parameters.map(([name, value]) => `${name}="${written(value)}"`);
  return `OAuth ${[...shown, `oauth_signature="${encoded(signature)}"`].join(",")}`;
};

/** Returns the key with the padding of the signature method (RFC 8017, 8.1 and 8.2). */
export const keyFor = (method: SignatureDialect["method"], key: KeyObject) =>
  method === "RSA-PSS" ? { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 } : { key };

export type OAuthParameter = readonly [name: string, value: string];

/** How a signer makes the base string: its dialect, and where it departs from RFC 5849. */
export interface SignatureForm extends Pick<SignatureDialect, "encoding"> {
  /** How it reads the query, if not as RFC 5849, 3.4.1.3.1 does. */
  readonly query?: "literal +" | "raw query";
  /** It encodes only what JavaScript encodes, and of the rest the first `!` and `*`. */
  readonly escapes?: "encodeURIComponent";
}

/** The forms that signing libraries use. */
export const SIGNATURE_FORMS: readonly SignatureForm[] = [
  ...ENCODINGS.flatMap((encoding) => [{ encoding }, { encoding, query: "literal +" } as const]),
  { encoding: "single", query: "raw query" },
  { encoding: "single", query: "raw query", escapes: "encodeURIComponent" },
];

/** RFC 5849, 3.4.1. */
export const signatureBase = (
  { method, url }: Signed,
  parameters: readonly OAuthParameter[],
  { encoding, query: reading, escapes }: SignatureForm,
): string => {
  const [, scheme = "", authority = "", rest = ""] = /^(https?):\/\/([^/?#]*)(.*)$/is.exec(url) ?? [];
  const [path = "", query = ""] = rest.replace(/#.*$/s, "").split(/\?(.*)/s);
  const port = scheme.toLowerCase() === "https" ? ":443" : ":80";
  const host = authority
    .toLowerCase()
    .replace(/^.*@/, "")
    .replace(new RegExp(`${port}$`), "");
  const own = encoding === "single" ? parameters : parameters.map(encodedPair);
  const normalized = [...queryPairs(query, reading), ...own]
    .sort(([name, value], [other, otherValue]) => compared(name, other) || compared(value, otherValue))
    .map((pair) => pair.join("="))
    .join("&");
  const address = `${scheme.toLowerCase()}://${host}${path || "/"}`;
  if (escapes === undefined) return [method.toUpperCase(), address, normalized].map(encoded).join("&");
  const [uri, pairs] = [address, normalized].map(encodeURIComponent);
  return `${method.toUpperCase()}&${uri}&${pairs?.replace("*", "%2A")}`.replace("!", "%21");
};

const encodedPair = ([name, value]: OAuthParameter): OAuthParameter => [encoded(name), encoded(value)];

const queryPairs = (query: string, reading: SignatureForm["query"]): OAuthParameter[] => {
  if (reading === "raw query")
    return query.split("&").flatMap((pair) => {
      const [name = "", value = ""] = pair.split(/=(.*)/s);
      return pair === "" ? [] : [[name, value] as const];
    });
  const text = reading === "literal +" ? query.replaceAll("+", "%2B") : query;
  return [...new URLSearchParams(text)].map(encodedPair);
};

const compared = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** RFC 5849, 3.6. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
