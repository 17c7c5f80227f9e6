/** Encrypts and decrypts bodies that have a compact JWE (RFC 7516, 7.1) in one of their fields. */
import { constants, createCipheriv, createPrivateKey, publicEncrypt, randomBytes } from "node:crypto";
import { decodeProtectedHeader } from "jose";
import { IV_BYTES, OAEP_DIGESTS, type OpenedJwe, openJwe } from "../../../helpers/contract/compact-jwe.ts";
import { fieldsIn } from "../values/fields.ts";
import { parsedJson } from "../values/parsed-json.ts";

const DEFAULT_ALGORITHM = "RSA-OAEP-256";

/** Encrypts with A256GCM, without waiting: the server sends each answer before its handler returns. */
export const seal = (plain: Buffer, publicPem: string, alg = DEFAULT_ALGORITHM): string => {
  const header = Buffer.from(JSON.stringify({ alg, enc: "A256GCM" })).toString("base64url");
  const [key, iv] = [randomBytes(32), randomBytes(IV_BYTES)];
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  const wrapped = publicEncrypt({ key: publicPem, padding, oaepHash: OAEP_DIGESTS[alg] }, key);
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
  strict,
}: {
  readonly field: string;
  /** The JWE header with the id of the key. */
  readonly header: string;
  readonly keyIds: readonly string[];
  readonly expiredKeyIds: readonly string[];
  /** In PEM. */
  readonly key: string;
  /** Refuses tokens that differ from the standards. */
  readonly strict?: boolean;
}) => {
  const own = createPrivateKey(key);
  const algorithms = Object.keys(OAEP_DIGESTS);
  return async (body: Buffer): Promise<OpenedJwe | string> => {
    const token = tokenIn(body, field);
    const { alg, [header]: keyId } = headerOf(token);
    if (alg === undefined) return `The body is not encrypted: the field ${field} has no compact JWE.`;
    if (!algorithms.includes(alg)) return `The algorithm of the encryption is not ${algorithms.join(", ")}.`;
    if (expiredKeyIds.includes(String(keyId))) return "The encryption key has expired.";
    if (keyId !== undefined && !keyIds.includes(String(keyId)))
      return `The encryption key in the header ${header} is unknown.`;
    try {
      const opened = await openJwe(token, own);
      return strict && opened.difference ? `The encryption has ${opened.difference}.` : opened;
    } catch {
      return "The body is not encrypted with the key of this gateway.";
    }
  };
};

/** Returns the JWE algorithms with which a body is encrypted. */
export const algorithmsOf = (body: Buffer, field: string) => {
  const { alg = DEFAULT_ALGORITHM, enc } = headerOf(tokenIn(body, field));
  return { alg, enc };
};

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
