/** What a call sends. Whatever is not given here comes from the contract and the target. */
export interface Call {
  readonly operationId: string;
  /** Replaces the method of the operation, to see what another one does. */
  readonly method?: string;
  /** Replaces the path of the operation, below the base URL. */
  readonly at?: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  /** Added to, or replacing, the headers that the contract and the authentication give; `null` leaves one out. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it stands, to send malformed bodies on purpose. */
  readonly raw?: { readonly body: string | Buffer; readonly contentType?: string };
  /** What the request is for, next to another that differs from it in one thing. */
  readonly role?: "control" | "probe";
  /** `false` for what the documents leave open: the checks of the service do not judge the exchange. */
  readonly judged?: boolean;
  /** Whether a 429 or 503 is waited out (the default), or is what the caller came for. */
  readonly interruptions?: "wait-out" | "return";
  /** It belongs to what the trials of a session share: whichever asks first, it is not one of its own. */
  readonly shared?: true;
  /** The client disconnects once the request is sent: the exchange ends with the failure `abandoned`. */
  readonly abandon?: true;
}
