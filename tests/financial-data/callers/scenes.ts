/** What clients of financial data do: one function for each part of an integration, with the habits of that part. */
import { type Client, customerOf } from "./client.ts";

type Fields = Readonly<Record<string, unknown>>;

const unique = (): string => `robin${Math.random().toString(36).slice(2, 12)}`;

/** Creates a testing customer. */
export const newCustomer = async (client: Client, more: Fields = {}): Promise<string> => {
  const { id } = await client.json("POST", "/aggregation/v2/customers/testing", {
    body: { username: unique(), firstName: "Robin", lastName: "Meadow", ...more },
    look: () => client.call("GET", "/aggregation/v1/customers"),
  });
  return String(id);
};

const CONSUMER = {
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

export const newConsumer = (client: Client, customerId: string): Promise<unknown> =>
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

export interface Polling {
  readonly seconds: number;
  /** Reads after the report is complete. */
  readonly extra: number;
  /** Seconds between these. */
  readonly extraSeconds?: number;
  /** The number of reads after which the client gives up. */
  readonly most: number;
  readonly createsConsumer: boolean;
}

export const POLLING: Polling = { seconds: 20, extra: 0, most: 30, createsConsumer: true };

/** Generates a report of a customer with linked accounts, and reads it until it is complete. */
export const report = async (
  client: Client,
  customerId: string,
  polling: Polling = POLLING,
  query?: Readonly<Record<string, string>>,
): Promise<void> => {
  const ack = await client.json("POST", `/decisioning/v2/customers/${customerId}/voa`, {
    body: {},
    ...(query && { query }),
    look: () => client.call("GET", `/decisioning/v1/customers/${customerId}/reports`),
  });
  if (ack.id === undefined) return;
  const path = `/decisioning/v3/customers/${customerId}/reports/${ack.id}`;
  for (let read = 0; read < polling.most; read += 1) {
    const { status } = await client.json("GET", path);
    if (status !== "inProgress") break;
    await client.setting.clock.sleep(polling.seconds);
  }
  for (let extra = 0; extra < polling.extra; extra += 1) {
    await client.setting.clock.sleep(polling.extraSeconds ?? polling.seconds);
    await client.call("GET", path);
  }
};

/** Returns ids of accounts of the configured customer that support statements and owners. */
export const accounts = async (
  client: Client,
): Promise<{ readonly customerId: string; readonly ids: string[]; readonly login: string }> => {
  const customerId = customerOf(client);
  const { accounts: all = [] } = await client.json("GET", `/aggregation/v1/customers/${customerId}/accounts`);
  const checking = (all as Fields[]).filter(({ type }) => type === "checking" || type === "savings");
  const chosen = checking.length > 0 ? checking : (all as Fields[]);
  return {
    customerId,
    ids: chosen.map(({ id }) => String(id)),
    login: String(chosen[0]?.institutionLoginId),
  };
};

export interface Patience {
  /** The time limit of slow calls in seconds. */
  readonly limit: number;
  readonly repeats: boolean;
}

export const PATIENCE: Patience = { limit: 180, repeats: true };

/** Calls that never fail the client: a time limit ends them. */
const tolerant = async (work: () => Promise<unknown>): Promise<void> => {
  try {
    await work();
  } catch {
    // The time limit has passed, or the server closed the connection.
  }
};

export const owners = async (client: Client, { limit, repeats }: Patience = PATIENCE): Promise<void> => {
  const { customerId, ids } = await accounts(client);
  const options = { limit, repeats };
  for (const id of ids.slice(0, 2)) {
    await tolerant(() =>
      client.call("GET", `/aggregation/v1/customers/${customerId}/accounts/${id}/owner`, options),
    );
    await tolerant(() =>
      client.call("GET", `/aggregation/v3/customers/${customerId}/accounts/${id}/owner`, options),
    );
  }
  await browse(client, 6);
};

/** @param versions versions of the refresh */
export const refresh = async (
  client: Client,
  versions: readonly ("v1" | "v2")[],
  { limit }: Patience = PATIENCE,
  times = 1,
  pause = 0,
): Promise<void> => {
  const { customerId } = await accounts(client);
  for (let time = 0; time < times; time += 1) {
    if (time > 0) await client.setting.clock.sleep(pause);
    for (const version of versions) {
      await tolerant(() =>
        client.call("POST", `/aggregation/${version}/customers/${customerId}/accounts`, {
          limit,
          repeats: false,
        }),
      );
    }
  }
  await browse(client, 1);
};

export const statements = async (client: Client, { limit }: Patience = PATIENCE): Promise<void> => {
  const { customerId, ids } = await accounts(client);
  await tolerant(() =>
    client.call("GET", `/aggregation/v1/customers/${customerId}/accounts/${ids[0]}/statement`, {
      accept: "application/pdf",
      limit,
      repeats: false,
    }),
  );
  await browse(client, 1);
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

export interface Applications {
  /** Whether it uses the operation that others replace. */
  readonly usesReplaced: boolean;
  /** Whether customers get an application. */
  readonly assigns: boolean;
}

/** Registers two applications, and uses one of them in an OAuth flow. */
export const applications = async (
  client: Client,
  { usesReplaced, assigns }: Applications,
): Promise<void> => {
  for (const appName of ["Fielding Budget", "Fielding Loans"]) {
    await client.call("POST", "/aggregation/v1/partners/applications", {
      body: { ...APPLICATION, appName },
      look: () => client.call("GET", "/applications"),
    });
  }
  if (usesReplaced) await client.call("GET", "/aggregation/v2/partners/applications");
  const { applications: all = [] } = await client.json("GET", "/applications");
  const known = (all as Fields[]).find(({ applicationId }) => applicationId !== undefined);
  const customerId = await newCustomer(client);
  if (assigns) {
    await client.call("PUT", `/aggregation/v1/customers/${customerId}/applications/${known?.applicationId}`);
  }
  await oauth(client, customerId, {});
};

/** Asks for the URL of an OAuth sign-in. */
export const oauth = (client: Client, customerId: string, more: Fields): Promise<unknown> =>
  client.call("POST", "/connect-components/institutions/613737/oauth-urls", {
    body: {
      redirectURI: "https://www.example.com/back",
      customerId,
      serviceAgreement: { language: "en", acceptedDate: "2026-01-02T03:04:05Z" },
      ...more,
    },
  });

/** @param passes whether the id of the configuration is passed on */
export const configuration = async (client: Client, passes: "own" | "none" | "other"): Promise<void> => {
  const { id } = await client.json("POST", "/connect-components/configurations", {
    body: { aoRequired: true },
  });
  const customerId = await newCustomer(client);
  const other = "9b2f6c1e-3d5a-4f7b-8c9d-0e1f2a3b4c5d";
  await client.call("POST", "/connect-components/institutions/613734/login-forms", {
    body: {
      language: "en",
      customerId,
      serviceAgreement: { language: "en", acceptedDate: "2026-01-02T03:04:05Z" },
      ...(passes === "own" && { configurationId: id }),
      ...(passes === "other" && { configurationId: other }),
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

/** @param amounts the number of amounts that the customer verifies */
export const microEntries = async (client: Client, amounts: number): Promise<void> => {
  const { environment } = client.setting;
  const customerId = environment.MICRO_CUSTOMER_ID;
  const known = (environment.MICRO_AMOUNTS ?? "").split(",").map(Number);
  await client.call(
    "POST",
    `/microentry/v1/customers/${customerId}/accounts/${environment.MICRO_ACCOUNT_ID}/amounts`,
    {
      body: { amounts: known.slice(0, amounts) },
    },
  );
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
  const { customerId } = await accounts(client);
  await newConsumer(client, customerId);
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
