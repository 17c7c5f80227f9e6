/** Reads the keys that certificates are signed and verified with. */
import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from "node:crypto";
import { calculateJwkThumbprint, exportJWK, type JWK } from "jose";
import { ConfigurationError, readGiven } from "../../helpers/target/load-target.ts";

export interface Key {
  readonly key: KeyObject;
  /** The algorithms of RFC 7518 and RFC 8037 that this key supports, the preferred one first. */
  readonly algorithms: readonly string[];
  /** The `kid` of the JWK, or else the thumbprint. */
  readonly id: string;
  /** The SHA-256 thumbprint (RFC 7638). */
  readonly thumbprint: string;
}

/** @throws ConfigurationError when the file holds no private key that certificates can be signed with */
export const readPrivateKey = (file: string): Promise<Key> => readKey(file, "private");

/** @throws ConfigurationError when the file holds no public key that signatures can be verified with */
export const readPublicKey = (file: string): Promise<Key> => readKey(file, "public");

const HALVES = {
  private: {
    form: "a private key as JWK or PKCS#8 PEM",
    create: createPrivateKey,
    wrong: "holds no private key.",
  },
  public: {
    form: "a public key as JWK or PEM",
    create: createPublicKey,
    wrong: "holds a private key, which must stay with the signer.",
  },
} as const;

/** Reads a key. Errors never quote the file: it may hold a secret. */
const readKey = async (file: string, half: keyof typeof HALVES): Promise<Key> => {
  const { form, create, wrong } = HALVES[half];
  const refuse = (why: string): never => {
    throw new ConfigurationError(`The key file ${file} ${why} Give ${form}.`);
  };
  const text = readGiven("The key file", file);
  const jwk = text.trimStart().startsWith("{")
    ? (attempt(() => JSON.parse(text) as JWK) ?? refuse("is not JSON."))
    : undefined;
  const isPrivate = jwk ? jwk.d !== undefined : text.includes("PRIVATE KEY-----");
  if (isPrivate !== (half === "private")) return refuse(wrong);
  if (text.includes("ENCRYPTED")) return refuse("is encrypted: decrypt it for the run.");
  const key =
    attempt(() => create(jwk ? { key: jwk as JsonWebKey, format: "jwk" } : text)) ??
    refuse("holds no key that can be read.");
  const algorithms = algorithmsOf(key, jwk?.alg);
  if (algorithms.length === 0) {
    return refuse("has an unsupported type: use Ed25519, P-256, or RSA with at least 2048 bits.");
  }
  const exported = await exportJWK(half === "private" ? createPublicKey(key) : key);
  const thumbprint = await calculateJwkThumbprint(exported);
  return { key, algorithms, id: jwk?.kid ?? thumbprint, thumbprint };
};

const attempt = <T>(make: () => T): T | undefined => {
  try {
    return make();
  } catch {
    return undefined;
  }
};

const LEAST_RSA_BITS = 2048;

const algorithmsOf = (key: KeyObject, wanted: string | undefined): string[] => {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  const able: string[] = [];
  if (type === "ed25519") able.push("EdDSA");
  if (type === "ec" && details?.namedCurve === "prime256v1") able.push("ES256");
  if (type === "rsa" && (details?.modulusLength ?? 0) >= LEAST_RSA_BITS) able.push("PS256", "RS256");
  // RFC 9864 names EdDSA with this curve `Ed25519`.
  const named = wanted === "Ed25519" ? "EdDSA" : wanted;
  return named === undefined ? able : able.filter((algorithm) => algorithm === named);
};
