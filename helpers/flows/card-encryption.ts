/** Encrypts a Card into a compact JWE (RFC 7516) for `encryptedCard`. */
import { createPublicKey, type JsonWebKey, type KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";

export interface CardEncryption {
  /** Returns the JSON of `card`, valid or not, as a compact JWE. */
  encrypt(card: unknown): Promise<string>;
}

/**
 * @param keyText a public JWK as JSON, the PEM text of a key or certificate, or the path of a file with one of them
 * @throws Error when it is none of these, or the key does not fit the algorithm; the message never contains the key
 */
export const createCardEncryption = (
  keyText: string,
  options: {
    /** JWE `alg`, for example `RSA-OAEP-256`; defaults to the `alg` of the JWK. */
    readonly alg?: string;
    /** JWE `enc`, for example `A256GCM`. */
    readonly enc?: string;
    /** The id of the key; defaults to the `kid` of the JWK. */
    readonly keyId?: string;
    /** The name of the JWE header with that id; defaults to `kid`. */
    readonly keyIdHeader?: string;
  } = {},
): CardEncryption => {
  const { key, kid, alg: named } = readKey(keyText);
  const alg = options.alg ?? named ?? DEFAULT_ALGORITHM;
  const enc = options.enc ?? DEFAULT_ENCRYPTION;
  requireSuitable(key, alg);
  const keyId = options.keyId ?? kid;
  const header = { alg, enc, ...(keyId && { [options.keyIdHeader ?? "kid"]: keyId }) };
  return {
    async encrypt(card) {
      // Only processes that encrypt load it.
      const { CompactEncrypt } = await import("jose");
      return new CompactEncrypt(new TextEncoder().encode(JSON.stringify(card)))
        .setProtectedHeader(header)
        .encrypt(key);
    },
  };
};

/** The document names no algorithms; these are common ones. */
const DEFAULT_ALGORITHM = "RSA-OAEP-256";
const DEFAULT_ENCRYPTION = "A256GCM";

const FORMS = "give a public JWK as JSON, a PEM text, or the path of a file with one of them";

interface ReadKey {
  readonly key: KeyObject;
  readonly kid?: string;
  readonly alg?: string;
}

const readKey = (keyText: string): ReadKey => {
  const text = isKeyItself(keyText) ? keyText : readKeyFile(keyText);
  return text.trimStart().startsWith("{") ? readJwk(text) : readPem(text);
};

const isKeyItself = (text: string): boolean =>
  text.trimStart().startsWith("{") || text.includes("-----BEGIN");

/** Reads the key file. The text may be a malformed key, so the message does not repeat it. */
const readKeyFile = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new Error(
      `The card encryption key is neither a JWK nor a PEM text, and no file with that name can be read: ${FORMS}.`,
    );
  }
};

const readJwk = (text: string): ReadKey => {
  try {
    const jwk = JSON.parse(text) as JsonWebKey & { kid?: string; alg?: string };
    const key = createPublicKey({ key: jwk, format: "jwk" });
    return { key, ...(jwk.kid ? { kid: jwk.kid } : {}), ...(jwk.alg ? { alg: jwk.alg } : {}) };
  } catch {
    throw new Error(`The card encryption key is JSON but not a public JWK: ${FORMS}.`);
  }
};

/** Reads a PEM text. A dotenv file may contain its line breaks as two characters. */
const readPem = (text: string): ReadKey => {
  try {
    return { key: createPublicKey(text.replaceAll("\\n", "\n")) };
  } catch {
    throw new Error(`The card encryption key is not a PEM text of a public key: ${FORMS}.`);
  }
};

const requireSuitable = (key: KeyObject, alg: string): void => {
  const needed = alg.startsWith("RSA-") ? ["rsa"] : ["ec", "x25519"];
  const type = String(key.asymmetricKeyType);
  if (needed.includes(type)) return;
  throw new Error(
    `The card encryption algorithm ${alg} needs a key of type ${needed.join(" or ")}, and the key is of type ${type}.`,
  );
};
