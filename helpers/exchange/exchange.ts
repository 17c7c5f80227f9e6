/** An exchange: one request and its response, as sent and received. */
import type { Reason } from "../reasons/reason.ts";

export interface SentRequest {
  readonly method: string;
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes as text; absent when no body was sent. */
  readonly body?: string;
}

export interface ReceivedResponse {
  readonly status: number;
  /** Lower-case names; repeated headers joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** The number of bytes of the body, if it is not made yet. */
  readonly size?: number;
  /** The parsed JSON body, or `undefined` when the body is not JSON. Integers that a double can't hold are texts. */
  readonly json: unknown;
  /** The same with numbers for these integers; absent if there are none. Schemas are checked against it. */
  readonly numeric?: unknown;
  /** Unusual properties of the JSON that are not violations: `a name twice`. */
  readonly oddities?: readonly string[];
  /** The content coding that the body does not have, although the response declares it. */
  readonly wrongCoding?: string;
}

/** The reason why there is no response. */
export type TransportFailure =
  | "connection-refused"
  | "refused-certificate"
  | "refused-by-proxy"
  | "undecipherable"
  | "connection-lost"
  | "timeout"
  | "body-too-large"
  | "malformed-response"
  | "unsupported"
  | "not-allowed"
  | "abandoned";

export interface Exchange {
  /** Unique within the run, for example `w0-17`. */
  readonly id: string;
  readonly service: string;
  readonly operationId: string;
  readonly request: SentRequest;
  /** The request body before it was serialised, when it was JSON. */
  readonly requestJson: unknown;
  /** The identifiers in the request, with their places. Absent if they are not known, as in recorded traffic. */
  readonly ids?: readonly PlacedId[];
  /** Exactly one of `response` and `failure` is present. */
  readonly response?: ReceivedResponse;
  readonly failure?: {
    readonly kind: TransportFailure;
    readonly message: string;
    /** Why the request was not sent. */
    readonly reason?: Reason;
  };
  /** The request was sent before, on a connection that the server closed without an answer. */
  readonly afterLoss?: true;
  /** The request had no answer on a connection that earlier requests used, which the server may have closed before. */
  readonly wasKept?: true;
  /** The call needed ALLOW_DESTRUCTIVE. */
  readonly isDestructive?: true;
  /** The target sent the request, and the run answered it. */
  readonly isReceived?: true;
  readonly startedAt: Date;
  readonly durationMs: number;
}

/** The identifier of a resource in a request, with its place. */
export interface PlacedId {
  readonly in: "path" | "query" | "header" | "cookie" | "body";
  /** The name of the parameter, or the JSON pointer of the field. */
  readonly name: string;
  /** The number of segments that follow a parameter of the path. */
  readonly after?: number;
  /** The resource that the identifier names. */
  readonly resource: string;
  readonly value: string;
}

/** A redacted exchange, which may be written to disk. */
export interface RecordedExchange {
  readonly id: string;
  readonly operationId: string;
  readonly request: { method: string; url: string; headers: Record<string, string>; body?: string };
  /** The places of identifiers in the request. */
  readonly ids?: readonly Omit<PlacedId, "value">[];
  readonly response?: { status: number; headers: Record<string, string>; body: string };
  readonly failure?: string;
  /** Absent if a recording does not state it. */
  readonly startedAt?: string;
  readonly durationMs: number;
}

/** Joins repeated headers with a comma. */
export const joinedHeaders = (
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value = ""]) => [name, [value].flat().join(", ")]));

/** Returns the number of bytes of the body. */
export const sizeOf = (response: ReceivedResponse): number => response.size ?? response.body.length;

/** Returns the status of the response, or 0 when there is none. */
export const statusOf = (exchange: Exchange): number => exchange.response?.status ?? 0;

/** Whether the server sent no complete answer: it closed the connection, or took too long. */
export const isUnanswered = ({ failure }: Exchange): boolean =>
  failure?.kind === "connection-lost" || failure?.kind === "timeout";

/** Whether an answer came that the run does not read, because of its own limits: it shows nothing about the server. */
export const isUnreadable = ({ failure }: Exchange): boolean =>
  failure?.kind === "body-too-large" || failure?.kind === "unsupported";

/** Whether the server accepted the request, with any 2xx. */
export const isAccepted = (exchange: Exchange): boolean => {
  const status = statusOf(exchange);
  return status >= 200 && status < 300;
};

/** Returns the JSON of a refusal. */
export const refusalIn = (exchange: Exchange): unknown =>
  isAccepted(exchange) ? undefined : exchange.response?.json;

/** Returns the JSON of an accepted answer. A refusal has no content: a field of its body says nothing about a resource. */
export const contentOf = (exchange: Exchange | undefined): unknown =>
  exchange !== undefined && isAccepted(exchange) ? exchange.response?.json : undefined;

/** Returns a set of statuses in one phrase: `400 or 404`; for most of the client errors, `a 4xx other than 401, 403, 429`. */
export const statusWords = (statuses: readonly number[]): string => {
  if (statuses.length <= MOST_LISTED || !statuses.every(isClientError)) return statuses.join(" or ");
  const others = OF_THE_CALLER.filter((status) => !statuses.includes(status));
  return others.length === 0 ? "a 4xx" : `a 4xx other than ${others.join(", ")}`;
};

const MOST_LISTED = 4;

export const isClientError = (status: number): boolean => status >= 400 && status < 500;

/** Client errors that do not depend on the content of the request (RFC 9110, 15.5; RFC 6585, 4). */
const OF_THE_CALLER: readonly number[] = [401, 403, 429];
