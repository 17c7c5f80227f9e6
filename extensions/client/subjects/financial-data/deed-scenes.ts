/**
 * What clients of financial data do in a few calls each: businesses, micro deposits, payments and lists, and what lets a
 * customer connect accounts.
 */
import type { Json } from "../../../../helpers/contract/json.ts";
import { type Client, customerOf } from "./client.ts";
import { accounts, newCustomer } from "./scenes.ts";

const BUSINESS = {
  name: "Harbour Lamps",
  personallyLiable: true,
  address: { addressLine1: "1 Example Street", city: "Salt Lake City", state: "UT", country: "US" },
  phoneNumber: { countryCode: "1", phoneNo: "8015550100" },
};

export const addBusiness = (client: Client, customerId: string, name = BUSINESS.name): Promise<Json> =>
  client.json("POST", `/business-services/customers/${customerId}/businesses`, {
    body: { ...BUSINESS, name },
  });

/** Changes a business. @param businessId its id */
export const changeBusiness = (client: Client, businessId: unknown): Promise<unknown> =>
  client.call("PUT", `/business-services/businesses/${businessId}`, { body: BUSINESS });

/** Sends two micro amounts to an account. */
export const initiateDeposits = (client: Client, accountNumber = "0011223344"): Promise<Json> =>
  client.json("POST", `/microentry/v1/customers/${customerOf(client)}`, {
    body: {
      receiver: {
        routingNumber: "124001545",
        accountNumber,
        accountType: "personalChecking",
        name: "Robin Meadow",
      },
    },
    look: () => client.call("GET", `/aggregation/v1/customers/${customerOf(client)}/accounts`),
  });

/** Reports micro amounts of an account whose deposits have arrived. */
export const verifyDeposits = (client: Client, amounts: readonly number[]): Promise<unknown> => {
  const { MICRO_CUSTOMER_ID, MICRO_ACCOUNT_ID } = client.setting.environment;
  const path = `/microentry/v1/customers/${MICRO_CUSTOMER_ID}/accounts/${MICRO_ACCOUNT_ID}/amounts`;
  return client.call("POST", path, { body: { amounts } });
};

/** The micro amounts that arrived. */
export const arrived = ({ setting }: Client): readonly [first: number, second: number] => {
  const [first = 0, second = 0] = (setting.environment.MICRO_AMOUNTS ?? "").split(",").map(Number);
  return [first, second];
};

/** Returns the path of an account of the configured customer. */
export const accountPath = async (client: Client): Promise<string> => {
  const [id] = await accounts(client);
  return `customers/${customerOf(client)}/accounts/${id}`;
};

const PAYMENT = { settlementAmount: 12.5, settleByDate: "2027-01-15" };

/** Asks for payment success indicators. @param variant the segment of the path */
export const indicators = async (
  client: Client,
  variant: "fcra-payment-success-indicators" | "payment-success-indicators",
  query: Readonly<Record<string, string>> = {},
): Promise<unknown> => {
  const path = `/payments/${await accountPath(client)}/${variant}`;
  const { payRequestId } = await client.json("POST", path, { body: PAYMENT, query });
  return payRequestId;
};

/** Returns the first and the last date of a window that ends now. @param unit milliseconds of one unit of the dates */
const windowOf = async ({ setting }: Client, days: number, unit = 1_000) => {
  const now = await setting.clock.now();
  return [now - days * 86_400_000, now].map((time) => String(Math.floor(time / unit))) as [string, string];
};

/** Reads the transactions of a customer. @param unit milliseconds of one unit of the dates */
export const transactions = async (client: Client, unit = 1_000, days = 30, more = {}): Promise<unknown> => {
  const [fromDate, toDate] = await windowOf(client, days, unit);
  const path = `/aggregation/v3/customers/${customerOf(client)}/transactions`;
  return client.call("GET", path, { query: { fromDate, toDate, ...more } });
};

/** Asks for a report of transactions. @param days the length of its window */
export const transactionsReport = async (client: Client, days: number): Promise<unknown> => {
  const [fromDate, toDate] = await windowOf(client, days);
  return client.call("POST", `/decisioning/v2/customers/${customerOf(client)}/transactions`, {
    ...{ body: {}, query: { fromDate, toDate } },
    look: () => client.call("GET", `/decisioning/v1/customers/${customerOf(client)}/reports`),
  });
};

/** Asks for billed reports. @param days the length of the range */
export const billing = async (client: Client, days: number, size = 10): Promise<unknown> => {
  const partner = client.setting.environment.FINANCIAL_DATA_PARTNER_ID;
  const [startDate, endDate] = await windowOf(client, days);
  const query = { startDate, endDate, size: String(size) };
  return client.call("GET", `/decisioning/v1/partners/${partner}/billing/reseller`, { query });
};

/** Reads pages of the institutions. @param starts what the client gives as start */
export const institutions = async (
  client: Client,
  starts: readonly number[],
  query: Readonly<Record<string, string>> = { limit: "5" },
): Promise<void> => {
  for (const start of starts)
    await client.call("GET", "/institution/v2/institutions", { query: { ...query, start: String(start) } });
};

/** Subscribes the events of an account. @param port port of the listener, with a colon */
export const subscribe = async (client: Client, port: string): Promise<unknown> =>
  client.call("POST", `/aggregation/v1/${await accountPath(client)}/txpush`, {
    body: { callbackUrl: `https://listener.example.com${port}/events` },
  });

/** Reads the details of several statements. @param count how many */
export const statementDetails = async (client: Client, count: number): Promise<unknown> => {
  const index = Array.from({ length: count }, (_, at) => at + 1).join(",");
  return client.call("GET", `/aggregation/v3/${await accountPath(client)}/statement`, { query: { index } });
};

const APPLICATION = {
  appName: "Fielding Budget",
  appDescription: "A budget.",
  appUrl: "https://www.example.com",
  ownerName: "Fielding",
  ownerAddressLine1: "1 Example Street",
  ownerAddressLine2: "Floor 2",
  ownerCity: "Salt Lake City",
  ownerState: "UT",
  ownerPostalCode: "84101",
  ownerCountry: "USA",
  image: "PHN2Zy8+",
};

/** Registers two applications, and uses one of them in an OAuth flow. */
export const applications = async (
  client: Client,
  { usesReplaced, assigns }: { readonly usesReplaced: boolean; readonly assigns: boolean },
): Promise<void> => {
  for (const appName of ["Fielding Budget", "Fielding Loans"]) {
    await client.call("POST", "/aggregation/v1/partners/applications", {
      body: { ...APPLICATION, appName },
      look: () => client.call("GET", "/applications"),
    });
  }
  if (usesReplaced) await client.call("GET", "/aggregation/v2/partners/applications");
  const { applications: all = [] } = await client.json("GET", "/applications");
  const known = (all as Json[]).find(({ applicationId }) => applicationId !== undefined);
  const customerId = await newCustomer(client);
  if (assigns) {
    await client.call("PUT", `/aggregation/v1/customers/${customerId}/applications/${known?.applicationId}`);
  }
  await oauth(client, customerId);
};

/** Asks for the URL of an OAuth sign-in. */
export const oauth = (client: Client, customerId: string): Promise<unknown> =>
  client.call("POST", "/connect-components/institutions/613737/oauth-urls", {
    body: {
      redirectURI: "https://www.example.com/back",
      customerId,
      serviceAgreement: { language: "en", acceptedDate: "2026-01-02T03:04:05Z" },
    },
  });

/** @param passes whether the id of the configuration is passed on */
export const configuration = async (client: Client, passes: "own" | "none" | "other"): Promise<void> => {
  const { id } = await client.json("POST", "/connect-components/configurations", {
    body: { aoRequired: true },
  });
  const customerId = await newCustomer(client);
  const passed = { own: id, none: undefined, other: "9b2f6c1e-3d5a-4f7b-8c9d-0e1f2a3b4c5d" };
  await client.call("POST", "/connect-components/institutions/613734/login-forms", {
    body: {
      language: "en",
      customerId,
      serviceAgreement: { language: "en", acceptedDate: "2026-01-02T03:04:05Z" },
      configurationId: passed[passes],
    },
  });
};

/** @param inFrame whether the page is opened in the frame of an SDK */
export const liteFlow = async (client: Client, inFrame: boolean): Promise<void> => {
  const { environment, send } = client.setting;
  const customerId = await newCustomer(client);
  const { link } = await client.json("POST", "/connect/v2/generate/lite", {
    body: { partnerId: environment.FINANCIAL_DATA_PARTNER_ID, customerId, institutionId: 613734 },
  });
  if (typeof link !== "string") return;
  await send({ method: "GET", url: link, headers: inFrame ? { "sec-fetch-dest": "iframe" } : {} });
};
