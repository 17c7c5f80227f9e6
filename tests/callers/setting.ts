/** The setting of a client that a proof runs: configuration, time, and how the client sends requests. */

export interface ClientClock {
  /** Milliseconds since 1970. */
  now(): Promise<number>;
  sleep(seconds: number): Promise<void>;
  /** Returns a signal that aborts after this time. */
  limit(seconds: number): AbortSignal;
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface Sending {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** Sends one request. @throws Error when there is no complete answer */
export type Send = (sending: Sending) => Promise<Answered>;

export interface Setting {
  /** Configuration values by environment name. */
  readonly environment: Readonly<Record<string, string>>;
  readonly clock: ClientClock;
  readonly send: Send;
  /** An address that receives report callbacks. */
  readonly callbackUrl: string;
}

/** A client that differs from a right one in one thing. */
export interface WrongClient {
  /** A unique name within the service. */
  readonly name: string;
  /** Id of the requirement that it violates, without the service. */
  readonly requirement: string;
  /** Ids of exercises, without the service; by default, a right client gets all and a wrong one gets none. */
  readonly exercises?: readonly string[];
  /** Runs the client. A client that fails throws. */
  run(setting: Setting): Promise<void>;
}

/** A client that does nothing wrong. */
export type RightClient = Omit<WrongClient, "requirement">;

/** @param url address of the clock of a proxy */
export const clockAt = (url: string): ClientClock => {
  const ask = async (query: string, method: "GET" | "POST"): Promise<number> => {
    const response = await fetch(`${url}${query}`, { method });
    return ((await response.json()) as { readonly now: number }).now;
  };
  const now = () => ask("", "GET");
  return {
    now,
    sleep: async (seconds) => void (await ask(`?until=${(await now()) + seconds * 1000}`, "POST")),
    limit(seconds) {
      const controller = new AbortController();
      void now()
        .then((time) => ask(`?until=${time + seconds * 1000}`, "GET"))
        .then(() => controller.abort(new Error("the time limit has passed")))
        .catch(() => {});
      return controller.signal;
    },
  };
};

/** Sends with `fetch`. */
export const sendByFetch: Send = async ({ url, ...init }) => {
  const response = await fetch(url, { ...init, redirect: "manual" });
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    text: await response.text(),
  };
};

export const jsonIn = ({ text }: Answered): Readonly<Record<string, unknown>> => {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
};

/** Settings of the retries of a client. */
export interface Retrying {
  /** The part of `Retry-After` that the client waits for. */
  readonly patience: number;
  /** Whether a request that creates something is sent again without an answer. */
  readonly repeatsCreations: boolean;
  /** Adds a random delay to each repetition. */
  readonly jitter: boolean;
}

export const RETRYING: Retrying = { patience: 1, repeatsCreations: false, jitter: false };

/**
 * Sends a request, and sends it again as RFC 9110 permits.
 * @param look reads what a request without an answer created, before the request is sent again
 */
export const sendRobustly = async (
  { send, clock }: Setting,
  sending: () => Promise<Sending>,
  retrying: Retrying,
  look?: () => Promise<unknown>,
): Promise<Answered> => {
  for (let attempt = 1; ; attempt += 1) {
    const one = await sending();
    const creates = one.method === "POST" && look !== undefined;
    let answered: Answered | undefined;
    try {
      answered = await send(one);
    } catch (error) {
      if (attempt >= MOST_ATTEMPTS || one.signal?.aborted) throw error;
    }
    const status = answered?.status ?? 0;
    if (answered !== undefined && ![0, 429, 500, 503, 504].includes(status)) return answered;
    if (answered !== undefined && attempt >= MOST_ATTEMPTS) return answered;
    const wait = Number(answered?.headers["retry-after"] ?? 1) * retrying.patience;
    await clock.sleep(wait + (retrying.jitter ? Math.random() : 0));
    if (creates && status !== 429 && status !== 503 && !retrying.repeatsCreations) await look?.();
  }
};

const MOST_ATTEMPTS = 8;
