/**
 * The shape of a loaded contract: what one service promises, as data.
 *
 * A contract joins an OpenAPI document (operations, schemas) with a register of requirements. Requirements that
 * follow from a schema keyword or a status are derived from the document; the others are in `requirements.yaml`.
 */
import type { ContractChange } from "./contract-change.ts";
import type { GapObservation } from "./gap-observation.ts";
import type { ListShape } from "./list-end.ts";
import type { Relation } from "./relations.ts";
import type { RequirementSet } from "./requirement-set.ts";
import type { ResponseParts } from "./response-parts.ts";
import type { SecretPlace, SecurityScheme } from "./security-scheme.ts";
import type { WrittenForm } from "./written-form.ts";

/** The name of the service's folder in `schemas/`, for example `parcel-pickup`. */
export type Service = string;

/**
 * The source of a requirement. A deviation from an `assumed` requirement is an advisory, never a failure. So is one from
 * a `gap`, which only an earlier version of the document states.
 */
export type Level = "documented" | "provider" | "assumed" | "gap";

/** `changes`: the call may change what its path names, which is harmless if the run created it (`hazards.ts`). */
export type Hazard = "billable" | "destructive" | "changes" | "locks-account" | "slow";

export interface Requirement {
  /** A public id with dots, for example `parcel-pickup.request.sender.firstName.max-length`. */
  readonly id: string;
  readonly service: Service;
  readonly level: Level;
  readonly statement: string;
  /** Whether the statement was made from a rule: a finding then states the very rule that was broken. */
  readonly derived?: true;
  /** The document and section that state it, for example `parcel-pickup.md, Sender; Limits`. */
  readonly source: string;
  /** operationIds that it applies to. */
  readonly operations: readonly string[];
  readonly kind: string;
  /** The obliged party. Only a `service` requirement is tried in a run against a service. */
  readonly subject: "service" | "client" | "listener";
  readonly observable: "from-outside" | "needs-setup" | "needs-clock" | "not-observable";
  readonly hazards: readonly Hazard[];
  /** The precondition for trying it. */
  readonly setup?: string;
}

export type HttpMethod = "GET" | "POST" | "PUT" | "DELETE" | "PATCH" | "HEAD" | "OPTIONS";

/** JSON Schema 2020-12 as a plain object; `$ref`s are local to the document (`#/components/schemas/…`). */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** `components.schemas`, to which references lead. */
export type Schemas = Readonly<Record<string, JsonSchema>>;

/** The operations of a contract, and the schemas to which their references lead. */
export type Shapes = Pick<Contract, "operations" | "schemas">;

export interface Parameter {
  readonly name: string;
  /** `form` is a field of an urlencoded form in the body, `part` one of multipart/form-data. */
  readonly in: "path" | "query" | "header" | "cookie" | "form" | "part";
  readonly required: boolean;
  readonly schema: JsonSchema;
  readonly level: Level;
  /** Its name in the contract, if the provider's document gives it another. */
  readonly ours?: string;
  /** The resource whose identifier it carries (`x-resource`), for example `customer`. */
  readonly resource?: string;
  /** Name of the data maker for plausible values (`x-data`). */
  readonly data?: string;
  /** Requirement ids by keyword (`x-requirements` of the parameter and of its schema): `{ required: "…" }`. */
  readonly requirements: { readonly [keyword: string]: string };
  /** A value of which the document says that it is an example (`x-example`). */
  readonly example?: unknown;
  /** `always`: the parameter is optional, but every call sends it (`x-send`). */
  readonly send?: "always";
  /** How a list or an object is written; with commas if absent. */
  readonly written?: WrittenForm;
}

/** Schemas by media type. The schema of JSON is at `application/json`, also for other media types of JSON. */
export type MediaTypes = Readonly<Record<string, JsonSchema>>;

export interface RequestBody {
  readonly required: boolean;
  readonly content: MediaTypes;
  /** The media type of the body of JSON, if it is not `application/json`. */
  readonly jsonType?: string;
  readonly level: Level;
  /** Id of the requirement that a request without a body is refused. */
  readonly requirement?: string;
  /** Id of the requirement that the body matches this schema. */
  readonly schemaRequirement?: string;
  /** Id of the requirement that a request without a body is accepted. */
  readonly optionalRequirement?: string;
  /** A whole body of JSON of which the document says that it is an example. */
  readonly example?: unknown;
  /** `always`: the body is optional, but every call sends one (`x-send`). */
  readonly send?: "always";
  /** The fields of each form among the media types. */
  readonly fields?: readonly Parameter[];
  /** The media types that the document lists for parts of a form, with commas, by the names of the parts. */
  readonly partTypes?: Readonly<Record<string, string>>;
}

export interface Response extends Partial<ResponseParts> {
  readonly status: number;
  readonly content: MediaTypes;
  /** The media type of the body of JSON, if it is not `application/json`. */
  readonly jsonType?: string;
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
  /** What else selects the operation: its operationId as the document writes it, and `tag:NAME` for each tag. */
  readonly aliases: readonly string[];
  readonly level: Level;
  readonly deprecated: boolean;
  /** The announced last day (`x-sunset`), for example `2026-05-31`. */
  readonly sunset?: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: RequestBody;
  /** By status code as a string, for example `200`. */
  readonly responses: { readonly [status: string]: Response };
  /** By class, such as `4XX`: the listed status whose response holds for all others of the class. */
  readonly statusClasses?: Readonly<Record<string, string>>;
  /** Names of the security schemes. A call needs all of them, unless there are alternatives. */
  readonly security: readonly string[];
  /** Sets of security schemes, if one of several suffices. */
  readonly securityAlternatives?: readonly (readonly string[])[];
  /** The statuses that may refuse a call without credentials, if the document names others than 401. */
  readonly unauthenticated?: readonly number[];
  readonly hazards: readonly Hazard[];
  /** Hazards that a call has only if it is refused. */
  readonly refusalHazards: readonly Hazard[];
  /** Resources that a successful call creates, and the places of their identifiers in its body. */
  readonly produces: readonly ResourcePlace[];
  /** Removed resources: the operation's own name by the name at their creation, `{ "active-customer": "customer" }`. */
  readonly removes: { readonly [resource: string]: string };
  /** The resource that a PUT creates, whose name in the path its client chooses. */
  readonly creates?: string;
  /** What a successful call leaves on the target for good, because no operation removes it: `app registration`. */
  readonly leaves?: string;
  /** Existing resources, and the places of their identifiers in a success body. */
  readonly finds: readonly ResourcePlace[];
  /** The identifiers of the resource that a read is about, or of the items of its list, as a document's paths tell. */
  readonly shows: readonly ResourcePlace[];
  /** Resources that must exist before a call, even though no parameter has their identifier. */
  readonly needs: readonly string[];
  readonly list?: ListShape;
  readonly paging?: Paging;
  /** JSON pointer of the access token in a success body. */
  readonly token?: string;
  /** JSON pointer, in a success body, of the state of what the service may still be making. */
  readonly progress?: string;
  /** The kinds of a resource that the operation supports, by resource; a resource that is absent may be of any kind. */
  readonly kinds: Readonly<Record<string, readonly string[]>>;
  /** Data of the service (`x-own`), which only its own code reads. */
  readonly own: Readonly<Record<string, unknown>>;
  /** Component schema of the deliveries that it causes. */
  readonly deliveries?: string;
  /** False if a call has side effects although its method is safe. */
  readonly repeatable: boolean;
  /** `unjudged`: the documents leave open how a call with only one of two credentials is answered. */
  readonly singleHeader?: "unjudged";
  /** Pointers of the fields in its body that are optional until a day, and that day. */
  readonly requiredFrom: { readonly [pointer: string]: string };
  /** Names of query parameters that belong together. A call uses one of the sets. */
  readonly parameterSets: readonly (readonly string[])[];
  /** Whether another operation replaces this one. */
  readonly legacy: boolean;
  readonly beta: boolean;
  /** Whether only some partners may call it. */
  readonly internal: boolean;
  /** Whether the service makes this call, to an address of the user. */
  readonly outbound: boolean;
}

/** An identifier in a body: JSON pointer with `*` for every item of an array, and its resource. */
export interface ResourcePlace {
  readonly resource: string;
  readonly pointer: string;
  /** Whether a list may show resources of others, which only a user may let a run change. */
  readonly isForeign?: true;
}

/** Query parameters of a paged list: the first item (`start`) or the page (`page`), and how many items (`limit`). */
export interface Paging {
  readonly start?: string;
  readonly page?: string;
  readonly limit: string;
  /** The number of the first item or page. */
  readonly first: number;
}

/** A rule: one keyword at one place of a request or response, and its requirement. */
export interface Rule {
  readonly requirement: string;
  readonly operationId: string;
  readonly direction: "request" | "response";
  /** Response status; absent for a request. */
  readonly status?: number;
  /** The media type of the body, if the response has several of JSON, or if the request is a text. */
  readonly mediaType?: string;
  /** The place of the rule's parameter; absent for a rule of a body. */
  readonly place?: Parameter["in"];
  /** Name of that parameter; `pointer` then starts at its value. */
  readonly parameter?: string;
  /** The component schema that contains the rule, if any: `Card`, `EnrollCardRequest`. */
  readonly schemaName?: string;
  /** The place of the instance in the body, as a JSON pointer with `*` for an array item: `/consumer/firstName`. */
  readonly pointer: string;
  /** JSON Schema keyword. `required` is a rule of a property that must be present, `optional` of one that may be absent. */
  readonly keyword: string;
  /** Value of the keyword, for example `30` for `maxLength`. */
  readonly value: unknown;
  /** Schema of the instance at `pointer`, with its top-level `$ref` resolved. */
  readonly schema: JsonSchema;
  /** Pointer of the request field in whose decrypted content `pointer` starts: `/encryptedCard`. */
  readonly within?: string;
  /** Name of the rule's `anyOf` or `oneOf` branch, such as `SampleError`; the rule holds for bodies of that shape. */
  readonly alternative?: string;
  /** Why nobody is judged by the rule. */
  readonly untried?: string;
  readonly level: Level;
  /** The places of the rule and of an example in the same document that breaks it. */
  readonly contradicted?: string;
}

/** A behaviour that the documents leave open, and how a test treats it. It is observed, but never fails. */
export interface Gap {
  readonly subject: string;
  readonly gap: string;
  /** Where the behaviour of a run shows it. */
  readonly observed?: readonly GapObservation[];
}

/** Where the provider's document has what the contract names, by operationId: `request /name/first` → `/firstName`. */
export type Bindings = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface Contract {
  readonly service: Service;
  readonly version: string;
  /** `sha256-…` of all files that the contract was read from. */
  readonly digest: string;
  /** The provider's own document, when the user gave one. */
  readonly provider: { readonly file: string; readonly version: string; readonly digest: string } | null;
  /** The user's document that the contract in this folder was made from. */
  readonly madeFrom?: NonNullable<Contract["provider"]> & { readonly folder: string };
  /** The operations that the provider's document has and the contract lacks, and others; empty without a document. */
  readonly differences: {
    /** operationIds of the contract that the provider's document lacks. */
    readonly lacking: readonly string[];
    /** `POST /customers (addCustomer)`: operations of the provider's document that the contract lacks. */
    readonly added: readonly string[];
    /** `Type.field`: required fields of answers whose values the sandbox invents. */
    readonly invented: readonly string[];
    /** Contradictions within the provider's document, such as examples that break their schema. */
    readonly contradictions: readonly string[];
    /** The statuses and classes that the provider's document lists, by operationId of the contract: `200`, `4XX`. */
    readonly statuses: Readonly<Record<string, readonly string[]>>;
  };
  /** Where the provider's document has what the contract names; empty without such a document. */
  readonly bindings: Bindings;
  /** The only country that the service supports, as ISO 3166 alpha-2; absent if there are several. */
  readonly country?: string;
  /** Path that each base URL ends with, when the document states one. */
  readonly basePath: string;
  /** Statuses that the document defines for the whole interface, even if an operation does not list them. */
  readonly generalStatuses: readonly number[];
  readonly operations: readonly Operation[];
  readonly securitySchemes: readonly SecurityScheme[];
  readonly secretPlaces: readonly SecretPlace[];
  readonly schemas: Schemas;
  readonly rules: readonly Rule[];
  /** Rules that the document itself contradicts. Who breaks one deviates, but does not violate the contract. */
  readonly contradicted: readonly Rule[];
  readonly requirements: readonly Requirement[];
  /** The frozen requirement set of this version; `null` if the version is not frozen yet. */
  readonly requirementSet: RequirementSet | null;
  readonly gaps: readonly Gap[];
  readonly relations: readonly Relation[];
  /** What changed since the contract with an earlier version of the document; absent if the run compares with none. */
  readonly changes?: { readonly entries: readonly ContractChange[]; readonly base: Contract };
}
