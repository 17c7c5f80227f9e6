/** The demands of a gateway in front of a service, besides those that the service documents. */
import type { KeyObject } from "node:crypto";
import type { ConnectionSettings } from "../exchange/connections.ts";

export interface Gateway {
  readonly connection: ConnectionSettings;
  /** Headers of every request, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signing?: Signing;
  readonly sealing?: Sealing;
}

/** The keys of OAuth 1.0a request signatures (RFC 5849) with a body hash, and their dialect. */
export interface Signing extends SignatureDialect {
  readonly consumerKey: string;
  readonly privateKey: KeyObject;
}

export interface SignatureDialect {
  readonly encoding: (typeof ENCODINGS)[number];
  readonly method: (typeof METHODS)[number];
}

/**
 * `rfc`: RFC 5849 encodes OAuth parameters in the header, and once more in the base string; `single`: many gateways have
 * them as they are in the header, and encode them in the base string only.
 */
export const ENCODINGS = ["rfc", "single"] as const;

/** The names of the signature methods in the header. RSA-PSS has SHA-256 too. */
export const METHODS = ["RSA-SHA256", "RSA-PSS"] as const;

/** Which parts of bodies are encrypted as compact JWE (RFC 7516), and the keys. */
export interface Sealing {
  /** By operationId; `*` for all others. */
  readonly operations: Readonly<Record<string, SealedPlaces>>;
  /** Encrypts requests. */
  readonly publicKey?: KeyObject;
  readonly keyId?: string;
  /** The name of the JWE header with the id of the key. */
  readonly keyIdHeader: string;
  readonly alg: string;
  readonly enc: string;
  /** Decrypts responses. */
  readonly privateKey?: KeyObject;
  /** Refuses responses that are not encrypted exactly as RFC 7518 says. */
  readonly strict?: boolean;
}

/** JSON pointers: in a request from the plain value to its encryption, in a response the other way round. */
export interface SealedPlaces {
  readonly request?: Readonly<Record<string, string>>;
  readonly response?: Readonly<Record<string, string>>;
}
