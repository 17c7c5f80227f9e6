/** Reports shared with other partners: reissue to another partner, and the billing of a reseller. */
import { expect } from "@playwright/test";
import { test } from "./fixture.ts";

const DAY = 86_400;

test("a report of another partner is reissued, with a purpose code since April 30, 2026", async ({
  openTenant,
}) => {
  const tenant = await openTenant();
  const { witness, setClock } = tenant;
  const environment = await tenant.arrange("report-of-another-partner");
  const path = { reportId: environment.FINANCIAL_DATA_REPORT_ID ?? "" };
  const lender = { name: "Harbor Works" };
  await witness.see("GetReportById", 404, path, {});
  await setClock("2026-04-29T12:00:00Z");
  await witness.see("ReportReissue", 200, path, lender);
  await setClock("2026-05-01T00:00:00Z");
  const fresh = await tenant.signIn();
  expect((await fresh.operate("ReportReissue", path, lender)).status).toBe(400);
  expect((await fresh.operate("ReportReissue", path, { ...lender, purpose: "31" })).status).toBe(200);
  expect((await fresh.operate("ReportReissue", path)).status).toBe(400);
});

test("a reseller reads the billing of its partners in pages", async ({ openTenant }) => {
  const tenant = await openTenant();
  const credentials = await tenant.arrange("reseller", { entries: 130 });
  const reseller = await tenant.signIn(credentials);
  const partnerId = credentials.FINANCIAL_DATA_PARTNER_ID ?? "";
  const now = Math.floor(Date.now() / 1000) + 60;
  const page = async (more = "", days = 30) => {
    const query = `?startDate=${now - days * DAY}&endDate=${now}${more}`;
    return reseller.operate("getResellerBillingReport", { partnerId }, undefined, query);
  };
  const first = (await page()).json;
  expect(first).toMatchObject({
    totalElements: 130,
    numberOfElements: 100,
    number: 0,
    size: 100,
    last: false,
  });
  const second = (await page("&page=1")).json;
  expect(second).toMatchObject({ numberOfElements: 30, number: 1, last: true });
  expect((await page("&page=0")).json.content).toEqual(first.content);
  expect((await page("&size=1000&viewTestingReports=true")).json.totalElements).toBe(195);
  expect((await page("&size=1001")).status).toBe(400);
  expect((await page("", 31)).status).toBe(200);
  expect((await page("", 32)).status).toBe(400);
  const query = `?startDate=${now - DAY}&endDate=${now}`;
  const other = await tenant.client.operate("getResellerBillingReport", { partnerId }, undefined, query);
  expect(other.status).toBe(404);
});
