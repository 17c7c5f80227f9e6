/** Writes and opens compact JWE (RFC 7516), also JWE of libraries that do not follow the standards exactly. */
import {
  constants,
  createDecipheriv,
  createPublicKey,
  type JsonWebKey,
  type KeyObject,
  privateDecrypt,
  X509Certificate,
} from "node:crypto";
import type { DecryptOptions } from "jose";

/** The digests of RSA-OAEP by JWE algorithm (RFC 7518, 4.3). */
export const OAEP_DIGESTS: Readonly<Record<string, string>> = {
  "RSA-OAEP": "sha1",
  "RSA-OAEP-256": "sha256",
  "RSA-OAEP-384": "sha384",
  "RSA-OAEP-512": "sha512",
};

/** RFC 7518, 5.3. */
export const IV_BYTES = 12;

export interface OpenedJwe {
  readonly plain: Buffer;
  /** How the token differs from the standards; absent if it does not: `an IV of 16 bytes instead of 12`. */
  readonly difference?: string;
}

let library: Promise<typeof import("jose")> | undefined;

// Even an import of a loaded module takes long.
const jose = () => {
  library ??= import("jose");
  return library;
};

export const sealJwe = async (
  plain: string | Buffer,
  key: KeyObject,
  {
    alg,
    enc,
    keyId,
    keyIdHeader,
  }: Record<"alg" | "enc" | "keyIdHeader", string> & { keyId?: string | undefined },
): Promise<string> => {
  const { CompactEncrypt } = await jose();
  return new CompactEncrypt(Buffer.from(plain))
    .setProtectedHeader({ alg, enc, ...(keyId && { [keyIdHeader]: keyId }) })
    .encrypt(key);
};

/** @param allowed the algorithms that are accepted @throws Error when the token can't be opened */
export const openJwe = async (
  token: string,
  key: KeyObject,
  allowed: DecryptOptions = {},
): Promise<OpenedJwe> => {
  const { compactDecrypt } = await jose();
  try {
    return { plain: Buffer.from((await compactDecrypt(token, key, allowed)).plaintext) };
  } catch (error) {
    const opened = openedAsWritten(token, key, allowed);
    if (opened === undefined) throw error;
    return opened;
  }
};

/** Opens a token with an IV of any length, in any alphabet of base64; `undefined` if that is not what is wrong with it. */
const openedAsWritten = (token: string, key: KeyObject, allowed: DecryptOptions): OpenedJwe | undefined => {
  try {
    const parts = token.split(".");
    const [head, wrapped, iv, content, tag] = parts.map((part) => Buffer.from(part, "base64"));
    const { alg, enc, ...others } = JSON.parse(String(head)) as Record<string, string>;
    const { keyManagementAlgorithms = [alg], contentEncryptionAlgorithms = [enc] } = allowed;
    const [, bits] = /^A(\d+)GCM$/.exec(enc ?? "") ?? [];
    const isAllowed = keyManagementAlgorithms.includes(alg) && contentEncryptionAlgorithms.includes(enc);
    const oaepHash = OAEP_DIGESTS[alg ?? ""];
    if (!isAllowed || oaepHash === undefined || "crit" in others || "zip" in others || parts.length !== 5)
      return undefined;
    const padding = constants.RSA_PKCS1_OAEP_PADDING;
    const secret = privateDecrypt({ key, padding, oaepHash }, wrapped as Buffer);
    const decipher = createDecipheriv(`aes-${bits}-gcm` as "aes-256-gcm", secret, iv as Buffer);
    decipher.setAAD(Buffer.from(parts[0] ?? "")).setAuthTag(tag as Buffer);
    const plain = Buffer.concat([decipher.update(content as Buffer), decipher.final()]);
    const isOther = iv?.length !== IV_BYTES;
    return { plain, difference: isOther ? `an IV of ${iv?.length} bytes instead of ${IV_BYTES}` : ALPHABET };
  } catch {
    return undefined;
  }
};

const ALPHABET = "the alphabet of base64 instead of base64url";

/** Returns the key of a PEM, of a certificate in PEM or DER, or of a public JWK. @throws Error for anything else */
export const publicKeyIn = (
  content: Buffer,
): { readonly key: KeyObject; readonly keyId?: string; readonly alg?: string } => {
  const certificate = certificateIn(content);
  if (certificate) return { key: certificate.publicKey };
  if (!isJson(content)) return { key: createPublicKey(content) };
  const jwk = jwkOf(content);
  return {
    key: createPublicKey({ key: jwk, format: "jwk" }),
    ...(typeof jwk.kid === "string" && { keyId: jwk.kid }),
    ...(typeof jwk.alg === "string" && { alg: jwk.alg }),
  };
};

export const isJson = (content: Buffer): boolean =>
  content.toString("utf8", 0, 100).trimStart().startsWith("{");

export const jwkOf = (content: Buffer): JsonWebKey => JSON.parse(content.toString("utf8")) as JsonWebKey;

export const certificateIn = (content: Buffer): X509Certificate | undefined => {
  try {
    return new X509Certificate(content);
  } catch {
    return undefined;
  }
};
