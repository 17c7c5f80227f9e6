/**
 * The shape of a loaded contract: what one service promises, as data.
 *
 * A contract joins an OpenAPI document (operations, schemas) with a register of requirements. Requirements that
 * follow from a schema keyword or a status are derived from the document; the others stand in `requirements.yaml`.
 */

export const SERVICES = ["card-enrollment", "installments", "financial-data"] as const;
export type Service = (typeof SERVICES)[number];

/** How firmly a requirement stands: a deviation from an `assumed` one is an advisory, never a failure. */
export type Level = "documented" | "provider" | "assumed";

export type Hazard = "billable" | "destructive" | "locks-account" | "slow";

export interface Requirement {
  /** Dotted and public, for example `card-enrollment.request.consumer.firstName.max-length`. */
  readonly id: string;
  readonly service: Service;
  readonly level: Level;
  readonly statement: string;
  /** Document and section that state it, for example `card-enrollment.md, Consumer; Limits`. */
  readonly source: string;
  /** operationIds that it speaks about. */
  readonly operations: readonly string[];
  readonly kind: string;
  /** Whom it obliges. Only a `service` requirement is tried in a run against a service. */
  readonly subject: "service" | "client" | "listener";
  readonly observable: "from-outside" | "needs-setup" | "needs-clock" | "not-observable";
  readonly hazards: readonly Hazard[];
  /** What has to be in place before it can be tried. */
  readonly setup?: string;
}

export type HttpMethod = "GET" | "POST" | "PUT" | "DELETE" | "PATCH" | "HEAD" | "OPTIONS";

/** JSON Schema 2020-12 as a plain object; `$ref`s are local to the document (`#/components/schemas/…`). */
export type JsonSchema = { readonly [keyword: string]: unknown };

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header" | "cookie";
  readonly required: boolean;
  readonly schema: JsonSchema;
  readonly level: Level;
  /** The resource whose identifier it carries (`x-resource`), for example `customer`. */
  readonly resource?: string;
}

export interface MediaTypes {
  readonly [mediaType: string]: JsonSchema;
}

export interface RequestBody {
  readonly required: boolean;
  readonly content: MediaTypes;
  readonly level: Level;
  /** Id of the requirement that a request without a body is refused. */
  readonly requirement?: string;
}

export interface Response {
  readonly status: number;
  readonly description: string;
  readonly content: MediaTypes;
  readonly level: Level;
  /** Id of the requirement that a response of this status carries a body. */
  readonly requirement?: string;
}

export interface Operation {
  readonly operationId: string;
  readonly service: Service;
  readonly method: HttpMethod;
  /** Template below the base URL, for example `/customers/{customerId}`. */
  readonly path: string;
  readonly section: string;
  readonly level: Level;
  readonly deprecated: boolean;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: RequestBody;
  /** By status code as a string, for example `200`. */
  readonly responses: { readonly [status: string]: Response };
  /** Names of the security schemes of which all are required together. */
  readonly security: readonly string[];
  readonly hazards: readonly Hazard[];
}

export interface SecurityScheme {
  readonly name: string;
  /** Header that carries the key. */
  readonly header: string;
  /** Name of the configuration value that is the key (`x-configuration`), where the user configures it. */
  readonly configuration?: string;
}

/** One keyword at one place of a request or response body, and the requirement that it stands for. */
export interface Rule {
  readonly requirement: string;
  readonly operationId: string;
  readonly direction: "request" | "response";
  /** Response status; absent for a request. */
  readonly status?: number;
  /** Component schema in which the rule is written, when there is one: `Card`, `EnrollCardRequest`. */
  readonly schemaName?: string;
  /** Where the instance lies in the body, as a JSON pointer with `*` for an array item: `/consumer/firstName`. */
  readonly pointer: string;
  /** JSON Schema keyword; `required` belongs to the property that must be there, `optional` to one that may lack. */
  readonly keyword: string;
  /** Value of the keyword, for example `30` for `maxLength`. */
  readonly value: unknown;
  /** Schema of the instance at `pointer`, `$ref` at its top resolved. */
  readonly schema: JsonSchema;
  /** Pointer of the request field whose decrypted content `pointer` starts from: `/encryptedCard`. */
  readonly within?: string;
  /** Name of the `anyOf`/`oneOf` branch that the rule belongs to: `SampleError`. It holds for bodies of that shape. */
  readonly alternative?: string;
  readonly level: Level;
}

/** What the documents leave open and how a test treats it: observed, never failed. */
export interface Gap {
  readonly subject: string;
  readonly type: "not-shown" | "ambiguous" | "contradictory";
  readonly gap: string;
  readonly note: string;
}

export interface Contract {
  readonly service: Service;
  readonly version: string;
  /** `sha256-…` of all files that the contract was read from. */
  readonly digest: string;
  /** The provider's own document, when the user gave one. */
  readonly provider: { readonly file: string; readonly version: string; readonly digest: string } | null;
  /** Path that each base URL ends with, when the document states one. */
  readonly basePath: string;
  readonly operations: readonly Operation[];
  readonly securitySchemes: readonly SecurityScheme[];
  /** `components.schemas`, to compile validators from. */
  readonly schemas: { readonly [name: string]: JsonSchema };
  readonly rules: readonly Rule[];
  readonly requirements: readonly Requirement[];
  readonly gaps: readonly Gap[];
}
