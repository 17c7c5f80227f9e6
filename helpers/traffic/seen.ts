/** An exchange of a client that the product does not control, matched with an operation of a contract. */
import type { Rule } from "../contract/contract.ts";
import type { CheckResult } from "../exchange/check-result.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Match } from "./match.ts";

/** Marks that identify secrets without containing them. Equal values of one recording have equal marks. */
export interface Marks {
  /** The access token of the request. */
  readonly token?: string;
  /** The access token in the response. */
  readonly issued?: string;
  /** The other credentials of the request. */
  readonly key?: string;
  /** The request body, without what a client makes anew for each attempt. */
  readonly body?: string;
}

/** The mark of a token whose value the recording does not contain. Several tokens may have it. */
export const MASKED_TOKEN = "masked";

/** The result of a check of one request, stored because redaction hides the values that it read. */
export interface StoredResult {
  /** The full id of the requirement. */
  readonly requirement: string;
  readonly result: CheckResult;
  /** The rule of the document that was checked; absent in a log. */
  readonly rule?: Rule;
}

export interface Seen extends Match {
  readonly exchange: Exchange;
  readonly query: URLSearchParams;
  /** The request body as JSON; `undefined` when it is not JSON. */
  readonly body: unknown;
  /** The same with numbers that a double can't hold as numbers, like `numeric` of a response; absent if there are none. */
  readonly numeric?: unknown;
  /** The response body as JSON; `undefined` when it is not JSON, or when the recording contains only a part of it. */
  readonly answer: unknown;
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly end: number;
  /** The name of the client, for example `client 1`. */
  readonly client: string;
  readonly marks: Marks;
  /** Decrypted values by the pointer of the encrypted field in the body. They are never written. */
  readonly opened: Readonly<Record<string, unknown>>;
  /** Whether a text is a credential that the client has sent or was given; absent when the exchange comes from a log. */
  readonly isCredential?: (text: string) => boolean;
  /** Results of the checks of this request, if it was recorded with them. */
  readonly stored?: readonly StoredResult[];
  /** The digest of the document by which it was judged when it was recorded; absent if that is not known. */
  readonly storedBy?: string;
  /** Ids of the exercises that changed this exchange. */
  readonly exercises: readonly string[];
}

type Known = "numeric" | "client" | "marks" | "opened" | "isCredential" | "stored" | "storedBy" | "exercises";

/** Adds what checks read of an exchange. @param exchange its `requestJson` is the body as JSON */
export const seenOf = (exchange: Exchange, match: Match, known: Pick<Seen, Known>): Seen => {
  const { request, response, requestJson, startedAt, durationMs } = exchange;
  const start = startedAt.getTime();
  return {
    ...{ exchange, ...match, ...known, body: requestJson, answer: response?.json, start },
    query: URL.canParse(request.url) ? new URL(request.url).searchParams : new URLSearchParams(),
    end: start + durationMs,
  };
};

/** The end of a recording. */
export interface Ending {
  /** The exit code of the command that contained the client, if there was one. */
  readonly exitCode?: number;
}
