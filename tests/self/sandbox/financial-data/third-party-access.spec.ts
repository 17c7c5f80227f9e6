/** Third-party access in the sandbox: consent, change, revocation, and the duration of access to an institution. */
import { expect } from "@playwright/test";
import { DOCUMENTS, test } from "./fixture.ts";
import type { Tenant } from "./tenant.ts";

const OPERATIONS = [
  "GenerateThirdPartyAccessKey",
  "UpdateThirdPartyAccessKey",
  "RevokeThirdPartyAccessKey",
  "getCustomerAuthorizationDetails",
];
const MALFORMED = { consentReceiptId: "a%20b" };
const UNKNOWN = { consentReceiptId: "4711" };

const accessTo = async ({ environment, arrange, link }: Tenant) => {
  const customerId = environment.FINANCIAL_DATA_CUSTOMER_ID ?? "";
  const { FINANCIAL_DATA_THIRD_PARTY_PARTNER_ID: thirdPartyPartnerId } = await arrange("third-party-partner");
  const { accounts } = await link(customerId, { accounts: ["checking"] });
  const accessPeriod = {
    type: "timeframe",
    startTime: "2030-01-01T00:00:00Z",
    endTime: "2031-01-01T00:00:00Z",
  };
  const product = { product: "availableBalance", accountId: accounts[0]?.id ?? "", accessPeriod };
  const partnerId = environment.FINANCIAL_DATA_PARTNER_ID;
  return { customerId, partnerId, thirdPartyPartnerId, products: [product] };
};

for (const [document, lane] of DOCUMENTS) {
  test(`every operation returns each of its statuses with ${document}`, lane, async ({ openTenantOf }) => {
    const tenant = await openTenantOf(document);
    await seeAccess(tenant);
    await tenant.witness.seeUnauthorized(OPERATIONS);
    expect(tenant.witness.missing(OPERATIONS)).toEqual([]);
  });
}

const seeAccess = async (tenant: Tenant) => {
  const { witness, arrange } = tenant;
  const access = await accessTo(tenant);
  const { json } = await witness.see("GenerateThirdPartyAccessKey", 200, {}, access);
  const [{ receipt }] = json.data as [{ receipt: { receiptId: string } }];
  const ids = { consentReceiptId: receipt.receiptId };
  await witness.see("GenerateThirdPartyAccessKey", 400, {}, {});
  await witness.see("GenerateThirdPartyAccessKey", 404, {}, { ...access, thirdPartyPartnerId: "4711" });
  await witness.see("UpdateThirdPartyAccessKey", 200, ids, access);
  await witness.see("UpdateThirdPartyAccessKey", 400, ids, {});
  await witness.see("UpdateThirdPartyAccessKey", 404, UNKNOWN, access);
  await witness.see("RevokeThirdPartyAccessKey", 400, MALFORMED);
  await witness.see("RevokeThirdPartyAccessKey", 204, ids);
  await witness.see("RevokeThirdPartyAccessKey", 404, ids);
  const { FINANCIAL_DATA_INSTITUTION_LOGIN_ID: login = "" } = await arrange("legacy-connection");
  await witness.see("getCustomerAuthorizationDetails", 404, { institution_login_id: login });
  const linked = await tenant.link(access.customerId, { institution: "oauth", accounts: ["checking"] });
  const loginId = { institution_login_id: linked.institutionLoginId };
  await witness.see("getCustomerAuthorizationDetails", 200, loginId);
};

test("an access key names only existing resources that the customer consented to", async ({ openTenant }) => {
  const tenant = await openTenant();
  const { witness } = tenant;
  const access = await accessTo(tenant);
  const { json } = await witness.see("GenerateThirdPartyAccessKey", 200, {}, access);
  const [{ receipt }] = json.data as [{ receipt: { receiptId: string; products: unknown } }];
  expect(receipt).toMatchObject({ customerId: access.customerId, products: access.products });
  const ids = { consentReceiptId: receipt.receiptId };
  const products = access.products.map((product) => ({ ...product, product: "accountOwner" }));
  const updated = await witness.see("UpdateThirdPartyAccessKey", 200, ids, { ...access, products });
  expect(updated.json.data).toMatchObject([{ receipt: { receiptId: receipt.receiptId, products } }]);
  for (const wrong of [{ customerId: "4711" }, { partnerId: "4711" }]) {
    await witness.see("GenerateThirdPartyAccessKey", 404, {}, { ...access, ...wrong });
  }
  const elsewhere = access.products.map((product) => ({ ...product, accountId: "4711" }));
  await witness.see("GenerateThirdPartyAccessKey", 404, {}, { ...access, products: elsewhere });
  const backwards = access.products.map((product) => ({
    ...product,
    accessPeriod: { ...product.accessPeriod, endTime: "2029-01-01T00:00:00Z" },
  }));
  await witness.see("GenerateThirdPartyAccessKey", 400, {}, { ...access, products: backwards });
});

test("OAuth connections have authorization details, others an error code", async ({ openTenant }) => {
  const details = async (tenant: Tenant, situation: string) => {
    const { FINANCIAL_DATA_INSTITUTION_LOGIN_ID: id = "" } = await tenant.arrange(situation);
    const { status, json } = await tenant.client.operate("getCustomerAuthorizationDetails", {
      institution_login_id: id,
    });
    return [status, Number(json.code)];
  };
  const tenant = await openTenant();
  expect(await details(tenant, "legacy-connection")).toEqual([404, 3003]);
  expect(await details(tenant, "old-authorization")).toEqual([404, 3004]);
  const id = tenant.environment.FINANCIAL_DATA_CUSTOMER_ID ?? "";
  const { institutionLoginId } = await tenant.link(id, { institution: "oauth", accounts: ["savings"] });
  const ids = { institution_login_id: institutionLoginId };
  const { json } = await tenant.witness.see("getCustomerAuthorizationDetails", 200, ids);
  expect(json.institutionLoginId).toBe(Number(institutionLoginId));
  const { authorizationStartDate, authorizationEndDate } = json;
  expect(Date.parse(String(authorizationEndDate))).toBeGreaterThan(
    Date.parse(String(authorizationStartDate)),
  );
  const legacy = "getCustomerAuthorizationDetails";
  const accepting = await openTenant(`${legacy}.oauth-only.legacy-accepted`);
  expect((await details(accepting, "legacy-connection"))[0]).toBe(200);
  const other = await openTenant(`${legacy}.error-3003.another-code`, `${legacy}.error-3004.another-code`);
  expect(await details(other, "legacy-connection")).toEqual([404, 3004]);
  expect(await details(other, "old-authorization")).toEqual([404, 3003]);
});
