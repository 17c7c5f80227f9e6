/** Verifies OAuth 1.0a signatures of requests (RFC 5849) with RSA-SHA256 and a hash of the body. */
import { createHash, verify } from "node:crypto";

export interface SignedRequest {
  readonly method: string;
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path and query, as received. */
  readonly target: string;
  readonly authorization: string | undefined;
  readonly body: Buffer;
}

/** How far the clock of a client may be wrong, in milliseconds. */
const TOLERANCE_MS = 300_000;

/** @returns a function that tells why a request is refused; it returns `undefined` for a request in order */
export const signatureVerifier = (
  consumers: ReadonlyMap<
    string,
    {
      readonly publicPem: string;
      readonly hasExpired?: true;
    }
  >,
) => {
  const nonces = new Set<string>();
  return (request: SignedRequest): string | undefined => {
    if (!request.authorization?.startsWith("OAuth ")) return "The request is not signed.";
    const given = parametersIn(request.authorization);
    const consumer = consumers.get(given.get("oauth_consumer_key") ?? "");
    if (consumer === undefined) return "The consumer key is unknown.";
    if (consumer.hasExpired) return "The consumer key has expired.";
    if (given.get("oauth_signature_method") !== "RSA-SHA256")
      return "The signature method is not RSA-SHA256.";
    const time = Number(given.get("oauth_timestamp")) * 1000;
    if (!(Math.abs(Date.now() - time) <= TOLERANCE_MS)) return "The timestamp is too far from the time here.";
    const hash = createHash("sha256").update(request.body).digest("base64");
    if (given.get("oauth_body_hash") !== hash) return "The hash of the body is wrong.";
    const signature = Buffer.from(given.get("oauth_signature") ?? "", "base64");
    if (!verify("RSA-SHA256", Buffer.from(textToSign(request, given)), consumer.publicPem, signature)) {
      return "The signature is wrong.";
    }
    const nonce = `${given.get("oauth_timestamp")} ${given.get("oauth_nonce")}`;
    if (nonces.has(nonce)) return "The nonce was used before.";
    nonces.add(nonce);
    return undefined;
  };
};

const parametersIn = (authorization: string): Map<string, string> =>
  new Map(
    [...authorization.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = "", value = ""]) => [
      name,
      decodeURIComponent(value),
    ]),
  );

/** RFC 5849, 3.4.1. */
const textToSign = (
  { method, origin, target }: SignedRequest,
  given: ReadonlyMap<string, string>,
): string => {
  const at = target.indexOf("?");
  const path = at < 0 ? target : target.slice(0, at);
  const query = new URLSearchParams(at < 0 ? "" : target.slice(at + 1));
  const pairs = [
    ...query,
    ...[...given].filter(([name]) => name.startsWith("oauth_") && name !== "oauth_signature"),
  ]
    .map(([name, value]) => [strict(name), strict(value)])
    .sort(([name = "", value = ""], [other = "", another = ""]) =>
      name === other ? order(value, another) : order(name, other),
    )
    .map((pair) => pair.join("="));
  return `${method}&${strict(origin + path)}&${strict(pairs.join("&"))}`;
};

const order = (one: string, other: string): number => Number(one > other) - Number(one < other);

const strict = (text: string): string =>
  [...Buffer.from(text)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[\w.~-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    })
    .join("");
