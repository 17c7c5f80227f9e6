/**
 * Encrypts a body as a compact JWE (RFC 7516, 7.1) with RSA-OAEP-256 and A256GCM, without waiting: the server sends each
 * answer before its handler returns.
 */
import { constants, createCipheriv, publicEncrypt, randomBytes } from "node:crypto";

export const seal = (plain: Buffer, publicPem: string): string => {
  const header = Buffer.from(JSON.stringify({ alg: "RSA-OAEP-256", enc: "A256GCM" })).toString("base64url");
  const [key, iv] = [randomBytes(32), randomBytes(12)];
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  const wrapped = publicEncrypt({ key: publicPem, padding, oaepHash: "sha256" }, key);
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(header));
  const encrypted = Buffer.concat([cipher.update(plain), cipher.final()]);
  const rest = [wrapped, iv, encrypted, cipher.getAuthTag()].map((part) => part.toString("base64url"));
  return [header, ...rest].join(".");
};
