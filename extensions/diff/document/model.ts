/**
 * The diff's model of an OpenAPI document: each operation with everything that is sent or received, without references.
 */

import type { SourceFile } from "../../../helpers/contract/documents/source-file.ts";
import type { Json } from "../../../helpers/contract/json.ts";

/** A value of the old document and one of the new document. */
export type Both<Value> = Readonly<Record<"old" | "new", Value>>;

export interface Schemas {
  readonly [name: string]: unknown;
}

/** The sender of a message. A schema with `readOnly` or `writeOnly` has a different meaning for each sender. */
export type Sender = "caller" | "service";

/**
 * Returns the document that allows a message, then the document that may refuse it. Callers follow the old document,
 * and services follow the new one.
 */
export const sidesOf = (sender: Sender): readonly ["old", "new"] | readonly ["new", "old"] =>
  sender === "caller" ? ["old", "new"] : ["new", "old"];

/** Returns the senders of an operation's request and response. */
export const sendersOf = ({ kind }: Pick<ApiOperation, "kind">): Record<"request" | "response", Sender> =>
  kind === "call" ? { request: "caller", response: "service" } : { request: "service", response: "caller" };

/** A part of a document that several operations may share, and its owner. */
export interface Owned {
  /** `schema Customer`, `parameter Limit`, or the operation itself: `GET /customers`. */
  readonly owner: string;
}

/** A part of a document that may be announced to end. */
export interface Removable {
  readonly deprecated: boolean;
  /** The announced last day (`x-sunset`). */
  readonly sunset: string | undefined;
}

export interface Content {
  /** JSON Schema 2020-12 by media type; `true` if the document gives no schema. */
  readonly [mediaType: string]: unknown;
}

export interface ApiParameter extends Owned, Removable {
  readonly name: string;
  readonly in: "path" | "query" | "header" | "cookie";
  readonly required: boolean;
  readonly schema: unknown;
  readonly style: string;
  readonly explode: boolean;
  readonly allowReserved: boolean;
  readonly allowEmptyValue: boolean;
  /** Set if the value is encoded in a media type (`content`) instead of a style. */
  readonly mediaType?: string;
}

export interface ApiResponse extends Owned {
  readonly headers: readonly ApiParameter[];
  readonly content: Content;
}

/** A credential as it is sent: `header X-Key`, `Authorization: Bearer`; with its scopes, if any. */
export interface Credential {
  readonly scheme: string;
  readonly wire: string;
  readonly scopes: readonly string[];
}

/** The alternatives for credentials. Each alternative requires all of its credentials. */
export interface Security extends Owned {
  readonly alternatives: readonly (readonly Credential[])[];
}

export interface Servers extends Owned {
  readonly urls: readonly string[];
  /** The variables of each address, without their texts. */
  readonly variables: readonly unknown[];
}

export interface ApiOperation extends Removable {
  /** A key that is equal in both documents for the same operation: `GET /customers/{}`, `delivery paid POST`. */
  readonly key: string;
  /** `delivery`: a callback or webhook, whose request the service sends. */
  readonly kind: "call" | "delivery";
  /** `GET /customers/{customerId}`. */
  readonly label: string;
  /** Its place in the document. */
  readonly pointer: string;
  readonly operationId: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly ApiParameter[];
  readonly body: (Owned & { readonly required: boolean; readonly content: Content }) | undefined;
  /** Responses by `200`, `2XX` or `default`. */
  readonly responses: Readonly<Record<string, ApiResponse>>;
  readonly security: Security;
  readonly servers: Servers;
  /** What else the document says about it, by the rule that compares it; absent on a side that says nothing. */
  readonly facts: Readonly<Record<"tags" | "stability" | "encoding", unknown>>;
  /** Extensions that state a limit, such as `x-rate-limit`. */
  readonly limits: Readonly<Record<string, unknown>>;
}

export interface ApiDocument {
  /** The name of the file in messages: its path relative to the working directory. */
  readonly file: string;
  readonly version: string;
  readonly digest: string;
  readonly root: Json;
  /** The text of the main file. */
  readonly source: SourceFile;
  readonly operations: readonly ApiOperation[];
  /** Component schemas for each sender. Both senders share one object if their schemas do not differ. */
  readonly schemas: Readonly<Record<Sender, Schemas>>;
  /** The form on the wire and the settings of each security scheme. */
  readonly securitySchemes: Readonly<Record<string, Json>>;
}

/** Whether a listed status is a success; `default` is one if no other status is (OpenAPI, Responses Object). */
export const isSuccess = (status: string, responses: ApiOperation["responses"]): boolean =>
  status.startsWith("2") ||
  (status === "default" && !Object.keys(responses).some((one) => one.startsWith("2")));

/** Returns the response of the status itself, or else of its range, or else `default`. */
export const responseFor = ({ responses }: ApiOperation, status: string): ApiResponse | undefined =>
  responses[status] ?? responses[`${status[0]}XX`] ?? responses.default;
