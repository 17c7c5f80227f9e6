/** The test keys of the sandbox's gateway: generated at its start, and removed at its end. */
import { createHash, createPublicKey, generateKeyPairSync, randomBytes, X509Certificate } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { isIP } from "node:net";
import { join } from "node:path";
import { temporaryFolder } from "../../../helpers/contract/process-end.ts";

/** Opens a folder that only this user can read. `write` returns the path of the file. */
export const openKeyFolder = () => {
  const folder = temporaryFolder("gateway");
  return {
    write(name: string, content: string | Buffer): string {
      const path = join(folder, name);
      writeFileSync(path, content, { mode: 0o600 });
      return path;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};

/** An RSA key pair in PEM. */
export interface KeyPair {
  readonly publicPem: string;
  readonly privatePem: string;
}

export const rsaKeys = (): KeyPair => {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return {
    publicPem: publicKey.export({ type: "spki", format: "pem" }).toString(),
    privatePem: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
};

/** A certificate in PEM with its keys. */
export interface Certified extends KeyPair {
  readonly certificatePem: string;
}

/** Returns the SHA-256 fingerprints of a certificate and of its key, which are common as ids of the key. */
export const fingerprintsOf = ({ certificatePem, publicPem }: Certified): string[] =>
  [
    new X509Certificate(certificatePem).raw,
    createPublicKey(publicPem).export({ type: "spki", format: "der" }),
  ].flatMap((der) => {
    const digest = createHash("sha256").update(der).digest();
    return [digest.toString("hex"), digest.toString("base64url")];
  });

/** Loads the library only when a certificate is needed. */
const loadForge = (): typeof import("node-forge") =>
  createRequire(import.meta.url)("node-forge") as typeof import("node-forge");

const DAY_MS = 86_400_000;
const LIFE_MS = 365 * DAY_MS;

export const certified = ({
  name,
  issuer,
  hasExpired,
  hosts,
  keys = rsaKeys(),
}: {
  readonly name: string;
  /** Absent for a self-signed authority. */
  readonly issuer?: Certified;
  readonly hasExpired?: true;
  /** The names and addresses of a server. */
  readonly hosts?: readonly string[];
  /** New ones if absent. */
  readonly keys?: KeyPair;
}): Certified => {
  const forge = loadForge();
  const certificate = forge.pki.createCertificate();
  const now = Date.now();
  certificate.publicKey = forge.pki.publicKeyFromPem(keys.publicPem);
  // Browsers refuse a second certificate of an issuer with the same number.
  certificate.serialNumber = `01${randomBytes(8).toString("hex")}`;
  certificate.validity.notBefore = new Date(now - 2 * DAY_MS);
  certificate.validity.notAfter = new Date(now + (hasExpired ? -DAY_MS : LIFE_MS));
  certificate.setSubject([{ name: "commonName", value: name }]);
  const authority = issuer && forge.pki.certificateFromPem(issuer.certificatePem);
  certificate.setIssuer((authority ?? certificate).subject.attributes);
  const keyIdentifier = (authority ?? certificate).generateSubjectKeyIdentifier().getBytes();
  // RFC 5280, 4.2: strict clients refuse certificates without these.
  certificate.setExtensions([
    { name: "basicConstraints", cA: issuer === undefined, critical: true },
    { name: "keyUsage", critical: true, digitalSignature: true, ...usageOf(issuer) },
    { name: "subjectKeyIdentifier" },
    { name: "authorityKeyIdentifier", keyIdentifier },
    ...(hosts ? ofServer(hosts) : []),
  ]);
  certificate.sign(forge.pki.privateKeyFromPem((issuer ?? keys).privatePem), forge.md.sha256.create());
  return { ...keys, certificatePem: forge.pki.certificateToPem(certificate) };
};

const ofServer = (hosts: readonly string[]): object[] => [
  { name: "extKeyUsage", serverAuth: true },
  { name: "subjectAltName", altNames: hosts.map(alternativeName) },
];

const usageOf = (issuer: Certified | undefined): object =>
  issuer === undefined ? { keyCertSign: true, cRLSign: true } : { keyEncipherment: true };

/** RFC 5280, 4.2.1.6: kind 2 is a DNS name, kind 7 an address. */
const alternativeName = (host: string): object =>
  isIP(host) === 0 ? { type: 2, value: host } : { type: 7, ip: host };

/** Returns a PKCS#12 file with a key and its certificate. */
export const container = ({ privatePem, certificatePem }: Certified, password: string): Buffer => {
  const forge = loadForge();
  const asn1 = forge.pkcs12.toPkcs12Asn1(
    forge.pki.privateKeyFromPem(privatePem),
    [forge.pki.certificateFromPem(certificatePem)],
    password,
    { algorithm: "aes256" },
  );
  return Buffer.from(forge.asn1.toDer(asn1).getBytes(), "binary");
};
