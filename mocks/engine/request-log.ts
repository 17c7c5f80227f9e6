/** The latest requests of one tenant, and whether the expected ones were among them. */

/** A request with its time in ISO 8601. */
export interface LoggedRequest<Time = string> {
  readonly id: number;
  /** On the clock of the tenant. */
  readonly at: Time;
  readonly method: string;
  /** Path and query, without the prefix of the tenant. */
  readonly url: string;
  readonly service: string | undefined;
  readonly operation: string | undefined;
  /** `undefined` while there is no answer, or when the connection was closed before one. */
  status: number | undefined;
  milliseconds: number | undefined;
  /** Whether a trouble was applied. */
  troubled: true | undefined;
}

/** A request with its time in milliseconds since 1970: few are ever read, so that most times need no text. */
export type KeptRequest = LoggedRequest<number>;

export interface RequestFilter {
  readonly service?: string;
  readonly operation?: string;
  readonly method?: string;
  /** A part of path and query. */
  readonly url?: string;
  readonly status?: number;
  /** Only requests with a higher id. */
  readonly after?: number;
}

/** An expected request: a filter, and how often it must have been called. At least once if no number is given. */
export interface Expectation extends RequestFilter {
  readonly times?: number;
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** The headers and the body of a request or an answer. A long body is cut. */
export interface Message {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** What a request and its answer contain. */
export interface Content {
  readonly sent: Message;
  /** Absent when no answer was sent. */
  readonly answer?: Message;
}

export interface RequestLog {
  add(request: Pick<KeptRequest, "at" | "method" | "url" | "service" | "operation">): KeptRequest;
  /** Keeps what one of the latest requests and its answer contain. */
  keep(id: number, content: Content): void;
  /** Returns a request with its answer; `undefined` if they are not kept. */
  exchange(id: number): (LoggedRequest & Content) | undefined;
  find(filter: RequestFilter): readonly LoggedRequest[];
  clear(): void;
}

/** How many requests a tenant keeps. */
const KEPT_REQUESTS = 10_000;
/** The number of requests whose contents a tenant keeps. */
const KEPT_CONTENTS = 100;

const UNANSWERED = { status: undefined, milliseconds: undefined, troubled: undefined };

export const requestLog = (): RequestLog => {
  let kept: KeptRequest[] = [];
  let count = 0;
  const contents = new Map<number, Content>();
  return {
    keep(id, content) {
      contents.set(id, content);
      const [oldest] = contents.keys();
      if (contents.size > KEPT_CONTENTS && oldest !== undefined) contents.delete(oldest);
    },
    exchange(id) {
      const request = kept.find((one) => one.id === id);
      const content = contents.get(id);
      return request && content && { ...shown(request), ...content };
    },
    add: ({ at, method, url, service, operation }) => {
      count += 1;
      const logged = { id: count, at, method, url, service, operation, ...UNANSWERED };
      kept.push(logged);
      // Removing many at once is cheaper than one at a time.
      if (kept.length >= 2 * KEPT_REQUESTS) kept = kept.slice(-KEPT_REQUESTS);
      return logged;
    },
    find: (filter) =>
      kept
        .slice(-KEPT_REQUESTS)
        .filter((request) => matches(filter, request))
        .map(shown),
    clear: () => {
      kept = [];
      contents.clear();
    },
  };
};

const shown = (request: KeptRequest): LoggedRequest => ({
  ...request,
  at: new Date(request.at).toISOString(),
});

const matches = (
  { service, operation, method, url, status, after }: RequestFilter,
  request: KeptRequest,
): boolean =>
  (service === undefined || request.service === service) &&
  (operation === undefined || request.operation === operation) &&
  (method === undefined || request.method === method.toUpperCase()) &&
  (url === undefined || request.url.includes(url)) &&
  (status === undefined || request.status === status) &&
  (after === undefined || request.id > after);

export interface Verification {
  readonly verified: boolean;
  readonly results: readonly { readonly called: number; readonly met: boolean }[];
  /** Whether the expected requests came in this order; absent if nobody asked. */
  readonly inOrder?: boolean;
}

/** Compares the log with the expectations. In order: each one has a request after a request of the one before. */
export const verify = (
  log: RequestLog,
  expectations: readonly Expectation[],
  isOrdered: boolean,
): Verification => {
  const results = expectations.map((expectation) => {
    const called = log.find(expectation).length;
    const {
      times,
      atLeast = times ?? (expectation.atMost === undefined ? 1 : 0),
      atMost = times,
    } = expectation;
    return { called, met: called >= atLeast && (atMost === undefined || called <= atMost) };
  });
  const inOrder = isOrdered ? comeInOrder(log, expectations) : undefined;
  const verified = results.every(({ met }) => met) && inOrder !== false;
  return { verified, results, ...(inOrder !== undefined && { inOrder }) };
};

/** @throws Error with a table of the expected requests, if one was not met */
export const assertVerified = (
  expectations: readonly Expectation[],
  { verified, results, inOrder }: Verification,
): void => {
  if (verified) return;
  const wanted = expectations.map((one) => JSON.stringify(one));
  const rows = results.map(({ called, met }, at) => `${met ? "✓" : "✗"} ${wanted[at]} came ${called} times`);
  if (inOrder === false) rows.push("✗ in this order");
  throw new Error(`The expected requests did not come:\n  ${rows.join("\n  ")}`);
};

const comeInOrder = (log: RequestLog, expectations: readonly RequestFilter[]): boolean => {
  let last = 0;
  for (const expectation of expectations) {
    const next = log.find({ ...expectation, after: Math.max(last, expectation.after ?? 0) })[0];
    if (next === undefined) return false;
    last = next.id;
  }
  return true;
};
