/** Checks the OAuth 1.0a signature of a client's request (RFC 5849), as far as it can be known here. */
import { createPublicKey, hash } from "node:crypto";
import { percentDecoded } from "../../../helpers/contract/pointer.ts";
import { METHODS, type SignatureDialect, type Signing } from "../../../helpers/gateway/gateway.ts";
import type { OAuthParameter, Signed } from "../../../helpers/gateway/signature.ts";
import { formOf } from "../../../mocks/engine/gateway/verify-signature.ts";

/** Milliseconds that the clocks of a client and a server may differ. */
const CLOCK_DIFFERENCE = 300_000;

/** The problem of a signature, if it has one, and its dialect as far as it shows. */
export interface ExaminedSignature extends Partial<SignatureDialect> {
  readonly problem?: string;
  /** Its differences from RFC 5849, besides the dialect. */
  readonly seen?: readonly string[];
}

/**
 * Examines a signature, which may be in each dialect.
 * @param urls the addresses that the client may have signed: of the target, or of a proxy
 * @param signing the keys that the client should use, if they are known
 * @param now milliseconds since 1970
 */
export const examineSignature = (
  authorization: string,
  { method, bytes }: Pick<Signed, "method" | "bytes">,
  urls: readonly string[],
  signing: Signing | undefined,
  now: number,
): ExaminedSignature => {
  const pairs = pairsIn(authorization);
  const given = new Map(pairs);
  const absent = REQUIRED.find((name) => !given.has(`oauth_${name}`));
  if (absent !== undefined) return { problem: `oauth_${absent} is missing` };
  const used = METHODS.find((name) => name === given.get("oauth_signature_method"));
  if (used === undefined) return { problem: `oauth_signature_method is not ${METHODS.join(" or ")}` };
  const own = given.get("oauth_body_hash");
  // Only the hash always has a character that one of the dialects encodes.
  const isRaw = own !== undefined && authorization.includes(own);
  const seen: ExaminedSignature = {
    method: used,
    ...(own?.endsWith("=") && { encoding: isRaw ? "single" : "rfc" }),
  };
  const wrong = (problem: string): ExaminedSignature => ({ ...seen, problem });
  if (own === undefined && bytes !== undefined && bytes.length > 0)
    return wrong("oauth_body_hash is missing");
  if (own !== undefined && own !== hash("sha256", bytes ?? "", "base64"))
    return wrong("oauth_body_hash is not the hash of the body");
  if (!(Math.abs(Number(given.get("oauth_timestamp")) * 1000 - now) <= CLOCK_DIFFERENCE))
    return wrong("oauth_timestamp is more than five minutes away from now");
  if (signing === undefined) return seen;
  if (given.get("oauth_consumer_key") !== signing.consumerKey)
    return wrong("oauth_consumer_key is another one");
  const key = createPublicKey(signing.privateKey);
  const forms = urls.map((url) => {
    const [, target = ""] = /^[^:]+:\/\/[^/?#]*([^#]*)/.exec(url) ?? [];
    return formOf({ method: method.toUpperCase(), origin: new URL(url).origin, target }, given, key);
  });
  const form = forms.find((one) => one !== undefined);
  if (form === undefined) return wrong("oauth_signature is not the signature of the request");
  return { ...seen, encoding: form.dialect, seen: form.seen };
};

const REQUIRED = ["consumer_key", "nonce", "signature", "signature_method", "timestamp"];

/** RFC 5849, 3.5.1. */
const pairsIn = (authorization: string): OAuthParameter[] =>
  [...authorization.matchAll(/([\w.-]+)="([^"]*)"/g)].map(
    ([, name = "", value = ""]): OAuthParameter => [name, percentDecoded(value)],
  );
