/** Reads the keys that certificates are signed and verified with. */
import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import { calculateJwkThumbprint, exportJWK, type JWK } from "jose";
import { ConfigurationError } from "../helpers/target/load-target.ts";

export interface Key {
  readonly key: KeyObject;
  /** Algorithms of RFC 7518 and RFC 8037 that this key may be used with, the preferred one first. */
  readonly algorithms: readonly string[];
  /** The id that its JWK has, else its thumbprint. */
  readonly id: string;
  /** RFC 7638, SHA-256. */
  readonly thumbprint: string;
}

/** @throws ConfigurationError when the file holds no private key that certificates can be signed with */
export const readPrivateKey = (file: string): Promise<Key> => readKey(file, "private");

/** @throws ConfigurationError when the file holds no public key that signatures can be verified with */
export const readPublicKey = (file: string): Promise<Key> => readKey(file, "public");

type Half = "private" | "public";

const FORMS: Readonly<Record<Half, string>> = {
  private: "a private key as JWK or PKCS#8 PEM",
  public: "a public key as JWK or PEM",
};

/** Says nothing of what the file holds: it may be a secret. */
const readKey = async (file: string, half: Half): Promise<Key> => {
  const refuse = (why: string): never => {
    throw new ConfigurationError(`The key file ${file} ${why} Give ${FORMS[half]}.`);
  };
  const text = textOf(file);
  const jwk = text.trimStart().startsWith("{") ? parsed(text) : undefined;
  if (jwk === null) return refuse("is no JSON.");
  if (holdsPrivate(text, jwk) !== (half === "private")) {
    return refuse(
      half === "private" ? "holds no private key." : "holds a private key, which nobody else should have.",
    );
  }
  if (text.includes("ENCRYPTED")) return refuse("is encrypted: decrypt it for the run.");
  const key = keyOf(text, jwk, half) ?? refuse("holds no key that can be read.");
  const algorithms = algorithmsOf(key, jwk?.alg);
  if (algorithms.length === 0) {
    return refuse("is of a kind that is not used here: Ed25519, P-256, and RSA of 2048 bits or more are.");
  }
  const exported = await exportJWK(half === "private" ? createPublicKey(key) : key);
  const thumbprint = await calculateJwkThumbprint(exported);
  return { key, algorithms, id: jwk?.kid ?? thumbprint, thumbprint };
};

const textOf = (file: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new ConfigurationError(`The key file can't be read: ${(error as Error).message}`);
  }
};

const parsed = (text: string): JWK | null => {
  try {
    return JSON.parse(text) as JWK;
  } catch {
    return null;
  }
};

const holdsPrivate = (text: string, jwk: JWK | undefined): boolean =>
  jwk ? jwk.d !== undefined : text.includes("PRIVATE KEY-----");

const keyOf = (text: string, jwk: JWK | undefined, half: Half): KeyObject | undefined => {
  const create = half === "private" ? createPrivateKey : createPublicKey;
  try {
    return jwk ? create({ key: jwk as import("node:crypto").JsonWebKey, format: "jwk" }) : create(text);
  } catch {
    return undefined;
  }
};

const LEAST_RSA_BITS = 2048;

const algorithmsOf = (key: KeyObject, wanted: string | undefined): string[] => {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  const able =
    type === "ed25519"
      ? ["EdDSA"]
      : type === "ec" && details?.namedCurve === "prime256v1"
        ? ["ES256"]
        : type === "rsa" && (details?.modulusLength ?? 0) >= LEAST_RSA_BITS
          ? ["PS256", "RS256"]
          : [];
  // RFC 9864 gives EdDSA with this curve a name of its own.
  const named = wanted === "Ed25519" ? "EdDSA" : wanted;
  return named === undefined ? able : able.filter((algorithm) => algorithm === named);
};
