/** The settings of gateways. Every service has the same ones, after its prefix: `PARCELS_SIGNING_KEY`. */
import { settingPrefix } from "../contract/services.ts";

export interface GatewaySetting {
  readonly name: string;
  readonly meaning: string;
  readonly secret: boolean;
  readonly header: boolean;
}

const SETTINGS: Readonly<
  Record<string, { readonly meaning: string; readonly secret?: true; readonly header?: true }>
> = {
  HEADERS: { meaning: "fixed headers of every request, as a JSON object", secret: true, header: true },
  PROXY: { meaning: "address of an HTTP(S) proxy; HTTPS_PROXY or HTTP_PROXY if not set", secret: true },
  CA: { meaning: "PEM file with the certificates of a private authority" },
  CLIENT_CERTIFICATE: { meaning: "client certificate: a PEM file, or a PKCS#12 file with its key" },
  CLIENT_KEY: { meaning: "PEM file with the key of the client certificate" },
  CLIENT_KEY_PASSWORD: { meaning: "password of the client certificate or its key", secret: true },
  CONSUMER_KEY: { meaning: "consumer key of OAuth 1.0a signatures", secret: true },
  SIGNING_KEY: { meaning: "RSA key of the signatures: a PEM or PKCS#12 file" },
  SIGNING_KEY_PASSWORD: { meaning: "password of the signing key", secret: true },
  SIGNATURE_ENCODING: { meaning: "encoding of signatures: rfc, or single; rfc if not set" },
  SIGNATURE_METHOD: { meaning: "method of signatures: RSA-SHA256 or RSA-PSS; RSA-SHA256 if not set" },
  BODY_ENCRYPTION: { meaning: "YAML file: which parts of which bodies are encrypted" },
  BODY_ENCRYPTION_KEY: { meaning: "public key for requests: a PEM or JWK file" },
  BODY_ENCRYPTION_KEY_ID: { meaning: "id of that key, if the service asks for one" },
  BODY_ENCRYPTION_ENC: { meaning: "JWE content encryption of requests; A256GCM if not set" },
  BODY_DECRYPTION_KEY: { meaning: "private key for responses: a PEM, JWK or PKCS#12 file" },
  BODY_DECRYPTION_KEY_PASSWORD: { meaning: "password of that key", secret: true },
};

export type GatewayKey = keyof typeof SETTINGS;

export const gatewaySettings = (service: string): GatewaySetting[] =>
  Object.entries(SETTINGS).map(([key, { meaning, secret = false, header = false }]) => ({
    name: gatewaySetting(service, key),
    meaning,
    secret,
    header,
  }));

/** `parcel-pickup`, `CA` -> `PARCEL_PICKUP_CA`. */
export const gatewaySetting = (service: string, key: GatewayKey): string => `${settingPrefix(service)}${key}`;

/** Returns the fixed headers of a service by lower-case name; `undefined` if the text is not an object of headers. */
export const fixedHeaders = (text: string): Record<string, string> | undefined => {
  try {
    const rows = Object.entries(JSON.parse(text) as Record<string, unknown>);
    return rows.every(([name, value]) => HEADER_NAME.test(name) && typeof value === "string")
      ? Object.fromEntries(rows.map(([name, value]) => [name.toLowerCase(), value as string]))
      : undefined;
  } catch {
    return undefined;
  }
};

/** RFC 9110, 5.1. */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/** The settings of proxies that all services share, with the names that other tools use. */
export const PROXY_SETTINGS: readonly GatewaySetting[] = [
  { name: "HTTP_PROXY", meaning: "proxy for http addresses", secret: true, header: false },
  { name: "HTTPS_PROXY", meaning: "proxy for https addresses", secret: true, header: false },
  {
    name: "NO_PROXY",
    meaning: "hosts that are called without a proxy, as in localhost,.example.com",
    secret: false,
    header: false,
  },
];
