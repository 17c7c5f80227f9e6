/** The right clients of financial data, built in different ways. */
import { request } from "undici";
import { inTurn, RETRYING } from "../habits.ts";
import { jsonIn, type RightClient, type Send } from "../setting.ts";
import { type Client, createClient, RIGHT, right, type TokenStore } from "./client.ts";
import * as deeds from "./deed-scenes.ts";
import { rightHabits } from "./right-habits.ts";
import * as scenes from "./scenes.ts";
import { browsing, pausing, type Scene } from "./scenes.ts";

/** Everything that a client may do, in one order. */
const everything = async (client: Client): Promise<void> => {
  const { callbackUrl, clock } = client.setting;
  await scenes.browse(client, 16);
  await scenes.newCustomer(client);
  for (let time = 0; time < 3; time += 1) await scenes.listCustomers(client);
  await scenes.newConsumer(client);
  for (const query of [undefined, undefined, { callbackUrl }, { callbackUrl }, { callbackUrl }]) {
    await scenes.report(client, {}, query);
    await clock.sleep(61);
  }
  await scenes.owners(client);
  await clock.sleep(61);
  await scenes.owners(client);
  await scenes.refresh(client, [client.setting.environment.REFRESH === "v1" ? "v1" : "v2"]);
  await scenes.statements(client);
  await deeds.configuration(client, "own");
  await deeds.liteFlow(client, false);
  await deeds.applications(client, { usesReplaced: false, assigns: true });
  await deeds.verifyDeposits(client, deeds.arrived(client));
  await scenes.payStatements(client, false);
  await clock.sleep(91 * 60);
  await scenes.browse(client, 8);
};

/** Returns a client that ends when no attempt of a request succeeded. */
const endingOnFailure = (client: Client): Client => {
  const call: Client["call"] = async (method, path, options) => {
    const answered = await client.call(method, path, options);
    if ([401, 429].includes(answered.status) || answered.status >= 500)
      throw new Error(`${method} ${path} failed with ${answered.status}`);
    return answered;
  };
  return { ...client, call, json: async (...request) => jsonIn(await call(...request)) };
};

/** Sends with undici, which uses other connections and headers than `fetch`. */
const sendByUndici: Send = async ({ url, signal, ...init }) => {
  const { statusCode, headers, body } = await request(url, {
    ...init,
    method: init.method as "GET",
    ...(signal && { signal }),
  });
  const flat = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return { status: statusCode, headers: Object.fromEntries(flat), text: await body.text() };
};

/** A client of several processes. */
const running = (name: string, run: RightClient["run"], exercises?: readonly string[]): RightClient => ({
  ...{ name, run, ...(exercises && { exercises }) },
});

export const rightClients: readonly RightClient[] = [
  { name: "fetch", run: (setting) => everything(createClient(setting)), getsThrough: 23 },
  {
    name: "undici, cautious, with jitter and the first version of the refresh",
    getsThrough: 23,
    run: (setting) =>
      everything(
        createClient(
          { ...setting, send: sendByUndici, environment: { ...setting.environment, REFRESH: "v1" } },
          { ...RIGHT, renewAfter: 60, retrying: { ...RETRYING, jitter: true, patience: 1.5 } },
        ),
      ),
  },
  {
    name: "three attempts, and one for a log-in",
    // It does not survive the refused log-in.
    getsThrough: 22,
    run: (setting) => {
      const retrying = { ...RETRYING, attempts: 3 };
      return everything(endingOnFailure(createClient(setting, { ...RIGHT, logInAttempts: 1, retrying })));
    },
  },
  running("two processes that share a token", async (setting) => {
    const store: TokenStore = { token: undefined };
    const [first, second] = [createClient(setting, RIGHT, store), createClient(setting, RIGHT, store)];
    await scenes.browse(first, 1);
    await Promise.all([
      scenes.browse(first, 6),
      scenes.browse(second, 6),
      scenes.owners(second),
      scenes.newCustomer(first),
    ]);
  }),
  running("two processes with a token each", async (setting) => {
    // They know nothing of each other, and share only the clock.
    const [first, second] = [createClient(setting), createClient(setting)];
    await scenes.newConsumer(first);
    const refresh: Scene = (own) => scenes.refresh(own, ["v2"]);
    const after = inTurn<Client>(scenes.statements, refresh, pausing(91 * 60), browsing(6));
    // Each process sends calls of its own, because the same billable call twice is a violation.
    await Promise.all([
      inTurn<Client>(browsing(6), scenes.report, after)(first),
      inTurn<Client>(browsing(6), scenes.owners, after)(second),
    ]);
  }),
  running(
    "a secret that is corrected",
    async (setting) => {
      const mistaken = createClient(setting, {
        ...RIGHT,
        logInAttempts: 1,
        secret: () => "not-the-secret-1",
      });
      await scenes.browse(mistaken, 1).catch(() => {});
      await scenes.browse(createClient(setting), 2);
    },
    [],
  ),
  running("parallel calls", async (setting) => {
    const client = createClient(setting, { ...RIGHT, retrying: { ...RETRYING, jitter: true } });
    await scenes.newConsumer(client);
    await Promise.all([
      scenes.browse(client, 12),
      scenes.browse(client, 12),
      scenes.report(client),
      scenes.report(client),
      scenes.newCustomer(client),
      scenes.listCustomers(client),
    ]);
  }),
  running("a process every three hours", async (setting) => {
    for (let time = 0; time < 4; time += 1) {
      await scenes.browse(createClient(setting), 1);
      await setting.clock.sleep(3 * 3600);
    }
  }),
  running("workers with a token each", async (setting) => {
    // Each worker begins with the request that the one before has sent.
    const workers = Array.from({ length: 5 }, () => createClient(setting));
    for (let time = 0; time < 3; time += 1) {
      for (const worker of workers) await scenes.browse(worker, 1 + (time % 2));
    }
  }),
  right(
    "several readers of a report",
    async (client) => {
      // Several users read a complete report, soon after each other.
      await scenes.reportOfConsumer(client, { extra: 3, extraSeconds: 2 });
      await scenes.browse(client, 1);
    },
    ["report-succeeds"],
  ),
  running(
    "two processes with equal requests",
    async (setting) => {
      // The second one sends the request while the first one waits after a refusal.
      const [first, second] = [createClient(setting), createClient(setting)];
      await Promise.all([scenes.browse(first, 1), inTurn(pausing(2), browsing(1))(second)]);
    },
    ["rate-limited"],
  ),
  right(
    "an end by itself after the first page",
    async (client) => {
      await client.json("GET", "/aggregation/v1/customers", { query: { start: "1", limit: "5" } });
      throw new Error("the disk of the client is full");
    },
    ["page-three"],
  ),
  ...rightHabits,
];
