/** The parts of a request that a trial sets. The others come from the contract and the target. */
import type { Level } from "../contract/contract.ts";

export interface Call {
  readonly operationId: string;
  /** Replaces the method of the operation, to test another method. */
  readonly method?: string;
  /** Replaces the path of the operation: a path relative to the base URL, or a whole address. */
  readonly at?: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  /** Added to, or replacing, the headers of the contract and the authentication; `null` omits a header. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Replaces keys of the configuration, by the name of their security scheme; `null` omits a key. */
  readonly credentials?: Readonly<Record<string, string | null>>;
  /** The call is sent again as it is, with its idempotency keys. */
  readonly isRepeated?: true;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent unchanged, for malformed bodies. */
  readonly raw?: {
    readonly body: string | Buffer;
    readonly contentType?: string;
    /** The fields, if the body is a form. */
    readonly form?: NonNullable<Call["query"]>;
    /** The names of the fields whose parts are JSON. */
    readonly json?: readonly string[];
  };
  /** The role in a pair of requests with one difference. */
  readonly role?: "control" | "probe";
  /** What the request tries, in a trial that tries several things. It must not depend on generated values. */
  readonly tries?: string;
  /**
   * `false` if the documents leave the result open: the checks of the service do not judge the exchange.
   * `refusals` if the call should be refused: when it is accepted, its body may show what was wrong with the request.
   */
  readonly judged?: boolean | "refusals";
  /**
   * The level of a rule that the request is just outside of, so that a server should refuse it. Few of them may leave something
   * on a target, and a server that ignores assumed rules is asked about the others all the same.
   */
  readonly nearMiss?: Level;
  /** `return` to get the exchange even if the server sends no complete answer. Otherwise the target counts as lost. */
  readonly unanswered?: "return";
  /** Whether to wait after a 429 or 503 and send again (the default), or to return it. */
  readonly interruptions?: "wait-out" | "return";
  /** The call arranges something that trials share. It does not count as an exchange of this trial. */
  readonly shared?: true;
  /** The client disconnects after sending the request, so the exchange ends with the failure `abandoned`. */
  readonly abandon?: true;
}
