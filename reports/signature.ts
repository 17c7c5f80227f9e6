/** Signs certificates, and tells of a signature who gave it, to what, and whether it holds. */
import { CompactSign, compactVerify, decodeProtectedHeader, errors } from "jose";
import type { Certificate } from "./certificate.ts";
import type { Key } from "./signing-key.ts";

/**
 * A compact JWS (RFC 7515) that holds what it signs, so that it says by itself what was certified, and shows a change
 * of the certificate.json that lies beside it.
 */
export const signCertificate = (bytes: Uint8Array, key: Key, at: Date): Promise<string> =>
  new CompactSign(bytes)
    .setProtectedHeader({
      alg: key.algorithms[0] ?? "",
      kid: key.id,
      // The thumbprint, by the name that RFC 9449 has for it.
      jkt: key.thumbprint,
      iat: Math.floor(at.getTime() / 1000),
      cty: "application/json",
    })
    .sign(key.key);

export interface Signed {
  readonly bytes: Uint8Array;
  readonly certificate: Certificate;
  readonly algorithm: string;
  readonly keyId: string;
  readonly thumbprint: string;
  /** ISO 8601, as the signer's clock had it. */
  readonly signedAt: string;
}

/** Not a signed certificate at all. */
export class NoSignature extends Error {}

/** The signature does not hold: another key, or something was changed. */
export class BadSignature extends Error {}

/** @throws NoSignature, BadSignature */
export const verifyCertificate = async (jws: string, key: Key): Promise<Signed> => {
  const claimed = headerOf(jws);
  if (claimed.jkt !== key.thumbprint) {
    throw new BadSignature(
      `It says to be signed with the key ${claimed.kid} (thumbprint ${claimed.jkt}); this key has the thumbprint ${key.thumbprint}.`,
    );
  }
  const { payload } = await compactVerify(jws, key.key, { algorithms: [...key.algorithms] }).catch(
    (error: Error) => {
      throw new BadSignature(
        error instanceof errors.JOSEAlgNotAllowed
          ? `It is signed with ${claimed.alg}; this key is for ${key.algorithms.join(" or ")}.`
          : "What is signed, or the signature, was changed after signing.",
      );
    },
  );
  return {
    bytes: payload,
    certificate: certificateIn(payload),
    algorithm: claimed.alg,
    keyId: claimed.kid,
    thumbprint: key.thumbprint,
    signedAt: new Date(claimed.iat * 1000).toISOString(),
  };
};

const headerOf = (jws: string): { alg: string; kid: string; jkt: string; iat: number } => {
  let header: Record<string, unknown>;
  try {
    header = decodeProtectedHeader(jws);
  } catch {
    throw new NoSignature("is no compact JWS");
  }
  const { alg, kid, jkt, iat } = header;
  const isText = (one: unknown): one is string => typeof one === "string";
  if (isText(alg) && isText(kid) && isText(jkt) && Number.isInteger(iat)) {
    return { alg, kid, jkt, iat: iat as number };
  }
  throw new NoSignature("is a JWS, but not of a certificate: its header lacks kid, jkt or iat");
};

const certificateIn = (payload: Uint8Array): Certificate => {
  try {
    const certificate = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(payload)) as Certificate;
    if (certificate.format === "certificate/1") return certificate;
  } catch {
    // Told below.
  }
  throw new NoSignature("signs something that is no certificate");
};
