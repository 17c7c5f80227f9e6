/** Reads keys and certificates that the user configured: PEM, JWK or PKCS#12. Messages never contain a key. */
import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { certificateIn, isJson, jwkOf, publicKeyIn } from "../contract/compact-jwe.ts";
import { ConfigurationError } from "../target/load-target.ts";

/** A setting that names a file, and the setting with the password of the file. */
export interface KeyFile {
  readonly setting: string;
  readonly path: string;
  readonly password?: string;
  readonly passwordSetting: string;
}

/** @throws ConfigurationError */
export const readKeyFile = ({ setting, path }: Pick<KeyFile, "setting" | "path">): Buffer => {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new ConfigurationError(`${setting}: the file can't be read: ${(error as Error).message}`);
  }
};

export const isPem = (content: Buffer): boolean => content.includes("-----BEGIN ");

/** @throws ConfigurationError */
export const readPrivateKey = (file: KeyFile): KeyObject => {
  const content = readKeyFile(file);
  const { password } = file;
  if (!isPem(content) && !isJson(content)) return readContainer(file, content).key;
  try {
    if (isJson(content)) return createPrivateKey({ key: jwkOf(content), format: "jwk" });
    return createPrivateKey({ key: content, ...(password !== undefined && { passphrase: password }) });
  } catch {
    throw new ConfigurationError(
      `${file.setting}: the file has no private key that can be read: give a PEM, JWK or PKCS#12 file, and its password in ${file.passwordSetting}.`,
    );
  }
};

/** Reads a public key, a certificate, or a public JWK, with the id of the key. @throws ConfigurationError */
export const readPublicKey = (file: Pick<KeyFile, "setting" | "path">): ReturnType<typeof publicKeyIn> => {
  const content = readKeyFile(file);
  const certificate = certificateIn(content);
  if (certificate) requireValid(file.setting, certificate);
  try {
    return publicKeyIn(content);
  } catch {
    throw new ConfigurationError(
      `${file.setting}: the file has no public key: give a PEM public key, a PEM certificate or a public JWK.`,
    );
  }
};

/** The private key and the certificate in a PKCS#12 file. @throws ConfigurationError */
export const readContainer = (
  { setting, password = "", passwordSetting }: KeyFile,
  content: Buffer,
): { readonly key: KeyObject; readonly certificate?: X509Certificate } => {
  // Loads the library only when it is needed.
  const forge = createRequire(import.meta.url)("node-forge") as typeof import("node-forge");
  const { oids } = forge.pki;
  try {
    const asn1 = forge.asn1.fromDer(content.toString("binary"));
    const container = forge.pkcs12.pkcs12FromAsn1(asn1, password);
    const bags = (type: string | undefined) =>
      type === undefined ? [] : (container.getBags({ bagType: type })[type] ?? []);
    const key = [...bags(oids.pkcs8ShroudedKeyBag), ...bags(oids.keyBag)].find((bag) => bag.key)?.key;
    if (!key) throw new Error("no key");
    const certificate = bags(oids.certBag).find((bag) => bag.cert)?.cert;
    return {
      key: createPrivateKey(forge.pki.privateKeyToPem(key)),
      ...(certificate && { certificate: new X509Certificate(forge.pki.certificateToPem(certificate)) }),
    };
  } catch {
    throw new ConfigurationError(
      `${setting}: the file is not a PKCS#12 file with an RSA key, or ${passwordSetting} is not its password.`,
    );
  }
};

/** Reads a certificate that is valid now. @throws ConfigurationError */
export const readCertificate = (file: Pick<KeyFile, "setting" | "path">): X509Certificate => {
  const certificate = certificateIn(readKeyFile(file));
  if (certificate === undefined)
    throw new ConfigurationError(`${file.setting}: the file has no certificate: give a PEM or DER file.`);
  requireValid(file.setting, certificate);
  return certificate;
};

/** @throws ConfigurationError when the certificate is not valid now */
export const requireValid = (setting: string, certificate: X509Certificate): void => {
  const now = Date.now();
  if (now > Date.parse(certificate.validTo)) {
    throw new ConfigurationError(
      `${setting}: the certificate expired on ${certificate.validTo}. Ask for a new one.`,
    );
  }
  if (now < Date.parse(certificate.validFrom)) {
    throw new ConfigurationError(`${setting}: the certificate is not valid before ${certificate.validFrom}.`);
  }
};
