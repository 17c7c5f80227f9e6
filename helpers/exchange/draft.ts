/** The types of a request on its way through the interceptors. */
import type { Hazard } from "../contract/contract.ts";
import type { Risk } from "./allowance.ts";
import type { Exchange, PlacedId, SentRequest } from "./exchange.ts";

/** The exact request to send. The client adds only what HTTP requires. */
export interface ClientRequest {
  readonly service: string;
  readonly operationId: string;
  readonly method: string;
  /** Absolute and already encoded; it is sent unchanged, including dot segments. */
  readonly url: string;
  /** `null` omits a header. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Sent unchanged, even if it is malformed. */
  readonly body?: string | Buffer;
  /** Serialised when there is no `body`, with `content-type: application/json` unless `headers` override it. */
  readonly json?: unknown;
  /** The identifiers in the request. */
  readonly ids?: readonly PlacedId[];
  readonly hazards?: readonly Hazard[];
  /** The harm that the request may do, apart from its hazards: there is a maximum of harmful ones in a run. */
  readonly risk?: Risk;
  /**
   * A new connection for this request, or one that was used a moment ago. By default any that is open, which the server
   * may be closing.
   */
  readonly connection?: "new" | "recent";
  /** Closes the connection after sending the request, like a client that reaches its time limit. */
  readonly abandon?: true;
}

/** A request on its way through the interceptors. */
export interface Draft {
  readonly id: string;
  readonly source: ClientRequest;
  /** The request as it will be sent. */
  readonly request: SentRequest;
  readonly bytes: string | Buffer | undefined;
}

export type Send = (draft: Draft) => Promise<Exchange>;
export type Interceptor = (next: Send) => Send;

/** Returns the exchange of a draft. */
export function exchangeOf(
  draft: Draft,
  result: Pick<Exchange, "response" | "failure" | "startedAt" | "durationMs">,
): Exchange {
  const { id, source, request } = draft;
  const { service, operationId, ids } = source;
  const requestJson = source.body === undefined ? source.json : undefined;
  const isDestructive = source.hazards?.includes("destructive") || source.hazards?.includes("changes");
  return {
    id,
    service,
    operationId,
    request,
    requestJson,
    ...(ids && { ids }),
    ...result,
    ...(isDestructive && { isDestructive }),
  };
}
