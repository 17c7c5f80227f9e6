/** Signs requests by OAuth 1.0a (RFC 5849) with RSA and SHA-256, and a hash of the body (OAuth Request Body Hash). */
import { constants, createHash, type KeyObject, randomBytes, sign } from "node:crypto";
import type { SignatureDialect, Signing } from "./gateway.ts";

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
  const base = signatureBase(request, parameters, encoding);
  const signature = sign("sha256", Buffer.from(base), keyFor(method, privateKey)).toString("base64");
  const written = encoding === "single" ? String : encoded;
  const shown = parameters.map(([name, value]) => `${name}="${written(value)}"`);
  return `OAuth ${[...shown, `oauth_signature="${encoded(signature)}"`].join(",")}`;
};

/** Returns the key with the padding of the signature method (RFC 8017, 8.1 and 8.2). */
const keyFor = (method: SignatureDialect["method"], key: KeyObject) =>
  method === "RSA-PSS" ? { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 } : { key };

export type OAuthParameter = readonly [name: string, value: string];

/** RFC 5849, 3.4.1. With `single`, libraries take the query as it is sent, and each of several equal pairs once. */
const signatureBase = (
  { method, url }: Signed,
  parameters: readonly OAuthParameter[],
  encoding: SignatureDialect["encoding"],
): string => {
  const [, scheme = "", authority = "", rest = ""] = /^(https?):\/\/([^/?#]*)(.*)$/is.exec(url) ?? [];
  const [path = "", query = ""] = rest.replace(/#.*$/s, "").split(/\?(.*)/s);
  const port = scheme.toLowerCase() === "https" ? ":443" : ":80";
  const host = authority
    .toLowerCase()
    .replace(/^.*@/, "")
    .replace(new RegExp(`${port}$`), "");
  const pairs =
    encoding === "single"
      ? [...rawPairs(query), ...parameters]
      : [...new URLSearchParams(query), ...parameters].map(encodedPair);
  const normalized = pairs
    .sort(([name, value], [other, otherValue]) => compared(name, other) || compared(value, otherValue))
    .map((pair) => pair.join("="))
    .join("&");
  return [method.toUpperCase(), `${scheme.toLowerCase()}://${host}${path || "/"}`, normalized]
    .map(encoded)
    .join("&");
};

const encodedPair = ([name, value]: OAuthParameter): OAuthParameter => [encoded(name), encoded(value)];

const rawPairs = (query: string): OAuthParameter[] =>
  [...new Set(query.split("&").filter(Boolean))].map((pair) => {
    const [name = "", value = ""] = pair.split(/=(.*)/s);
    return [name, value];
  });

const compared = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** RFC 5849, 3.6. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
