/** The contract of a service that was made from an OpenAPI document, with what its user may set. */
import type { Json } from "../../../helpers/contract/json.ts";
import type { AssumedRelation } from "./relations.ts";

/** The end of the ids of requirements about methods that a path does not list. */
export const UNLISTED = "unlisted-method";

/** A key that calls of the service have. */
export interface Key {
  /** The name of its security scheme. */
  readonly scheme: string;
  readonly in: "header" | "query" | "cookie";
  readonly name: string;
}

export interface Converted {
  /** The version and the digest of the document. */
  readonly version: string;
  readonly digest: string;
  readonly root: Json;
  /** With the statuses that refuse a call without credentials: none if it needs no credentials. */
  readonly operations: readonly {
    readonly operationId: string;
    readonly unauthenticated: readonly number[];
  }[];
  readonly settings: readonly DocumentSetting[];
  readonly relations: readonly AssumedRelation[];
  /** The security schemes of the document, by name. */
  readonly schemes: Readonly<Record<string, Json>>;
}

/** A setting of a target: its name in the environment, and what it is. */
export interface DocumentSetting {
  readonly name: string;
  readonly meaning: string;
  readonly resource?: string;
  /** The names of the parameters that identify the resource. */
  readonly parameters?: readonly string[];
  /** An identifier that the document names as an example. */
  readonly example?: string;
  /** Whether an operation creates such a resource. */
  readonly isCreated?: boolean;
  /** The key whose value it is. */
  readonly key?: Key;
  /** The name in the option `--key` of a credential that gets a token. */
  readonly field?: string;
  readonly account?: "own";
  /** A value that the document states. */
  readonly value?: string;
}

/** Returns the ids of the requirements that rules of bodies get. */
export const ruleIds = () => {
  const of = (direction: string) => {
    const base = `{operationId}.${direction}`;
    return { base, string: `${base}.body`, other: `${base}.body` };
  };
  const alternative = "{operationId}.response.shape";
  const request = { ...of("request"), whole: "{operationId}.request.body" };
  return { request, response: { ...of("response"), alternative } };
};
