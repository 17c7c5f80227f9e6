/** What clients of financial data do: one function for each part of an integration, with the habits of that part. */
import type { Json } from "../../../../helpers/contract/json.ts";
import { type Scene as SceneOf, url } from "../habits.ts";
import { type CallOptions, type Client, customerOf, type Habits } from "./client.ts";

export type Scene = SceneOf<Client>;

const unique = (): string => `robin${Math.random().toString(36).slice(2, 12)}`;

/** Creates a testing customer. */
export const newCustomer = async (client: Client, more: Json = {}): Promise<string> => {
  const username = unique();
  const { id } = await client.json("POST", "/aggregation/v2/customers/testing", {
    body: { username, firstName: "Robin", lastName: "Meadow", ...more },
    look: () => client.call("GET", "/aggregation/v1/customers", { query: { username } }),
  });
  return String(id);
};

export const CONSUMER = {
  firstName: "Robin",
  lastName: "Meadow",
  address: "1 Example Street",
  city: "Salt Lake City",
  state: "UT",
  zip: "84101",
  phone: "8015550100",
  ssn: "999601111",
  birthday: { year: 1989, month: 8, dayOfMonth: 13 },
};

export const newConsumer = (client: Client, customerId = customerOf(client)): Promise<unknown> =>
  client.call("POST", `/decisioning/v1/customers/${customerId}/consumer`, {
    body: CONSUMER,
    look: () => client.call("GET", `/decisioning/v1/customers/${customerId}/consumer`),
  });

/** Reads several things, as a client does between its other work. */
export const browse = async (client: Client, times = 4): Promise<void> => {
  for (let time = 0; time < times; time += 1) {
    await client.call("GET", `/institution/v2/institutions/${613734 + (time % 4)}`);
  }
};

/**
 * Reads the list of customers.
 * @param most the number of pages after which it stops
 * @param step the distance between the starts of two pages
 */
export const listCustomers = async (
  client: Client,
  most = Number.POSITIVE_INFINITY,
  step = PAGE,
): Promise<void> => {
  for (let read = 0; read < most; read += 1) {
    const page = await client.json("GET", "/aggregation/v1/customers", {
      query: { start: String(1 + read * step), limit: String(PAGE) },
    });
    if (page.moreAvailable !== true) return;
  }
};

const PAGE = 5;

/** How a client polls. */
export const POLLING = {
  seconds: 20,
  /** Reads after the report is complete. */
  extra: 0,
  /** Seconds between these. */
  extraSeconds: 20,
  /** The number of reads after which the client gives up. */
  most: 30,
};

/** Generates a report of a customer with linked accounts, and reads it until it is complete. */
export const report = async (
  client: Client,
  polling: Partial<typeof POLLING> = {},
  query?: CallOptions["query"],
  customerId = customerOf(client),
): Promise<void> => {
  const { seconds, extra, extraSeconds, most } = { ...POLLING, ...polling };
  const ack = await client.json("POST", `/decisioning/v2/customers/${customerId}/voa`, {
    body: {},
    ...(query && { query }),
    look: () => client.call("GET", `/decisioning/v1/customers/${customerId}/reports`),
  });
  if (ack.id === undefined) return;
  const path = `/decisioning/v3/customers/${customerId}/reports/${ack.id}`;
  for (let read = 0; read < most; read += 1) {
    const { status } = await client.json("GET", path);
    if (status !== "inProgress") break;
    await client.setting.clock.sleep(seconds);
  }
  for (let read = 0; read < extra; read += 1) {
    await client.setting.clock.sleep(extraSeconds);
    await client.call("GET", path);
  }
};

/** Generates a report of a consumer who is created first. */
export const reportOfConsumer = async (
  client: Client,
  ...[polling, query]: [Partial<typeof POLLING>?, CallOptions["query"]?]
): Promise<void> => {
  await newConsumer(client);
  await report(client, polling, query);
};

/** Returns ids of accounts of the configured customer that support statements and owners. */
export const accounts = async (client: Client): Promise<readonly string[]> => {
  const path = `/aggregation/v1/customers/${customerOf(client)}/accounts`;
  const { accounts: all = [] } = await client.json("GET", path);
  const checking = (all as Json[]).filter(({ type }) => type === "checking" || type === "savings");
  return (checking.length > 0 ? checking : (all as Json[])).map(({ id }) => String(id));
};

/** How a client waits for slow calls. */
export type Patience = Pick<CallOptions, "limit" | "repeats">;

/** The time limit of slow calls in seconds. */
const LIMIT = 180;

/** A call does not fail the client if the time limit has passed, or the server closed the connection. */
const tolerated = (): void => {};

export const owners = async (
  client: Client,
  { limit = LIMIT, repeats = true }: Patience = {},
): Promise<void> => {
  const ids = await accounts(client);
  for (const id of ids.slice(0, 2))
    for (const version of ["v1", "v3"]) {
      const path = `/aggregation/${version}/customers/${customerOf(client)}/accounts/${id}/owner`;
      await client.call("GET", path, { limit, repeats }).catch(tolerated);
    }
  await browse(client, 6);
};

/** @param versions versions of the refresh */
export const refresh = async (
  client: Client,
  versions: readonly ("v1" | "v2")[],
  { limit = LIMIT }: Patience = {},
  times = 1,
  pause = 0,
): Promise<void> => {
  await accounts(client);
  for (let time = 0; time < times; time += 1) {
    if (time > 0) await client.setting.clock.sleep(pause);
    for (const version of versions) {
      const path = `/aggregation/${version}/customers/${customerOf(client)}/accounts`;
      await client.call("POST", path, { limit, repeats: false }).catch(tolerated);
    }
  }
  await browse(client, 1);
};

export const statements = async (client: Client, { limit = LIMIT }: Patience = {}, times = 1) => {
  const [id] = await accounts(client);
  const path = `/aggregation/v1/customers/${customerOf(client)}/accounts/${id}/statement`;
  for (let time = 0; time < times; time += 1)
    await client.call("GET", path, { accept: "application/pdf", limit, repeats: false }).catch(tolerated);
  await browse(client, 1);
};

/**
 * @param uploadsAgain whether the pay statement is uploaded for each report
 * @param otherLabel the label of the second upload
 */
export const payStatements = async (
  client: Client,
  uploadsAgain: boolean,
  otherLabel = "lastPayPeriod",
): Promise<void> => {
  const customerId = customerOf(client);
  await accounts(client);
  await newConsumer(client);
  let assetId: unknown;
  for (const again of [false, true]) {
    if (!again || uploadsAgain) {
      const asset = await client.json("POST", `/aggregation/v1/customers/${customerId}/payStatements`, {
        body: { label: again ? otherLabel : "lastPayPeriod", statement: "JVBERi0xLjQKJcOkw7zDtsOfCg==" },
      });
      assetId = asset.assetId;
    }
    await client.setting.clock.sleep(90);
    await client.call("POST", `/decisioning/v2/customers/${customerId}/payStatement`, {
      body: { paystatementReport: { assetIds: [String(assetId)] } },
    });
  }
};

/** Adds a query to the reads of institutions. */
export const query = (text: string): Habits["request"] =>
  url((asked) => (asked.includes("/institution/") ? `${asked}?${text}` : asked));

export const browsing =
  (times: number): Scene =>
  (one) =>
    browse(one, times);

/** Lets time pass. */
export const pausing =
  (seconds: number): Scene =>
  ({ setting }) =>
    setting.clock.sleep(seconds);

/** Sends a request several times. */
export const again =
  (times: number, send: (own: Client, time: number) => Promise<unknown>): Scene =>
  async (own) => {
    for (let time = 0; time < times; time += 1) await send(own, time);
  };

/** Sends one request. */
export const oneRequest =
  (method: string, path: string, body?: unknown): Scene =>
  (own) =>
    own.call(method, path, body === undefined ? {} : { body });
