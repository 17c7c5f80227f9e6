/** A concrete request or response, as a witness shows it. */
import type { Credential } from "../document/model.ts";
import type { Texts } from "./parameter-texts.ts";

export interface RequestMessage {
  readonly kind: "request";
  /** Key of the delivery where the service sends it; a call finds its operation by method and path. */
  readonly delivery?: string;
  /** Set where the address counts. */
  readonly server?: string;
  readonly method: string;
  /** Encoded, without the query. */
  readonly path: string;
  /** Decoded names and values. */
  readonly query: Texts;
  readonly headers: Texts;
  readonly cookies: Texts;
  /** Wire identity of each credential that it carries, with its scopes. */
  readonly credentials: readonly Pick<Credential, "wire" | "scopes">[];
  readonly mediaType?: string;
  /** Absent where there is none. */
  readonly body?: unknown;
}

export interface ResponseMessage extends Pick<RequestMessage, "headers" | "mediaType" | "body"> {
  readonly kind: "response";
  readonly status: number;
}

export type Message = RequestMessage | ResponseMessage;

/** Why a document refuses a message. */
export interface Refusal {
  /** `operation`, `query limit`, `body`, `media type`, `credentials`, `server`, `status`, `header retry-after`. */
  readonly place: string;
  /** Inside the value of the place. */
  readonly pointer: string;
  readonly keyword: string;
  readonly text: string;
}
