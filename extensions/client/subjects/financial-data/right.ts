/** The right clients of financial data, built in different ways. */
import { request } from "undici";
import { RETRYING } from "../habits.ts";
import { jsonIn, type RightClient, type Send, type Setting } from "../setting.ts";
import { type Client, createClient, RIGHT, right, type TokenStore } from "./client.ts";
import * as deeds from "./deed-scenes.ts";
import { rightHabits } from "./right-habits.ts";
import * as scenes from "./scenes.ts";

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

/** Two processes that share one token, and work at the same time. */
const twoProcesses = async (setting: Setting): Promise<void> => {
  const store: TokenStore = { token: undefined };
  const [first, second] = [createClient(setting, RIGHT, store), createClient(setting, RIGHT, store)];
  await scenes.browse(first, 1);
  await Promise.all([
    scenes.browse(first, 6),
    scenes.browse(second, 6),
    scenes.owners(second),
    scenes.newCustomer(first),
  ]);
};

/** Two processes that know nothing of each other, and share only the clock. */
const processesApart = async (setting: Setting): Promise<void> => {
  const [first, second] = [createClient(setting), createClient(setting)];
  await scenes.newConsumer(first);
  const process = async (own: Client, waits: (own: Client) => Promise<void>): Promise<void> => {
    await scenes.browse(own, 6);
    await waits(own);
    await scenes.statements(own);
    await scenes.refresh(own, ["v2"]);
    await own.setting.clock.sleep(91 * 60);
    await scenes.browse(own, 6);
  };
  // Each process sends calls of its own, because the same billable call twice is a violation.
  await Promise.all([process(first, scenes.report), process(second, scenes.owners)]);
};

/** Two processes that send the same request, the second one while the first one waits after a refusal. */
const equalRequests = async (setting: Setting): Promise<void> => {
  const [first, second] = [createClient(setting), createClient(setting)];
  const later = async (): Promise<void> => {
    await setting.clock.sleep(2);
    await scenes.browse(second, 1);
  };
  await Promise.all([scenes.browse(first, 1), later()]);
};

/** Logs in with a wrong secret, which a person corrects. */
const correctsSecret = async (setting: Setting): Promise<void> => {
  const mistaken = createClient(setting, { ...RIGHT, logInAttempts: 1, secret: () => "not-the-secret-1" });
  await scenes.browse(mistaken, 1).catch(() => {});
  await scenes.browse(createClient(setting), 2);
};

/** One call every three hours, each by a process of its own. */
const nowAndThen = async (setting: Setting): Promise<void> => {
  for (let time = 0; time < 4; time += 1) {
    await scenes.browse(createClient(setting), 1);
    await setting.clock.sleep(3 * 3600);
  }
};

/** Workers with a token each, which work in turns. Each begins with the request that the one before has sent. */
const inTurns = async (setting: Setting): Promise<void> => {
  const workers = Array.from({ length: 5 }, () => createClient(setting));
  for (let time = 0; time < 3; time += 1) {
    for (const worker of workers) await scenes.browse(worker, 1 + (time % 2));
  }
};

/** Works in parallel, with one log-in at a time. */
const inParallel = async (setting: Setting): Promise<void> => {
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
};

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
  { name: "two processes that share a token", run: twoProcesses },
  { name: "two processes with a token each", run: processesApart },
  { name: "a secret that is corrected", run: correctsSecret, exercises: [] },
  { name: "parallel calls", run: inParallel },
  { name: "a process every three hours", run: nowAndThen },
  { name: "workers with a token each", run: inTurns },
  right(
    "several readers of a report",
    async (client) => {
      // Several users read a complete report, soon after each other.
      await scenes.reportOfConsumer(client, { extra: 3, extraSeconds: 2 });
      await scenes.browse(client, 1);
    },
    ["report-succeeds"],
  ),
  { name: "two processes with equal requests", run: equalRequests, exercises: ["rate-limited"] },
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
