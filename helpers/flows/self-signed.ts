/** Creates self-signed certificates, for HTTPS clients that do not verify the server. */
import { generateKeyPairSync, sign } from "node:crypto";

/**
 * Creates a new certificate each time, so that no key has to be stored (RFC 5280, 4.1).
 * @param host host name of the certificate
 * @returns certificate and key in PEM
 */
export const selfSigned = (host: string): { readonly cert: string; readonly key: string } => {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = der(SEQUENCE, ECDSA_WITH_SHA256);
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8_STRING, Buffer.from(host)))));
  const validity = der(SEQUENCE, utcTime("200101000000Z"), utcTime("491231235959Z"));
  const spki = publicKey.export({ type: "spki", format: "der" });
  const body = der(SEQUENCE, der(INTEGER, Buffer.from([1])), algorithm, name, validity, name, spki);
  const signature = der(BIT_STRING, Buffer.from([0]), sign("sha256", body, privateKey));
  const certificate = der(SEQUENCE, body, algorithm, signature).toString("base64");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
  };
};

const INTEGER = 0x02;
const BIT_STRING = 0x03;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const SEQUENCE = 0x30;
const SET = 0x31;

/** Encodes one value in DER (X.690, 8.1). */
const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const length =
    content.length < 0x80
      ? [content.length]
      : content.length < 0x100
        ? [0x81, content.length]
        : [0x82, content.length >> 8, content.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
};

const utcTime = (text: string): Buffer => der(UTC_TIME, Buffer.from(text));

const ECDSA_WITH_SHA256 = Buffer.from("06082a8648ce3d040302", "hex");
const COMMON_NAME = Buffer.from("0603550403", "hex");
