/** What changed between two versions of a document, as a run tries it. */

/** A change of the document that breaks callers, and the message that shows it. */
export interface ContractChange {
  /** The fingerprint of the change is its end: `parcel-pickup.change.d-0123456789ab`. */
  readonly requirement: string;
  readonly statement: string;
  /** operationIds; the first one is the operation of the message. */
  readonly operations: readonly string[];
  readonly direction: "request" | "response";
  /** What the other document refuses: `query start`, `body`, `response body`, `status`. */
  readonly place: string;
  /** The pointer in that place. */
  readonly pointer: string;
  readonly keyword: string;
  /** The names and texts of the parameter in the request; empty if the request lacks it. */
  readonly texts?: readonly (readonly [name: string, text: string])[];
  /** Absent if the message has none. */
  readonly body?: unknown;
  readonly mediaType?: string;
  /** The places of the credentials of the request: `header authorization`, `query key`. */
  readonly credentials?: readonly string[];
  /** The operationId in the other document, if this one has no such operation at its address any more. */
  readonly called?: string;
  /** The listed statuses of the responses that the change reaches, by operationId. */
  readonly statuses?: Readonly<Record<string, readonly string[]>>;
  /** The end of the pointer of the change, in every message that it reaches. */
  readonly end?: string;
  /** Why no message of the run shows the change. */
  readonly untried?: string;
}
