/** A right client of financial data: it keeps a token, and sends each call with it. Wrong clients change one habit. */
import { COMMON, clientsBy, jsonSending, sendRobustly, sendUntilAccepted } from "../habits.ts";
import { type Answered, jsonIn, type Sending, type Setting } from "../setting.ts";

export const RIGHT = {
  ...COMMON,
  /** Minutes after which it gets a new token. */
  renewAfter: 90,
  /** Whether it logs in before each call. */
  logsInPerCall: false,
  /** The number of log-ins after a 401; with 0 it goes on using the refused token. */
  logInsAfterRefusal: 1,
  /** Seconds that it waits before it uses a refused token again. */
  pauseAfterRefusal: 2,
  secret: (configured: string) => configured,
  /** How often it tries to log in; it ends when all attempts fail. */
  logInAttempts: 2,
  /** Whether it takes the answer to a refused log-in for one with a token. */
  takesRefusals: false,
  logsIn: true,
  /** Whether the first failure of a server ends the client. */
  diesOnFailure: false,
};

export type Habits = typeof RIGHT;

export interface Token {
  readonly value: string;
  readonly issuedAt: number;
}

/** A place for a token, which several processes may share. */
export interface TokenStore {
  token: Token | undefined;
  /** A log-in under way, which parallel calls share. */
  pending?: Promise<void> | undefined;
}

export interface CallOptions {
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string>>;
  readonly accept?: string;
  /** The time limit in seconds. */
  readonly limit?: number;
  /** Sends the request again after a timeout. */
  readonly repeats?: boolean;
  /** Reads what a request without an answer created. */
  readonly look?: () => Promise<unknown>;
}

export type Client = ReturnType<typeof createClient>;

/** The configured customer, who has linked accounts. */
export const customerOf = ({ setting }: Client): string =>
  setting.environment.FINANCIAL_DATA_CUSTOMER_ID ?? "";

const keyOf = ({ environment }: Setting) => ({ "partner-app-key": environment.FINANCIAL_DATA_APP_KEY ?? "" });

/** Returns what gets tokens, and keeps them in a store. */
const keeperOf = (setting: Setting, habits: Habits, store: TokenStore) => {
  const { environment, clock } = setting;
  const url = `${environment.FINANCIAL_DATA_BASE_URL}/aggregation/v2/partners/authentication`;
  const headers = { ...keyOf(setting), accept: "application/json" };
  const logIn = async (): Promise<void> => {
    const partnerSecret = habits.secret(environment.FINANCIAL_DATA_PARTNER_SECRET ?? "");
    const body = { partnerId: environment.FINANCIAL_DATA_PARTNER_ID, partnerSecret };
    for (let attempt = 0; attempt < habits.logInAttempts; attempt += 1) {
      const answered = await setting.send(
        habits.request(jsonSending({ method: "POST", url, headers }, body)),
      );
      const { token = habits.takesRefusals ? "" : undefined } = jsonIn(answered);
      if (typeof token === "string") {
        store.token = { value: token, issuedAt: await clock.now() };
        return;
      }
      await clock.sleep(5);
    }
    throw new Error("the log-in was refused");
  };
  const isOld = async (): Promise<boolean> =>
    store.token === undefined || (await clock.now()) - store.token.issuedAt > habits.renewAfter * 60_000;
  const logInOnce = (): Promise<void> => {
    store.pending ??= logIn().finally(() => {
      store.pending = undefined;
    });
    return store.pending;
  };
  return {
    ...{ logIn, logInOnce, isOld },
    /** Gets a new token, unless a parallel call got one meanwhile. */
    async renew(refused: Token | undefined): Promise<void> {
      if (store.token?.value === refused?.value) await logInOnce();
    },
  };
};

export const createClient = (
  setting: Setting,
  habits: Habits = RIGHT,
  store: TokenStore = { token: undefined },
) => {
  const { environment, clock } = setting;
  const tokens = keeperOf(setting, habits, store);

  const send = async (
    method: string,
    path: string,
    options: CallOptions,
    used: TokenStore = { token: undefined },
  ): Promise<Answered> => {
    const { body, query, accept = "application/json", limit } = options;
    const signal = limit === undefined ? undefined : clock.limit(limit);
    const sending = async (): Promise<Sending> => {
      if (habits.logsIn && habits.logsInPerCall) await tokens.logIn();
      else if (habits.logsIn && (await tokens.isOld())) await tokens.logInOnce();
      used.token = store.token;
      const asked = query === undefined ? "" : `?${new URLSearchParams(query)}`;
      const url = `${environment.FINANCIAL_DATA_BASE_URL}${path}${asked}`;
      const headers = {
        ...keyOf(setting),
        accept,
        ...(store.token && { "partner-app-token": store.token.value }),
      };
      return habits.request(jsonSending({ method, url, headers, ...(signal && { signal }) }, body));
    };
    if (options.repeats === false || habits.diesOnFailure) {
      const answered = await setting.send(await sending());
      if (habits.diesOnFailure && answered.status >= 500)
        throw new Error(`the server failed with ${answered.status}`);
      return answered;
    }
    return sendRobustly(setting, sending, habits.retrying, options.look);
  };

  const sendWithToken = async (method: string, path: string, options: CallOptions): Promise<Answered> => {
    const used: TokenStore = { token: undefined };
    const answered = await send(method, path, options, used);
    if (answered.status !== 401 || !habits.logsIn) return answered;
    if (habits.logInsAfterRefusal === 1) await tokens.renew(used.token);
    else for (let time = 0; time < habits.logInsAfterRefusal; time += 1) await tokens.logIn();
    if (habits.logInsAfterRefusal === 0) await clock.sleep(habits.pauseAfterRefusal);
    return send(method, path, options);
  };

  const call = (method: string, path: string, options: CallOptions = {}): Promise<Answered> =>
    sendUntilAccepted(habits, () => sendWithToken(method, path, options));
  /** Returns the JSON of the answer. */
  const json = async (...asked: Parameters<typeof call>) => jsonIn(await call(...asked));
  return { setting, call, json };
};

/** Make clients that differ in what they do, and in their habits. */
export const { right, wrong } = clientsBy(
  (setting: Setting, habits: Habits) => createClient(setting, habits),
  RIGHT,
);
