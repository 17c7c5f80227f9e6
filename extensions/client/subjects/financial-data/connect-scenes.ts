/** What clients of financial data do to let a customer connect accounts: applications, configurations and pages. */
import type { Json } from "../../../../helpers/contract/json.ts";
import type { Client } from "./client.ts";
import { newCustomer } from "./scenes.ts";

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
