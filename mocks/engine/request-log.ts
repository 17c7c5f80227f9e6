/** The latest requests of one tenant, and whether the expected ones were among them. */

interface Request<Time> {
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

/** A request with its time in ISO 8601. */
export type LoggedRequest = Request<string>;

/** A request with its time in milliseconds since 1970: few are ever read, so that most times need no text. */
export type KeptRequest = Request<number>;

export type NewRequest = Pick<KeptRequest, "at" | "method" | "url" | "service" | "operation">;

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

export interface RequestLog {
  add(request: NewRequest): KeptRequest;
  find(filter: RequestFilter): readonly LoggedRequest[];
  clear(): void;
}

/** How many requests a tenant keeps. */
const KEPT_REQUESTS = 10_000;

export const requestLog = (): RequestLog => {
  let kept: KeptRequest[] = [];
  let count = 0;
  return {
    add: ({ at, method, url, service, operation }) => {
      count += 1;
      const logged: KeptRequest = {
        id: count,
        at,
        method,
        url,
        service,
        operation,
        status: undefined,
        milliseconds: undefined,
        troubled: undefined,
      };
      kept.push(logged);
      // Removing many at once is cheaper than one at a time.
      if (kept.length >= 2 * KEPT_REQUESTS) kept = kept.slice(-KEPT_REQUESTS);
      return logged;
    },
    find: (filter) =>
      kept
        .slice(-KEPT_REQUESTS)
        .filter((request) => matches(filter, request))
        .map((request) => ({ ...request, at: new Date(request.at).toISOString() })),
    clear: () => {
      kept = [];
    },
  };
};

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

const comeInOrder = (log: RequestLog, expectations: readonly RequestFilter[]): boolean => {
  let last = 0;
  for (const expectation of expectations) {
    const next = log.find({ ...expectation, after: Math.max(last, expectation.after ?? 0) })[0];
    if (next === undefined) return false;
    last = next.id;
  }
  return true;
};
