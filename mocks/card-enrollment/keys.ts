/** The key pair under which cards arrive encrypted: one for the process, since making one takes long. */
import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";

export interface CardKeys {
  readonly privateKey: KeyObject;
  /** Public JWK as JSON on one line. */
  readonly publicJwk: string;
}

/** Started early, it is ready when the first tenant is. */
export const cardKeys = (): Promise<CardKeys> => {
  pair ??= make();
  return pair;
};

/** In place of new ones, so that cards encrypted for another process can be sent to this one. @param pem PKCS #8 */
export const presetCardKeys = (pem: string): void => {
  pair = Promise.resolve(keysOf(createPrivateKey(pem)));
};

let pair: Promise<CardKeys> | undefined;

const make = async (): Promise<CardKeys> => {
  const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: 2048 });
  return keysOf(privateKey);
};

const keysOf = (privateKey: KeyObject): CardKeys => {
  const publicKey = createPublicKey(privateKey);
  const jwk = { ...publicKey.export({ format: "jwk" }), alg: "RSA-OAEP-256", use: "enc" };
  return { privateKey, publicJwk: JSON.stringify(jwk) };
};
