/** What clients write in other ways than the documents show, and what users do on hosted pages. The stories have more. */
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../../helpers/contract/load.ts";
import { startSandbox } from "../../../../mocks/sandbox.ts";
import { withoutBodyRules } from "../without-body-rules.ts";
import { financialClient } from "./clients.ts";

test("a query can be long", async () => {
  await using sandbox = await startSandbox({ services: ["financial-data"] });
  const call = await financialClient(sandbox);
  const words = Array.from({ length: 2_000 }, (_, index) => `word${index % 10}`).join("+");
  expect(words.length).toBeGreaterThan(10_000);
  const answer = await call("GET", `/aggregation/v1/customers?search=${words}`);
  expect(answer).toMatchObject({ status: 200, json: { found: 0 } });
});

test("a number can be a text if no document states its type", async () => {
  const contract = withoutBodyRules(await loadContract("financial-data"));
  await using sandbox = await startSandbox({ services: ["financial-data"], contracts: [contract] });
  const call = await financialClient(sandbox, contract);
  const customer = sandbox.credentials.FINANCIAL_DATA_CUSTOMER_ID ?? "";
  const metrics = contract.operations.find(({ operationId }) => operationId === "GenerateSBCAMetricsReport");
  const path = metrics?.path.replace("{customerId}", customer) ?? "";
  const ask = (fromDate: unknown, toDate: unknown) =>
    call("POST", path, { locationId: "123456789012", metricsType: "analytics", fromDate, toDate });
  const inOrder = await ask("1700000000", "1800000000");
  const reversed = await ask("1800000000", "1700000000");
  expect([inOrder.status, reversed.status]).toEqual([200, 400]);
  expect((await ask(1800000000, 1700000000)).json).toEqual(reversed.json);
});

/** Submits a form. @returns the location that it leads to */
const enter = async (url: string, ...fields: readonly [name: string, value: string][]): Promise<string> => {
  const body = new URLSearchParams([...fields]);
  const answer = await fetch(url, { method: "POST", body, redirect: "manual" });
  expect(answer.status).toBe(303);
  return answer.headers.get("location") ?? "";
};

const open = async (url: string): Promise<string> => (await fetch(url)).text();

const stepAt = async (url: string): Promise<string | undefined> =>
  /data-step="([^"]+)"/.exec(await open(url))?.[1];

test("a user errs, shares accounts, is redirected with the own query, and manages the accounts later", async () => {
  await using sandbox = await startSandbox({ services: ["financial-data"] });
  const call = await financialClient(sandbox);
  const partnerId = sandbox.credentials.FINANCIAL_DATA_PARTNER_ID;
  const { json: customer } = await call("POST", "/aggregation/v2/customers/testing", { username: "quinn" });
  const institutionNamed = async (name: string): Promise<string> => {
    const { json } = await call("GET", `/institution/v2/institutions?search=${encodeURIComponent(name)}`);
    const found = (json.institutions as { id: number; name: string }[]).find((one) => one.name === name);
    return String(found?.id);
  };
  const link = async (more: object): Promise<string> =>
    String(
      (await call("POST", "/connect/v2/generate", { partnerId, customerId: customer.id, ...more })).json.link,
    );

  const url = await link({ singleUseUrl: true, redirectUri: "https://app.example.com/back?x=1" });
  await enter(url, ["institution", await institutionNamed("Meadow Test Bank MFA")]);
  await enter(url, ["username", "wrong"]);
  expect(await open(url)).toContain('role="alert"');
  await enter(url, ["username", "quinn"], ["password", "secret"]);
  await enter(url, ["code", "000000"]);
  expect(await stepAt(url)).toBe("challenge");
  await enter(url, ["code", "123456"]);
  expect(await stepAt(url)).toBe("accounts");
  expect(await enter(url, ["accounts", "checking"], ["accounts", "mortgage"])).toMatch(
    /^https:\/\/app\.example\.com\/back\?x=1&code=200&reason=complete/,
  );
  for (const gone of [url, url.replace(/[^/]+$/, "never")]) expect((await fetch(gone)).status).toBe(404);
  expect(await open(await link({}))).toContain('id="manage-accounts"');

  const institutionId = Number(await institutionNamed("Alder National Bank"));
  const lite = { partnerId, customerId: customer.id, institutionId };
  expect((await call("POST", "/connect/v2/generate/lite", lite)).status).toBe(400);
});
