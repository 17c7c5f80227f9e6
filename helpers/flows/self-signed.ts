/** Creates self-signed certificates, for HTTPS clients that do not verify the server. */
import { generateKeyPairSync } from "node:crypto";
import { createRequire } from "node:module";

/**
 * Creates a new certificate each time, so that no key has to be stored (RFC 5280, 4.1).
 * @param host host name of the certificate
 * @returns certificate and key in PEM
 */
export const selfSigned = (host: string): { readonly cert: string; readonly key: string } => {
  // Loads the library only when it is needed.
  const { pki, md } = createRequire(import.meta.url)("node-forge") as typeof import("node-forge");
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const certificate = pki.createCertificate();
  certificate.publicKey = pki.publicKeyFromPem(publicKey.export({ type: "spki", format: "pem" }).toString());
  certificate.validity.notBefore = new Date("2020-01-01");
  certificate.validity.notAfter = new Date("2049-12-31");
  const name = [{ name: "commonName", value: host }];
  certificate.setSubject(name);
  certificate.setIssuer(name);
  certificate.sign(pki.privateKeyFromPem(key), md.sha256.create());
  return { key, cert: pki.certificateToPem(certificate) };
};
