/** Signs requests by OAuth 1.0a (RFC 5849) with RSA-SHA256, and a hash of the body (OAuth Request Body Hash). */
import { createHash, randomBytes, sign } from "node:crypto";
import type { Signing } from "./gateway.ts";

export interface Signed {
  readonly method: string;
  readonly url: string;
  readonly bytes: string | Buffer | undefined;
}

/** Returns the value of the header Authorization. @param now milliseconds since 1970 */
export const authorizationFor = (
  request: Signed,
  { consumerKey, privateKey }: Signing,
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
    ["oauth_signature_method", "RSA-SHA256"],
    ["oauth_timestamp", String(Math.floor(now / 1000))],
    ["oauth_version", "1.0"],
  ];
  const base = signatureBase(request, parameters);
  const signature = sign("sha256", Buffer.from(base), privateKey).toString("base64");
  const all: readonly OAuthParameter[] = [...parameters, ["oauth_signature", signature]];
  return `OAuth ${all.map(([name, value]) => `${name}="${encoded(value)}"`).join(",")}`;
};

export type OAuthParameter = readonly [name: string, value: string];

/** RFC 5849, 3.4.1. */
export const signatureBase = ({ method, url }: Signed, parameters: readonly OAuthParameter[]): string => {
  const [, scheme = "", authority = "", rest = ""] = /^(https?):\/\/([^/?#]*)(.*)$/is.exec(url) ?? [];
  const [path = "", query = ""] = rest.replace(/#.*$/s, "").split(/\?(.*)/s);
  const port = scheme.toLowerCase() === "https" ? ":443" : ":80";
  const host = authority
    .toLowerCase()
    .replace(/^.*@/, "")
    .replace(new RegExp(`${port}$`), "");
  const normalized = [...queryPairs(query), ...parameters]
    .map(([name, value]): OAuthParameter => [encoded(name), encoded(value)])
    .sort(([name, value], [other, otherValue]) => compared(name, other) || compared(value, otherValue))
    .map((pair) => pair.join("="))
    .join("&");
  return [method.toUpperCase(), `${scheme.toLowerCase()}://${host}${path || "/"}`, normalized]
    .map(encoded)
    .join("&");
};

const queryPairs = (query: string): OAuthParameter[] =>
  query === "" ? [] : [...new URLSearchParams(query)].map(([name, value]): OAuthParameter => [name, value]);

const compared = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** RFC 5849, 3.6. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
