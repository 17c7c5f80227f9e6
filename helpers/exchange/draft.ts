/** A request on its way: what the caller wants sent, what becomes of it, and the interceptors that it passes. */
import type { Hazard } from "../contract/contract.ts";
import type { Exchange, SentRequest } from "./exchange.ts";

/** What is to be sent, exactly: nothing is added but what HTTP itself needs. */
export interface ClientRequest {
  readonly service: string;
  readonly operationId: string;
  readonly method: string;
  /** Absolute and already encoded; it is sent as written, dot segments included. */
  readonly url: string;
  /** `null` leaves a header out. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Sent as it stands, well-formed or not. */
  readonly body?: string | Buffer;
  /** Serialised when there is no `body`, with `content-type: application/json` unless `headers` say otherwise. */
  readonly json?: unknown;
  readonly hazards?: readonly Hazard[];
  /** The account that it signs in to, if failures may lock that and it is not disposable. */
  readonly account?: string;
  /** The connection is closed once the request is sent, as a client does that runs into its time limit. */
  readonly abandon?: true;
}

/** A request on its way through the interceptors. */
export interface Draft {
  readonly id: string;
  readonly source: ClientRequest;
  /** As it will be sent. */
  readonly request: SentRequest;
  readonly bytes: string | Buffer | undefined;
}

export type Send = (draft: Draft) => Promise<Exchange>;
export type Interceptor = (next: Send) => Send;

/** The exchange that a draft became. */
export function exchangeOf(
  draft: Draft,
  result: Pick<Exchange, "response" | "failure" | "startedAt" | "durationMs">,
): Exchange {
  const { id, source, request } = draft;
  const { service, operationId } = source;
  const requestJson = source.body === undefined ? source.json : undefined;
  return { id, service, operationId, request, requestJson, ...result };
}
