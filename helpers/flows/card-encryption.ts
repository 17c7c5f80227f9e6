/** Encrypts fields of bodies, such as a Card, into a compact JWE (RFC 7516), with the keys in the settings of a target. */
import type { KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import { publicKeyIn, sealJwe } from "../contract/compact-jwe.ts";
import type { Service } from "../contract/contract.ts";
import { type Setting, serviceDescriptor } from "../contract/services.ts";
import { ConfigurationError } from "../target/load-target.ts";
import type { Target } from "../target/target.ts";

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
  const { key, ...named } = readKey(keyText);
  const { alg = named.alg ?? DEFAULT_ALGORITHM, enc = DEFAULT_ENCRYPTION } = options;
  requireSuitable(key, alg);
  const { keyId = named.keyId, keyIdHeader = "kid" } = options;
  return { encrypt: (card) => sealJwe(JSON.stringify(card), key, { alg, enc, keyId, keyIdHeader }) };
};

/** The document names no algorithms; these are common ones. */
const DEFAULT_ALGORITHM = "RSA-OAEP-256";
const DEFAULT_ENCRYPTION = "A256GCM";

const FORMS = "give a public JWK as JSON, a PEM text, or the path of a file with one of them";

/** The text may be a malformed key, so the message does not repeat it. A dotenv file may contain line breaks as two characters. */
const readKey = (keyText: string): ReturnType<typeof publicKeyIn> => {
  const isKeyItself = keyText.trimStart().startsWith("{") || keyText.includes("-----BEGIN");
  try {
    return publicKeyIn(isKeyItself ? Buffer.from(keyText.replaceAll("\\n", "\n")) : readFileSync(keyText));
  } catch {
    throw new Error(`The card encryption key is no public key, and no file with one: ${FORMS}.`);
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

/**
 * Returns the encryption of a service; `undefined` if no key is configured.
 * @throws ConfigurationError when the key cannot be used
 */
export const configuredEncryption = (
  { values }: Pick<Target, "values">,
  service: Service,
): CardEncryption | undefined => {
  const { name = "", encryption } = keySetting(service) ?? {};
  const key = values[name];
  if (key === undefined || encryption === undefined) return undefined;
  const options = Object.entries(encryption).map(([option, setting]) => [option, values[setting]]);
  try {
    return createCardEncryption(key, Object.fromEntries(options.filter(([, value]) => value)));
  } catch (error) {
    throw unusable(name, error);
  }
};

/** Tries each configured key. @throws ConfigurationError when a key or an algorithm cannot be used */
export const requireEncryption = async (target: Target, services: readonly Service[]): Promise<void> => {
  for (const service of services) {
    const { encryption } = keySetting(service) ?? {};
    await configuredEncryption(target, service)
      ?.encrypt("")
      .catch((error: unknown) => {
        throw unusable(`${encryption?.alg} or ${encryption?.enc}`, error);
      });
  }
};

const keySetting = (service: Service): Setting | undefined =>
  serviceDescriptor(service).settings.find(({ encryption }) => encryption !== undefined);

const unusable = (name: string, error: unknown): ConfigurationError =>
  new ConfigurationError(`${name}: ${(error as Error).message}`);
