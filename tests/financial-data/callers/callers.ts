/** The clients of financial data that prove the caller checks: right ones, and wrong ones that differ in one thing. */
import { request } from "undici";
import {
  RETRYING,
  type RightClient,
  type Send,
  type Setting,
  type WrongClient,
} from "../../callers/setting.ts";
import { type Client, createClient, type Habits, RIGHT, type TokenStore } from "./client.ts";
import * as scenes from "./scenes.ts";

type Scene = (client: Client) => Promise<unknown>;

const customerOf = (client: Client): string => client.setting.environment.FINANCIAL_DATA_CUSTOMER_ID ?? "";

const oneReport =
  (polling: Partial<scenes.Polling> = {}): Scene =>
  async (client) => {
    await scenes.newConsumer(client, customerOf(client));
    await scenes.report(client, customerOf(client), { ...scenes.POLLING, ...polling });
    await client.setting.clock.sleep(130);
    await scenes.browse(client, 1);
  };

/** Everything that a client may do, in one order. */
const everything = async (client: Client): Promise<void> => {
  const { callbackUrl, clock } = client.setting;
  await scenes.browse(client, 16);
  await scenes.newCustomer(client);
  for (let time = 0; time < 3; time += 1) await scenes.listCustomers(client);
  await scenes.newConsumer(client, customerOf(client));
  for (const query of [undefined, undefined, { callbackUrl }, { callbackUrl }, { callbackUrl }]) {
    await scenes.report(client, customerOf(client), scenes.POLLING, query);
    await clock.sleep(61);
  }
  await scenes.owners(client);
  await clock.sleep(61);
  await scenes.owners(client);
  await scenes.refresh(client, [client.setting.environment.REFRESH === "v1" ? "v1" : "v2"]);
  await scenes.statements(client);
  await scenes.configuration(client, "own");
  await scenes.liteFlow(client, false);
  await scenes.applications(client, { usesReplaced: false, assigns: true });
  await scenes.microEntries(client, 2);
  await scenes.payStatements(client, false);
  await clock.sleep(91 * 60);
  await scenes.browse(client, 8);
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

/** Works in parallel, with one log-in at a time. */
const inParallel = async (setting: Setting): Promise<void> => {
  const client = createClient(setting, { ...RIGHT, retrying: { ...RETRYING, jitter: true } });
  await scenes.newConsumer(client, customerOf(client));
  await Promise.all([
    scenes.browse(client, 12),
    scenes.browse(client, 12),
    scenes.report(client, customerOf(client)),
    scenes.report(client, customerOf(client)),
    scenes.newCustomer(client),
    scenes.listCustomers(client),
  ]);
};

const WITHOUT_TIME = ["rate-limited", "unavailable", "additions", "failure", "half-answer", "reset"];

export const right: readonly RightClient[] = [
  { name: "fetch", run: (setting) => everything(createClient(setting)) },
  {
    name: "undici, cautious, with jitter and the first version of the refresh",
    run: (setting) =>
      everything(
        createClient(
          { ...setting, send: sendByUndici, environment: { ...setting.environment, REFRESH: "v1" } },
          { ...RIGHT, renewAfter: 60, retrying: { ...RETRYING, jitter: true, patience: 1.5 } },
        ),
      ),
  },
  {
    name: "two processes that share a token",
    // If one process lets 91 minutes pass, the time limits of the other one end.
    exercises: [...WITHOUT_TIME, "owner-times-out"],
    run: twoProcesses,
  },
  {
    name: "parallel calls",
    exercises: [
      ...WITHOUT_TIME,
      "token-ends",
      "page-three",
      "report-succeeds",
      "report-fails",
      "creation-lost",
    ],
    run: inParallel,
  },
];

const client = (
  name: string,
  requirement: string,
  scene: Scene,
  {
    habits = {},
    exercises = [],
  }: { readonly habits?: Partial<Habits>; readonly exercises?: readonly string[] } = {},
): WrongClient => ({
  name,
  requirement,
  exercises,
  run: async (setting) => void (await scene(createClient(setting, { ...RIGHT, ...habits }))),
});

const browsing =
  (times: number): Scene =>
  (one) =>
    scenes.browse(one, times);

/** Reads something with a time of 91 minutes before the last read. */
const afterLongPause: Scene = async (one) => {
  await scenes.browse(one, 2);
  await one.setting.clock.sleep(91 * 60);
  await scenes.browse(one, 4);
};

const billableTwice: Scene = async (one) => {
  const { customerId, ids } = await scenes.accounts(one);
  for (let time = 0; time < 2; time += 1) {
    await one.call("GET", `/aggregation/v3/customers/${customerId}/accounts/${ids[0]}/owner`);
  }
};

const twoConsumers: Scene = async (one) => {
  const customerId = await scenes.newCustomer(one);
  await scenes.newConsumer(one, customerId);
};

const query = (name: string, value: string): Partial<Habits> => ({
  request: (sending) =>
    sending.url.includes("/institution/") ? { ...sending, url: `${sending.url}?${name}=${value}` } : sending,
});

const withoutHeader = (name: string): Partial<Habits> => ({
  request: (sending) => {
    const { [name]: _, ...headers } = sending.headers;
    return { ...sending, headers };
  },
});

const one =
  (method: string, path: string, body?: unknown): Scene =>
  (own) =>
    own.call(method, path, body === undefined ? {} : { body });

export const wrong: readonly WrongClient[] = [
  client("a log-in before each call", "auth.single-token-reused", browsing(4), {
    habits: { logsInPerCall: true },
  }),
  client("a log-in before each of many calls", "auth.single-token-reused", browsing(9), {
    habits: { logsInPerCall: true },
  }),
  client("a token without end", "auth.token-renewed-after-90-minutes", afterLongPause, {
    habits: { renewAfter: Number.POSITIVE_INFINITY },
  }),
  client("a token for 115 minutes", "auth.token-renewed-after-90-minutes", afterLongPause, {
    habits: { renewAfter: 115 },
  }),
  client("a refused token", "caller.refused-token-replaced", browsing(6), {
    habits: { logInsAfterRefusal: 0 },
    exercises: ["token-ends"],
  }),
  client("three tokens after a refusal", "caller.refused-token-replaced", browsing(6), {
    habits: { logInsAfterRefusal: 3 },
    exercises: ["token-ends"],
  }),
  client("five failed log-ins", "caller.failed-log-ins", browsing(1), {
    habits: { logInAttempts: 5, secret: () => "not-the-secret-1" },
  }),
  client("a customer without a token", "flow.authenticate-then-enroll", scenes.newCustomer, {
    habits: { logsIn: false },
  }),
  client("calls without a token", "auth.token-needed-on-all-other-calls", browsing(1), {
    habits: { logsIn: false },
  }),
  client("calls without an app key", "auth.header.Partner-App-Key", browsing(1), {
    habits: withoutHeader("partner-app-key"),
  }),
  client("polling every 5 seconds", "reports.poll-wait-20s", oneReport({ seconds: 5 })),
  client("polling every 15 seconds", "reports.poll-wait-20s", oneReport({ seconds: 15 }), {
    exercises: ["report-succeeds"],
  }),
  client("polling at once", "reports.poll-wait-20s", oneReport({ seconds: 0.1, most: 5 }), {
    exercises: ["report-fails"],
  }),
  client("polling after the end", "reports.poll-while-inProgress", oneReport({ extra: 3 }), {
    exercises: ["report-succeeds"],
  }),
  client("polling after a failure", "reports.poll-while-inProgress", oneReport({ extra: 4 }), {
    exercises: ["report-fails"],
  }),
  client("polling once", "reports.poll-while-inProgress", oneReport({ most: 1 }), {
    exercises: ["report-succeeds"],
  }),
  client("a report before the consumer", "consumers.required-before-reports", async (own) => {
    await scenes.report(own, await scenes.newCustomer(own));
  }),
  client("a lite flow in a frame", "GenerateLiteConnectUrl.sdk-only-for-events", (own) =>
    scenes.liteFlow(own, true),
  ),
  client("OAuth without an application", "customers.testing.oauth-test-application", async (own) =>
    scenes.oauth(own, await scenes.newCustomer(own), {}),
  ),
  client("both versions of the refresh", "accounts.refresh-v1.not-for-tiers", (own) =>
    scenes.refresh(own, ["v1", "v2"]),
  ),
  client("the versions of the refresh in turns", "accounts.refresh-v2.for-tiers", (own) =>
    scenes.refresh(own, ["v2", "v1"]),
  ),
  client("a refresh every hour", "accounts.refresh.not-automated", (own) =>
    scenes.refresh(own, ["v2"], scenes.PATIENCE, 6, 3600),
  ),
  client("a refresh every minute", "accounts.refresh.not-automated", (own) =>
    scenes.refresh(own, ["v1"], scenes.PATIENCE, 6, 60),
  ),
  client(
    "30 seconds for a refresh",
    "accounts.refresh.client-timeout-180s",
    (own) => scenes.refresh(own, ["v2"], { ...scenes.PATIENCE, limit: 30 }),
    { exercises: ["refresh-late"] },
  ),
  client(
    "two minutes for a refresh",
    "accounts.refresh.client-timeout-180s",
    (own) => scenes.refresh(own, ["v1"], { ...scenes.PATIENCE, limit: 120 }),
    { exercises: ["refresh-late"] },
  ),
  client(
    "30 seconds for a statement",
    "statements.client-timeout-180s",
    (own) => scenes.statements(own, { ...scenes.PATIENCE, limit: 30 }),
    { exercises: ["statement-late"] },
  ),
  client(
    "a minute for a statement",
    "statements.client-timeout-180s",
    (own) => scenes.statements(own, { ...scenes.PATIENCE, limit: 60 }),
    { exercises: ["statement-late"] },
  ),
  client(
    "30 seconds for an owner",
    "accountOwner.may-take-minutes",
    (own) => scenes.owners(own, { limit: 30, repeats: true }),
    { exercises: ["owner-late"] },
  ),
  client(
    "no second try for an owner",
    "accountOwner.retry-on-timeout",
    (own) => scenes.owners(own, { limit: 180, repeats: false }),
    { exercises: ["owner-times-out"] },
  ),
  client("all details of owners demanded", "GetAccountOwnerDetails.content-varies", scenes.owners, {
    habits: {
      accepts: ({ holders }) =>
        !JSON.stringify(holders ?? "addresses").startsWith("[") || /addresses/.test(JSON.stringify(holders)),
    },
    exercises: ["owner-details-vary"],
  }),
  client("a pay statement uploaded again", "payStatementReports.reuse-asset-id", (own) =>
    scenes.payStatements(own, true),
  ),
  client("the replaced status of applications", "GetAppRegistrationStatus.replacements", (own) =>
    scenes.applications(own, { usesReplaced: true, assigns: true }),
  ),
  client(
    "a deprecated operation",
    "caller.deprecated-operations-avoided",
    one("GET", "/aggregation/v2/partners/applications"),
  ),
  client("applications that nobody gets", "SetCustomerAppID.for-several-applications", (own) =>
    scenes.applications(own, { usesReplaced: false, assigns: false }),
  ),
  client("one micro amount", "microentry.verify-both", (own) => scenes.microEntries(own, 1)),
  client("a configuration that is not passed on", "connectComponents.configuration-id-passed", (own) =>
    scenes.configuration(own, "none"),
  ),
  client("the configuration of somebody else", "connectComponents.configuration-id-passed", (own) =>
    scenes.configuration(own, "other"),
  ),
  client("an unknown path", "caller.documented-operations", one("GET", "/aggregation/v9/customers")),
  client("an unknown method", "caller.documented-operations", one("PATCH", "/aggregation/v1/customers")),
  client("the token in the URL", "caller.no-secret-in-url", browsing(1), {
    habits: query("token", "0123456789"),
  }),
  client("the app key in the URL", "caller.no-secret-in-url", browsing(1), {
    habits: query("app_key", "0123456789"),
  }),
  client("a quick repetition after 429", "caller.retry-after-kept", browsing(2), {
    habits: { retrying: { ...RETRYING, patience: 0.1 } },
    exercises: ["rate-limited"],
  }),
  client("a quick repetition after 503", "caller.retry-after-kept", browsing(2), {
    habits: { retrying: { ...RETRYING, patience: 0.5 } },
    exercises: ["unavailable"],
  }),
  client("a consumer created twice", "caller.creation-not-repeated-blindly", twoConsumers, {
    habits: { retrying: { ...RETRYING, repeatsCreations: true } },
    exercises: ["creation-lost"],
  }),
  client("a billable call again", "caller.billable-call-not-repeated", billableTwice),
  client("the first page only", "caller.further-pages-read", (own) => scenes.listCustomers(own, false), {
    exercises: ["page-three"],
  }),
  client("unknown fields refused", "caller.additions-accepted", browsing(2), {
    habits: { accepts: (json) => !("unheardOf" in json) },
    exercises: ["additions"],
  }),
  client("an end at the first failure", "caller.error-answers-survived", browsing(3), {
    habits: { diesOnFailure: true },
    exercises: ["failure"],
  }),
  client("an end at the first lost connection", "caller.error-answers-survived", browsing(3), {
    habits: { diesOnFailure: true },
    exercises: ["reset"],
  }),
  client(
    "a callback awaited for ever",
    "caller.callbacks-in-any-order",
    async (own) => {
      await scenes.newConsumer(own, customerOf(own));
      const { callbackUrl } = own.setting;
      await scenes.report(own, customerOf(own), { ...scenes.POLLING, most: 0 }, { callbackUrl });
    },
    { exercises: ["callback-never"] },
  ),
  client(
    "no credentials in the log-in",
    "CreateToken.request.shape",
    one("POST", "/aggregation/v2/partners/authentication", {}),
  ),
  client("a limit of 5000 transactions", "transactions.page-max-1000", async (own) => {
    const { customerId } = await scenes.accounts(own);
    const now = Math.floor((await own.setting.clock.now()) / 1000);
    await own.call("GET", `/aggregation/v3/customers/${customerId}/transactions`, {
      query: { fromDate: String(now - 86_400), toDate: String(now), limit: "5000" },
    });
  }),
  client("transactions without a start", "transactions.from-date-required", async (own) => {
    const { customerId } = await scenes.accounts(own);
    await own.call("GET", `/aggregation/v3/customers/${customerId}/transactions`, {
      query: { toDate: "1700000000" },
    });
  }),
];
