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

/** The keys of OAuth 1.0a request signatures (RFC 5849) with RSA-SHA256 and a body hash. */
export interface Signing {
  readonly consumerKey: string;
  readonly privateKey: KeyObject;
}

/** Which parts of bodies are encrypted as compact JWE (RFC 7516), and the keys. */
export interface Sealing {
  /** By operationId; `*` for all others. */
  readonly operations: Readonly<Record<string, SealedPlaces>>;
  /** Encrypts requests. */
  readonly publicKey?: KeyObject;
  readonly keyId?: string;
  readonly alg: string;
  readonly enc: string;
  /** Decrypts responses. */
  readonly privateKey?: KeyObject;
}

/** JSON pointers: in a request from the plain value to its encryption, in a response the other way round. */
export interface SealedPlaces {
  readonly request?: Readonly<Record<string, string>>;
  readonly response?: Readonly<Record<string, string>>;
}
