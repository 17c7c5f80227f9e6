/** The key pair under which cards arrive encrypted: one for the process, since making one takes long. */
import { generateKeyPair, type KeyObject } from "node:crypto";
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

let pair: Promise<CardKeys> | undefined;

const make = async (): Promise<CardKeys> => {
  const { privateKey, publicKey } = await promisify(generateKeyPair)("rsa", { modulusLength: 2048 });
  const jwk = { ...publicKey.export({ format: "jwk" }), alg: "RSA-OAEP-256", use: "enc" };
  return { privateKey, publicJwk: JSON.stringify(jwk) };
};
