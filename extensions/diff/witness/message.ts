/** A concrete request or response that a witness shows. */
import type { Credential } from "../document/model.ts";
import type { NamedTexts } from "./parameter-texts.ts";

export interface RequestMessage {
  readonly kind: "request";
  /** The key of a delivery; a call finds its operation by method and path. */
  readonly delivery?: string;
  /** Set if the server address is relevant. */
  readonly server?: string;
  readonly method: string;
  /** The encoded path, without the query. */
  readonly path: string;
  /** Decoded names and values. */
  readonly query: NamedTexts;
  readonly headers: NamedTexts;
  readonly cookies: NamedTexts;
  /** The media type that the sender accepts, if it is relevant. */
  readonly accept?: string;
  /** The success status that the sender waits for, if it is relevant. */
  readonly awaits?: string;
  /** The value that a text represents for the sender, by key of the parameter, if it is relevant. */
  readonly means?: Readonly<Record<string, unknown>>;
  /** The wire identity of each credential, with its scopes. */
  readonly credentials: readonly Pick<Credential, "wire" | "scopes">[];
  readonly mediaType?: string;
  /** Absent if the message has no body. */
  readonly body?: unknown;
}

export interface ResponseMessage extends Pick<RequestMessage, "headers" | "mediaType" | "body"> {
  readonly kind: "response";
  readonly status: number;
}

export type Message = RequestMessage | ResponseMessage;

/** A reason why a document refuses a message. */
export interface Refusal {
  /** `operation`, `query limit`, `body`, `media type`, `credentials`, `server`, `status`, `header retry-after`. */
  readonly place: string;
  /** A pointer inside the value of the place. */
  readonly pointer: string;
  readonly keyword: string;
  readonly text: string;
}

export interface Witness {
  readonly operation: string;
  readonly message: Message;
  /**
   * The document that refuses the message: the new document for messages of callers, the old document for messages of
   * services.
   */
  readonly refusedBy: "old" | "new";
  readonly refusal: Refusal;
  /** The alternative as which the message is refused, if that document allows it as another one: `Card`. */
  readonly readAs?: string;
}
