/** The hosted flows of the financial data sandbox, used as a browser does: forms, redirects, pages. */
import { expect } from "@playwright/test";
import { send } from "./client.ts";
import { test } from "./fixture.ts";
import type { Tenant } from "./tenant.ts";

let tenant: Tenant;
let made = 0;

test.beforeEach(async ({ openTenant }) => {
  tenant = await openTenant();
});

const partnerId = () => tenant.environment.FINANCIAL_DATA_PARTNER_ID;

const customer = async (operationId = "AddTestingCustomer"): Promise<string> => {
  made += 1;
  const body = {
    username: `visitor-${made}`,
    firstName: "Quinn",
    lastName: `Maple${made}`,
  };
  return String((await tenant.client.operate(operationId, {}, body)).json.id);
};

const link = async (operationId: string, body: Record<string, unknown>): Promise<string> => {
  const { json } = await tenant.client.operate(operationId, {}, { partnerId: partnerId(), ...body });
  return String(json.link);
};

const open = async (url: string): Promise<string> => (await send("GET", url, {})).text;

/** Submits a form. @returns the location that it leads to */
const enter = async (url: string, fields: [string, string][]): Promise<string> => {
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const { status, headers } = await send("POST", url, form, new URLSearchParams(fields).toString());
  expect(status).toBe(303);
  return String(headers.location);
};

const stepOf = (page: string): string => /data-step="([^"]+)"/.exec(page)?.[1] ?? page;

const institutionNamed = async (name: string): Promise<string> => {
  const { json } = await tenant.client.operate(
    "GetInstitutions",
    {},
    undefined,
    `?limit=100&search=${encodeURIComponent(name)}`,
  );
  const found = (json.institutions as { id: number; name: string }[]).find((one) => one.name === name);
  return String(found?.id);
};

const CREDENTIALS: [string, string][] = [
  ["username", "quinn"],
  ["password", "secret"],
];

test("a user chooses an institution, signs in, shares accounts, and is redirected back", async () => {
  const customerId = await customer();
  const url = await link("GenerateConnectUrl", {
    customerId,
    redirectUri: "https://app.example.com/back?x=1",
  });
  expect(stepOf(await open(url))).toBe("institution");
  await enter(url, [["institution", await institutionNamed("Meadow Test Bank")]]);
  await enter(url, [["username", "wrong"]]);
  expect(await open(url)).toContain('role="alert"');
  await enter(url, CREDENTIALS);
  expect(stepOf(await open(url))).toBe("accounts");
  const back = await enter(url, [
    ["accounts", "checking"],
    ["accounts", "mortgage"],
  ]);
  expect(back).toMatch(/^https:\/\/app\.example\.com\/back\?x=1&code=200&reason=complete/);
  const again = await link("GenerateConnectUrl", { customerId });
  expect(await open(again)).toContain('id="manage-accounts"');
});

test("an institution with a challenge asks for the code", async () => {
  const url = await link("GenerateConnectUrl", { customerId: await customer() });
  await enter(url, [["institution", await institutionNamed("Meadow Test Bank MFA")]]);
  await enter(url, CREDENTIALS);
  expect(stepOf(await open(url))).toBe("challenge");
  await enter(url, [["code", "000000"]]);
  expect(stepOf(await open(url))).toBe("challenge");
  await enter(url, [["code", "123456"]]);
  await enter(url, [["accounts", "savings"]]);
  expect(stepOf(await open(url))).toBe("done");
});

test("testing customers see unbilled test profiles, active ones see billable and live institutions", async () => {
  const testing = await open(await link("GenerateConnectUrl", { customerId: await customer() }));
  const active = await open(await link("GenerateConnectUrl", { customerId: await customer("AddCustomer") }));
  const seen = (page: string) =>
    ["Plain Test Credit Union", "Meadow Test Bank Billable", "Alder National Bank"].map((name) =>
      page.includes(`> ${name}<`),
    );
  expect([seen(testing), seen(active)]).toEqual([
    [true, false, false],
    [false, true, true],
  ]);
  const institutionId = Number(await institutionNamed("Alder National Bank"));
  const body = { partnerId: partnerId(), customerId: await customer(), institutionId };
  expect((await tenant.client.operate("GenerateLiteConnectUrl", {}, body)).status).toBe(400);
});

test("the page is in English unless Spanish or French is requested", async () => {
  const customerId = await customer();
  const tags = [];
  for (const language of [{}, { language: "es" }, { language: "fr" }]) {
    const page = await open(await link("GenerateConnectUrl", { customerId, ...language }));
    tags.push(/<html lang="([^"]+)"/.exec(page)?.[1]);
  }
  expect(tags).toEqual(["en", "es-US", "fr-CA"]);
});

test("lite starts at the given institution and manages no accounts; a full number is prefilled", async () => {
  const customerId = await customer();
  const institutionId = Number(await institutionNamed("Meadow Test Bank"));
  const url = await link("GenerateLiteConnectUrl", { customerId, institutionId });
  const page = await open(url);
  expect([stepOf(page), page.includes("manage-accounts")]).toEqual(["sign-in", false]);
  await enter(url, CREDENTIALS);
  await enter(url, [["accounts", "checking"]]);
  expect(await open(url)).not.toContain("manage-accounts");
  const full = await link("GenerateConnectUrl", { customerId, optionalConsumerInfo: { ssn: "999601111" } });
  await enter(full, [["institution", String(institutionId)]]);
  await enter(full, CREDENTIALS);
  expect(await open(full)).toContain('value="999601111"');
});

test("fix repairs a login with a challenge, and the borrowers of a joint session take turns", async () => {
  const environment = await tenant.arrange("mfa-account");
  const customerId = environment.FINANCIAL_DATA_CUSTOMER_ID ?? "";
  const institutionLoginId = environment.FINANCIAL_DATA_INSTITUTION_LOGIN_ID ?? "";
  const ids = { customer_id: customerId, institution_login_id: institutionLoginId };
  expect((await tenant.client.operate("post-reconnections", ids)).status).toBe(203);
  const url = await link("GenerateFixConnectUrl", { customerId, institutionLoginId });
  await enter(url, CREDENTIALS);
  await enter(url, [["code", "123456"]]);
  expect(stepOf(await open(url))).toBe("done");
  expect((await tenant.client.operate("post-reconnections", ids)).status).toBe(201);
  const borrowers = [];
  for (const type of ["jointBorrower", "primary"])
    borrowers.push({ type, customerId: await customer(), consumerId: "7" });
  const joint = await link("GenerateJointBorrowerConnectUrl", { borrowers });
  const turns = [];
  for (const _ of borrowers) {
    turns.push(/data-turn="(\d)"[^>]*>([^<]+)/.exec(await open(joint))?.slice(1));
    await enter(joint, [["institution", await institutionNamed("Meadow Test Bank")]]);
    await enter(joint, CREDENTIALS);
    await enter(joint, [["accounts", "checking"]]);
  }
  expect(turns).toEqual([
    ["1", expect.stringContaining("Maple")],
    ["2", expect.stringContaining("Maple")],
  ]);
  expect(stepOf(await open(joint))).toBe("done");
});

test("the deliveries include an e-mail with a working link", async () => {
  const borrowers = [];
  for (const type of ["primary", "jointBorrower"])
    borrowers.push({ type, customerId: await customer(), consumerId: "7" });
  const body = { borrowers, email: { to: "joint@example.com" }, experience: "default" };
  const url = await link("SendJointBorrowerConnectEmail", body);
  expect(await tenant.logged("e-mail")).toMatchObject([
    { url: "mailto:joint@example.com", body: { link: url } },
  ]);
  expect(stepOf(await open(url))).toBe("institution");
  const { email: _, ...without } = body;
  const refused = await tenant.client.operate(
    "SendJointBorrowerConnectEmail",
    {},
    { partnerId: partnerId(), ...without },
  );
  expect(refused.status).toBe(400);
});

test("an OAuth URL leads to the sign-in and then to the redirect", async () => {
  const customerId = await customer();
  const institution_id = await institutionNamed("Meadow Test Bank OAuth");
  const body = {
    redirectURI: "https://app.example.com/oauth",
    customerId,
    serviceAgreement: { language: "en", acceptedDate: "2025-01-01T00:00:00Z" },
  };
  const operationId = "post-institutions-institutionId-oauth-urls";
  const created = await tenant.client.operate(operationId, { institution_id }, body);
  const url = String(created.json.url);
  await enter(url, CREDENTIALS);
  expect(await enter(url, [["accounts", "checking"]])).toMatch(
    /^https:\/\/app\.example\.com\/oauth\?code=200/,
  );
});

test("an unknown URL and a used single-use URL answer 404", async () => {
  const url = await link("GenerateConnectUrl", { customerId: await customer(), singleUseUrl: true });
  expect((await send("GET", url.replace(/[^/]+$/, "never"), {})).status).toBe(404);
  await enter(url, [["institution", await institutionNamed("Meadow Test Bank")]]);
  await enter(url, CREDENTIALS);
  await enter(url, [["accounts", "checking"]]);
  expect((await send("GET", url, {})).status).toBe(404);
});
