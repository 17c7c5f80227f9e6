/** Institutions in the financial data sandbox: search, pages, routing numbers and branding. */
import { expect } from "@playwright/test";
import { send } from "./client.ts";
import { test } from "./fixture.ts";

test("institutions are searched, filtered and paged, and found by routing number", async ({ openTenant }) => {
  const { client } = await openTenant();
  const list = async (query: string) => {
    const { json } = await client.operate("GetInstitutions", {}, undefined, query);
    return json as { found: number; institutions: { id: number; name: string }[]; moreAvailable: boolean };
  };
  const all = await list("?limit=1000");
  expect(all.institutions).toHaveLength(all.found);
  expect((await list("?search=nothing+of+the+kind")).institutions).toEqual([]);
  expect((await list("?supportedCountries=ca")).found).toBeLessThan(all.found);
  expect((await list("?start=41&limit=10")).institutions).toEqual(all.institutions.slice(40, 50));
  const number = client.environment.FINANCIAL_DATA_ROUTING_NUMBER ?? "";
  const statuses = [];
  for (const routing_number of [number, "123456789", number.slice(1), "1234567890"]) {
    statuses.push((await client.operate("GetInstitutionsByRoutingNumber", { routing_number })).status);
  }
  expect(statuses).toEqual([200, 404, 400, 400]);
});

test("branding links lead to SVG pictures, and some institutions have none", async ({ openTenant }) => {
  const { client, arrange } = await openTenant();
  const { json } = await client.operate("GetInstitutions");
  const institutionId = String((json.institutions as { id: number }[])[0]?.id);
  const branding = await client.operate("GetInstitutionBranding", { institutionId });
  const { logo } = branding.json.branding as { logo: string };
  const picture = await send("GET", logo, {});
  expect([picture.status, picture.headers["content-type"]]).toEqual([200, "image/svg+xml"]);
  const { FINANCIAL_DATA_INSTITUTION_ID: plain = "" } = await arrange("institution-without-branding");
  expect((await client.operate("GetInstitutionBranding", { institutionId: plain })).status).toBe(404);
});
