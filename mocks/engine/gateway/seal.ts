/** Encrypts and decrypts bodies that have a compact JWE (RFC 7516, 7.1) in one of their fields. */
import { constants, createCipheriv, createPrivateKey, publicEncrypt, randomBytes } from "node:crypto";
import { compactDecrypt, decodeProtectedHeader } from "jose";
import { fieldsIn } from "../values/fields.ts";
import { parsedJson } from "../values/parsed-json.ts";

/** The digests of RSA-OAEP by JWE algorithm (RFC 7518, 4.3). */
const DIGESTS: Readonly<Record<string, string>> = {
  "RSA-OAEP": "sha1",
  "RSA-OAEP-256": "sha256",
  "RSA-OAEP-384": "sha384",
  "RSA-OAEP-512": "sha512",
};

const DEFAULT_ALGORITHM = "RSA-OAEP-256";

/** Encrypts with A256GCM, without waiting: the server sends each answer before its handler returns. */
export const seal = (plain: Buffer, publicPem: string, alg = DEFAULT_ALGORITHM): string => {
  const header = Buffer.from(JSON.stringify({ alg, enc: "A256GCM" })).toString("base64url");
  const [key, iv] = [randomBytes(32), randomBytes(12)];
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  const wrapped = publicEncrypt({ key: publicPem, padding, oaepHash: DIGESTS[alg] }, key);
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(header));
  const encrypted = Buffer.concat([cipher.update(plain), cipher.final()]);
  const rest = [wrapped, iv, encrypted, cipher.getAuthTag()].map((part) => part.toString("base64url"));
  return [header, ...rest].join(".");
};

/** Returns a function that decrypts a body, or tells why it is refused. */
export const unsealer = ({
  field,
  header,
  keyIds,
  expiredKeyIds,
  key,
}: {
  readonly field: string;
  /** The JWE header with the id of the key. */
  readonly header: string;
  readonly keyIds: readonly string[];
  readonly expiredKeyIds: readonly string[];
  /** In PEM. */
  readonly key: string;
}) => {
  const own = createPrivateKey(key);
  const algorithms = Object.keys(DIGESTS);
  return async (body: Buffer): Promise<Buffer | string> => {
    const token = tokenIn(body, field);
    const { alg, [header]: keyId } = headerOf(token);
    if (alg === undefined) return `The body is not encrypted: the field ${field} has no compact JWE.`;
    if (!algorithms.includes(alg)) return `The algorithm of the encryption is not ${algorithms.join(", ")}.`;
    if (expiredKeyIds.includes(String(keyId))) return "The encryption key has expired.";
    if (keyId !== undefined && !keyIds.includes(String(keyId)))
      return `The encryption key in the header ${header} is unknown.`;
    try {
      return Buffer.from((await compactDecrypt(token, own)).plaintext);
    } catch {
      return "The body is not encrypted with the key of this gateway.";
    }
  };
};

/** Returns the JWE algorithm with which a body is encrypted. */
export const algorithmOf = (body: Buffer, field: string): string =>
  headerOf(tokenIn(body, field)).alg ?? DEFAULT_ALGORITHM;

const tokenIn = (body: Buffer, field: string): string => {
  try {
    const { [field]: token } = fieldsIn(parsedJson(body.toString()));
    return typeof token === "string" ? token : "";
  } catch {
    return "";
  }
};

const headerOf = (token: string): Readonly<Record<string, unknown>> & { readonly alg?: string } => {
  try {
    return decodeProtectedHeader(token);
  } catch {
    return {};
  }
};
