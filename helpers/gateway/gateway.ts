/** The demands of a gateway in front of a service, besides those that the service documents. */
import type { KeyObject } from "node:crypto";

export interface Gateway {
  readonly connection: ConnectionSettings;
  /** Headers of every request, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signing?: Signing;
  readonly sealing?: Sealing;
}

/** The settings of a connection. Certificates and keys are PEM texts or PKCS#12 files, as Node's TLS reads them. */
export interface ConnectionSettings {
  /** The address of an HTTP(S) proxy. */
  readonly proxy?: string;
  readonly tls: {
    readonly ca?: string[];
    readonly cert?: string;
    readonly key?: string;
    readonly pfx?: Buffer;
    readonly passphrase?: string;
  };
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
