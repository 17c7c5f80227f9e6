/** Signs certificates, and verifies signatures. */
import { CompactSign, compactVerify, decodeProtectedHeader, errors } from "jose";
import type { Certificate } from "../certificate/certificate.ts";
import type { Key } from "./signing-key.ts";

/**
 * Returns a compact JWS (RFC 7515) that contains the certificate, so that a change of certificate.json can be
 * detected.
 * @param beside the digests of the files beside it, by name, and whether the run was partial, for the signed header
 */
export const signCertificate = (
  bytes: Uint8Array,
  key: Key,
  at: Date,
  {
    files = {},
    partial = false,
  }: Partial<Pick<Signed, "files">> & Partial<Pick<Certificate, "partial">> = {},
): Promise<string> =>
  new CompactSign(bytes)
    .setProtectedHeader({
      alg: key.algorithms[0] ?? "",
      kid: key.id,
      // The thumbprint, under its name in RFC 9449.
      jkt: key.thumbprint,
      iat: Math.floor(at.getTime() / 1000),
      cty: "application/json",
      files,
      ...(partial && { partial }),
    })
    .sign(key.key);

export interface Signed {
  readonly bytes: Uint8Array;
  readonly certificate: Certificate;
  readonly algorithm: string;
  readonly keyId: string;
  readonly thumbprint: string;
  /** The signer's time, in ISO 8601 format. */
  readonly signedAt: string;
  /** The digest of each file beside the certificate, by name; empty in signatures of older versions. */
  readonly files: Readonly<Record<string, string>>;
}

/** An error for a file that is not a signed certificate. */
export class NoSignature extends Error {}

/** An error for an invalid signature: the key differs, or the content was changed. */
export class BadSignature extends Error {}

/** @throws NoSignature, BadSignature */
export const verifyCertificate = async (jws: string, key: Key): Promise<Signed> => {
  const claimed = headerOf(jws);
  if (claimed.jkt !== key.thumbprint) {
    throw new BadSignature(
      `It claims to be signed with the key ${claimed.kid} (thumbprint ${claimed.jkt}); this key has the thumbprint ${key.thumbprint}.`,
    );
  }
  const { payload } = await compactVerify(jws, key.key, { algorithms: [...key.algorithms] }).catch(
    (error: Error) => {
      throw new BadSignature(
        error instanceof errors.JOSEAlgNotAllowed
          ? `It is signed with ${claimed.alg}; this key is for ${key.algorithms.join(" or ")}.`
          : "The signed content or the signature was changed after signing.",
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
    files: claimed.files,
  };
};

const headerOf = (jws: string) => {
  let header: Record<string, unknown>;
  try {
    header = decodeProtectedHeader(jws);
  } catch {
    throw new NoSignature("is not a compact JWS");
  }
  const { alg, kid, jkt, iat, files = {} } = header;
  const isText = (one: unknown): one is string => typeof one === "string";
  if (isText(alg) && isText(kid) && isText(jkt) && isTime(iat) && areDigests(files)) {
    return { alg, kid, jkt, iat, files };
  }
  throw new NoSignature(
    "is a JWS, but not a signed certificate: its header lacks a valid kid, jkt, iat or files",
  );
};

/** Whether the value is a number of seconds that a date can have. */
const isTime = (value: unknown): value is number =>
  Number.isInteger(value) && Math.abs(value as number) <= 8_640_000_000_000;

const areDigests = (value: unknown): value is Signed["files"] =>
  typeof value === "object" &&
  value !== null &&
  Object.values(value).every((digest) => typeof digest === "string");

const certificateIn = (payload: Uint8Array): Certificate => {
  try {
    const certificate = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(payload)) as Certificate;
    if (certificate?.format === "certificate/1") return certificate;
  } catch {
    // Reported below.
  }
  throw new NoSignature("signs something that is not a certificate");
};
