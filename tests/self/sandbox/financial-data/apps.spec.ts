/** App registration in the sandbox: registered, approved, reviewed again, and assigned to customers. */
import { expect } from "@playwright/test";
import { DOCUMENTS, test } from "./fixture.ts";
import type { Tenant } from "./tenant.ts";

const OPERATIONS = [
  "RegisterApp",
  "ModifyAppRegistration",
  "GetAppRegistrationStatus",
  "getApplications",
  "getRegisteredInstitutions",
  "SetCustomerAppID",
];
const APPLICATION = {
  appName: "Elm Budget",
  appDescription: "Keeps a budget.",
  appUrl: "https://elm.example.com",
  ownerName: "Elm",
  ownerAddressLine1: "1 Lake Road",
  ownerAddressLine2: "Suite 2",
  ownerCity: "Fairview",
  ownerState: "TX",
  ownerPostalCode: "75069",
  ownerCountry: "US",
  image: "<svg/>",
};
const UNKNOWN = {
  preAppId: "4711",
  applicationId: "4711",
  application_id: "4711",
};

const firstApplication = async ({ client }: Tenant): Promise<string> => {
  const { json } = await client.operate("getApplications");
  return String((json.applications as { applicationId?: string }[])[0]?.applicationId);
};

for (const [document, lane] of DOCUMENTS) {
  test(`every operation returns each of its statuses with ${document}`, lane, async ({ openTenantOf }) => {
    const tenant = await openTenantOf(document);
    await seeRegistration(tenant);
    await tenant.witness.seeUnauthorized(OPERATIONS);
    expect(tenant.witness.missing(OPERATIONS)).toEqual([]);
  });
}

const seeRegistration = async (tenant: Tenant) => {
  const { witness, arrange, environment } = tenant;
  const { json } = await witness.see("RegisterApp", 201, {}, APPLICATION);
  const preAppId = String(json.preAppId);
  await witness.see("RegisterApp", 400, {}, {});
  await witness.see("ModifyAppRegistration", 200, { preAppId }, APPLICATION);
  await witness.see("ModifyAppRegistration", 400, { preAppId }, {});
  await witness.see("ModifyAppRegistration", 404, UNKNOWN, APPLICATION);
  await witness.see("GetAppRegistrationStatus", 200, {}, undefined, "?page=1&pageSize=1");
  await witness.see("GetAppRegistrationStatus", 404, {}, undefined, "?preAppId=4711");
  await witness.see("GetAppRegistrationStatus", 400, {}, undefined, "?page=first");
  await witness.see("getApplications", 200);
  await witness.see("getApplications", 400, {}, undefined, "?limit=0");
  const applicationId = await firstApplication(tenant);
  const ids = { customerId: environment.FINANCIAL_DATA_CUSTOMER_ID ?? "", applicationId };
  await witness.see("getRegisteredInstitutions", 200, { application_id: applicationId });
  await witness.see("getRegisteredInstitutions", 404, UNKNOWN);
  await witness.see(
    "getRegisteredInstitutions",
    400,
    { application_id: applicationId },
    undefined,
    "?limit=0",
  );
  await witness.see("SetCustomerAppID", 200, ids);
  await witness.see("SetCustomerAppID", 404, { ...ids, applicationId: "4711" });
  const suspended = await arrange("suspended-application");
  const { FINANCIAL_DATA_APPLICATION_ID: barred = "" } = suspended;
  await witness.see("SetCustomerAppID", 400, { ...ids, applicationId: barred });
};

test("a registration is approved automatically, and a changed one is reviewed again", async ({
  openTenant,
}) => {
  const tenant = await openTenant();
  const { witness } = tenant;
  const { json } = await witness.see("RegisterApp", 201, {}, APPLICATION);
  expect(json.status).toBe("P");
  const preAppId = String(json.preAppId);
  const found = async (query: string) => {
    const list = (await witness.see("getApplications", 200, {}, undefined, query)).json;
    return list.applications as { applicationId?: string; status: string; name: string; preAppId: number }[];
  };
  const [pending] = await found(`?preAppId=${preAppId}`);
  expect(pending).toMatchObject({ status: "P", name: "Elm Budget" });
  expect(pending).not.toHaveProperty("applicationId");
  await tenant.advance(10);
  const [approved] = await found("?status=A&name=elm%20budget");
  expect(approved).toMatchObject({
    status: "A",
    preAppId: Number(preAppId),
    applicationId: expect.any(String),
  });
  await witness.see("ModifyAppRegistration", 200, { preAppId }, { ...APPLICATION, appName: "Oak Budget" });
  expect(await found(`?applicationId=${approved?.applicationId}`)).toMatchObject([
    { status: "P", name: "Oak Budget" },
  ]);
  await tenant.advance(10);
  expect(await found(`?applicationId=${approved?.applicationId}`)).toMatchObject([{ status: "A" }]);
});

test("registrations are filtered and paged in both lists", async ({ openTenant }) => {
  const tenant = await openTenant();
  const { witness } = tenant;
  for (const appName of ["One", "Two", "Three"]) {
    await witness.see("RegisterApp", 201, {}, { ...APPLICATION, appName });
  }
  const statuses = async (query: string) =>
    (await witness.see("GetAppRegistrationStatus", 200, {}, undefined, query)).json;
  expect(await statuses("?page=2&pageSize=3")).toMatchObject({
    totalRecords: 4,
    totalPages: 2,
    pageNumber: 2,
    numberOfRecordsPerPage: 3,
    applications: [{ appName: "Three", status: "P" }],
  });
  expect(await statuses("?status=P&appName=Two")).toMatchObject({ applications: [{ appName: "Two" }] });
  expect(await statuses("?submittedDate=1000000000")).toMatchObject({ totalRecords: 0, applications: [] });
  const page = (await witness.see("getApplications", 200, {}, undefined, "?start=2&limit=2")).json;
  expect(page).toMatchObject({ found: 4, displaying: 2, moreAvailable: true });
  expect(page.applications).toMatchObject([{ name: "One" }, { name: "Two" }]);
});

test("the institutions of an application are read all at once, by page, and individually", async ({
  openTenant,
}) => {
  const tenant = await openTenant();
  const ids = { application_id: await firstApplication(tenant) };
  const list = async (query = "") =>
    (await tenant.witness.see("getRegisteredInstitutions", 200, ids, undefined, query)).json;
  const all = (await list("?limit=1000")).institutions as { institutionId: number; status: boolean }[];
  expect(all.length).toBeGreaterThan(3);
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([true, false]));
  expect((await list("?start=2&limit=1")).institutions).toEqual([all[1]]);
  expect((await list(`?institution_id=${all[2]?.institutionId}`)).institutions).toEqual([all[2]]);
});

test("an application is assigned to a customer", async ({ openTenant }) => {
  for (const faults of [[], ["SetCustomerAppID.assigns-application.not-assigned"]]) {
    const tenant = await openTenant(...faults);
    const { witness, environment, client } = tenant;
    const customerId = environment.FINANCIAL_DATA_CUSTOMER_ID ?? "";
    const applicationId = await firstApplication(tenant);
    await witness.see("SetCustomerAppID", 200, { customerId, applicationId });
    const { json } = await client.operate("GetCustomerWithAppData", { customerId });
    expect(json.applicationId === applicationId).toBe(faults.length === 0);
  }
});

test("each fault of a list is visible in the list", async ({ openTenant }) => {
  const lists = async (...faults: string[]) => {
    const tenant = await openTenant(...faults);
    const { client } = tenant;
    await client.operate("RegisterApp", {}, APPLICATION);
    const ids = { application_id: await firstApplication(tenant) };
    const operate = async (operationId: string, items: string, query: string) => {
      const { status, json } = await client.operate(operationId, ids, undefined, query);
      return [status, (json[items] as unknown[] | undefined)?.length ?? 0];
    };
    return {
      statusFilter: await operate("GetAppRegistrationStatus", "applications", "?status=D"),
      statusPage: await operate("GetAppRegistrationStatus", "applications", "?page=9"),
      filter: await operate("getApplications", "applications", "?status=D"),
      start: await operate("getApplications", "applications", "?start=9"),
      institutionsStart: await operate("getRegisteredInstitutions", "institutions", "?start=900"),
      institution: await operate("getRegisteredInstitutions", "institutions", "?institution_id=1"),
    };
  };
  const none = [200, 0];
  const clean = await lists();
  expect(clean).toEqual({
    statusFilter: none,
    statusPage: none,
    filter: none,
    start: none,
    institutionsStart: none,
    institution: none,
  });
  const expected: [fault: string, where: keyof typeof clean, status: number][] = [
    ["GetAppRegistrationStatus.filters.ignored", "statusFilter", 200],
    ["GetAppRegistrationStatus.filters.status-refused", "statusFilter", 400],
    ["GetAppRegistrationStatus.paging.page-ignored", "statusPage", 200],
    ["GetAppRegistrationStatus.unsupported-after-2026-05.failing", "statusPage", 500],
    ["getApplications.filters.ignored", "filter", 200],
    ["getApplications.paging.start-ignored", "start", 200],
    ["getApplications.paging.start-refused", "start", 400],
    ["getRegisteredInstitutions.paging.start-ignored", "institutionsStart", 200],
    ["getRegisteredInstitutions.institution-id-query.ignored", "institution", 200],
    ["getRegisteredInstitutions.institution-id-query.refused", "institution", 400],
  ];
  for (const [fault, where, status] of expected) {
    const faulty = (await lists(fault))[where];
    expect([fault, faulty[0]]).toEqual([fault, status]);
    expect([fault, faulty]).not.toEqual([fault, none]);
  }
});
