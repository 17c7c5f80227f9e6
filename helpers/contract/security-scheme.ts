/** A credential that calls have, in a place that the document names. */
export interface SecurityScheme {
  readonly name: string;
  /** Header that carries the key: `Cookie` for a cookie; empty for a parameter of the query. */
  readonly header: string;
  /** The place of a key that has no own header. */
  readonly place?: { readonly in: "query" | "cookie"; readonly name: string };
  /** The scheme of HTTP before the token in its header: `Bearer `. */
  readonly prefix?: string;
  /** How a client gets its token: the names of the configuration values for its credentials (RFC 6749, 4.4). */
  readonly grant?: {
    /** Address of the token endpoint. */
    readonly address: string;
    readonly id: string;
    readonly secret: string;
    /** The scopes to ask for, separated by spaces. */
    readonly scope: string;
  };
  /** Name of the configuration value that contains the key (`x-configuration`), if the user configures the key. */
  readonly configuration?: string;
}

/** A place where the documents have a secret, or may have one, although its name need not say so. */
export interface SecretPlace {
  readonly in: "header" | "query" | "cookie" | "body";
  readonly name: string;
  /** The names that the contract has for the field, if the provider's document gives it another: they may say so. */
  readonly ours?: readonly string[];
}
