/** The key pair for encrypted cards. All tenants of the process share it, since generating one takes long. */
import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";

export interface CardKeys {
  readonly privateKey: KeyObject;
  /** The public JWK as JSON on one line. */
  readonly publicJwk: string;
}

/** JWE algorithms for the key and for the content (RFC 7518). */
export interface Algorithms {
  readonly alg: string;
  readonly enc: string;
  /** Algorithms for the key that are accepted too. The document names none. */
  readonly others?: readonly string[];
}

export const ALGORITHMS: Algorithms = {
  ...{ alg: "RSA-OAEP-256", enc: "A256GCM" },
  others: ["RSA-OAEP", "RSA-OAEP-384", "RSA-OAEP-512"],
};
export const OTHER_ALGORITHMS: Algorithms = { alg: "RSA-OAEP-512", enc: "A128CBC-HS256" };

/** Returns the keys, and generates them at the first call. */
export const cardKeys = (): Promise<CardKeys> => {
  pair ??= make();
  return pair;
};

/** Sets the keys, so that this process can decrypt cards encrypted for another process. @param pem PKCS #8 */
export const presetCardKeys = (pem: string): void => {
  pair = Promise.resolve(keysIn(pem));
};

/** @param pem PKCS #8 */
export const keysIn = (pem: string): CardKeys => keysOf(createPrivateKey(pem));

export const pemOf = ({ privateKey }: CardKeys): string =>
  privateKey.export({ type: "pkcs8", format: "pem" }).toString();

let pair: Promise<CardKeys> | undefined;

const make = async (): Promise<CardKeys> => {
  const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: 2048 });
  return keysOf(privateKey);
};

const keysOf = (privateKey: KeyObject): CardKeys => {
  const publicKey = createPublicKey(privateKey);
  const jwk = { ...publicKey.export({ format: "jwk" }), alg: ALGORITHMS.alg, use: "enc" };
  return { privateKey, publicJwk: JSON.stringify(jwk) };
};
