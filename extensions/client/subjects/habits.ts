/** The habits that clients of all services have: how they send a request, and how they repeat it. */
import {
  type Answered,
  jsonIn,
  type RightClient,
  type Sending,
  type Setting,
  type WrongClient,
} from "./setting.ts";

/** Settings of the retries of a client. */
export const RETRYING = {
  /** The part of `Retry-After` that the client waits for. */
  patience: 1,
  /** Whether a request that creates something is sent again without an answer. */
  repeatsCreations: false,
  /** Adds a random delay to each repetition. */
  jitter: false,
  /** How often a request is sent at most. */
  attempts: 8,
};

/** The habits of clients of every service; wrong clients differ in one member. */
export const COMMON = {
  /** Changes the request. */
  request: (sending: Sending) => sending,
  /** Whether the client accepts an answer. It sends the request again otherwise. */
  accepts: (_json: Readonly<Record<string, unknown>>): boolean => true,
  retrying: RETRYING,
};

export type CommonHabits = typeof COMMON;

/** Replaces a header of a request, or removes it. */
export const header =
  (name: string, value: string | undefined) =>
  (sending: Sending): Sending => {
    const { [name]: _, ...others } = sending.headers;
    return { ...sending, headers: value === undefined ? others : { ...others, [name]: value } };
  };

/** Changes the URL of a request. */
export const url =
  (change: (url: string, headers: Sending["headers"]) => string) =>
  (sending: Sending): Sending => ({ ...sending, url: change(sending.url, sending.headers) });

/** Returns a request whose body, if it has one, is JSON. */
export const jsonSending = ({ headers, ...others }: Omit<Sending, "body">, body: unknown): Sending => ({
  ...others,
  headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
  ...(body !== undefined && { body: JSON.stringify(body) }),
});

/** Habits of wrong clients: they refuse unknown fields, repeat creations, or wait for a part of `Retry-After` only. */
export const STRICT: Pick<CommonHabits, "accepts"> = { accepts: (json) => !("unheardOf" in json) };
export const TWICE = { retrying: { ...RETRYING, repeatsCreations: true } };
export const hasty = (patience: number) => ({ retrying: { ...RETRYING, patience } });

/** Sends a request by a function, and sends it again if the client does not accept the answer. */
export const sendUntilAccepted = async (
  { accepts }: CommonHabits,
  send: () => Promise<Answered>,
): Promise<Answered> => {
  const answered = await send();
  return answered.status >= 300 || accepts(jsonIn(answered)) ? answered : send();
};

/**
 * Sends a request, and sends it again as RFC 9110 permits.
 * @param look reads what a request without an answer created, before the request is sent again
 */
export const sendRobustly = async (
  { send, clock }: Setting,
  sending: () => Promise<Sending>,
  retrying: CommonHabits["retrying"],
  look?: () => Promise<unknown>,
): Promise<Answered> => {
  for (let attempt = 1; ; attempt += 1) {
    const one = await sending();
    const creates = one.method === "POST" && look !== undefined;
    let answered: Answered | undefined;
    try {
      answered = await send(one);
    } catch (error) {
      if (attempt >= retrying.attempts || one.signal?.aborted) throw error;
    }
    const status = answered?.status ?? 0;
    if (answered !== undefined && ![0, 429, 500, 503, 504].includes(status)) return answered;
    if (answered !== undefined && attempt >= retrying.attempts) return answered;
    const wait = Number(answered?.headers["retry-after"] ?? 1) * retrying.patience;
    await clock.sleep(wait + (retrying.jitter ? Math.random() : 0));
    if (creates && status !== 429 && status !== 503 && !retrying.repeatsCreations) await look?.();
  }
};

/** What a client does. */
export type Scene<Client> = (client: Client) => Promise<unknown>;

/** Does several things, one after the other. */
export const inTurn =
  <Client>(...scenes: readonly Scene<Client>[]): Scene<Client> =>
  async (client) => {
    for (const scene of scenes) await scene(client);
  };

/**
 * Returns what makes clients of a service, with the right habits but for those that are given.
 * @param open opens a client with these habits
 */
export const clientsBy = <Client, Habits>(
  open: (setting: Setting, habits: Habits) => Client,
  own: Habits,
) => {
  const right = (
    name: string,
    scene: Scene<Client>,
    exercises: readonly string[] = [],
    habits: Partial<Habits> = {},
  ): RightClient => ({
    ...{ name, exercises },
    run: async (setting) => void (await scene(open(setting, { ...own, ...habits }))),
  });
  const wrong = (
    name: string,
    requirement: string,
    ...[scene, exercises, habits]: [Scene<Client>, (readonly string[])?, Partial<Habits>?]
  ): WrongClient => ({ ...right(name, scene, exercises, habits), requirement });
  return { right, wrong };
};

/** Makes wrong clients of a service that all do the same, by their habits. */
export const wrongBy = <Habits>(run: (setting: Setting, habits: Habits) => Promise<void>, right: Habits) => {
  const { wrong } = clientsBy((setting: Setting, habits: Habits) => () => run(setting, habits), right);
  return (name: string, requirement: string, habits: Partial<Habits>, exercises?: readonly string[]) =>
    wrong(name, requirement, (start) => start(), exercises, habits);
};
