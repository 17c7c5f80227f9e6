/** The contracts, compared with the documents that they come from. */
import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { parse } from "yaml";
import { loadContract } from "../../../helpers/contract/load.ts";
import { serviceDescriptor, services } from "../../../helpers/contract/services.ts";
import { shared } from "../support/shared.ts";

for (const service of services()) {
  test(`the register of ${service} has every id of the documents`, async () => {
    const rows = parse(readFileSync(shared(`requirements/${service}.yaml`), "utf8")) as { id: string }[];
    const ids = new Set((await loadContract(service)).requirements.map(({ id }) => id));
    expect(rows.map(({ id }) => id).filter((id) => !ids.has(id))).toEqual([]);
  });

  test(`the ids of ${service} are unique, and its rules name existing requirements`, async () => {
    const contract = await loadContract(service);
    const ids = contract.requirements.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const known = new Set(ids);
    const strays = contract.rules.filter(({ requirement }) => !known.has(requirement));
    expect(strays.map(({ requirement }) => requirement)).toEqual([]);
  });
}

for (const service of services()) {
  test(`the settings and the contract of ${service} name the same credentials and resources`, async () => {
    const { securitySchemes, operations, schemas } = await loadContract(service);
    const { settings } = serviceDescriptor(service);
    const names = settings.map(({ name }) => name);
    const configured = securitySchemes.flatMap(({ configuration }) => configuration ?? []);
    expect(configured.filter((name) => !names.includes(name))).toEqual([]);
    const contracted = JSON.stringify([operations, schemas]);
    const identified = settings.flatMap(({ resource }) => resource ?? []);
    expect(identified.filter((resource) => !contracted.includes(`"${resource}"`))).toEqual([]);
  });
}

const FINANCIAL = await loadContract("financial-data");

test("the number of requirements of card enrollment is unchanged", async () => {
  expect((await loadContract("card-enrollment")).requirements).toHaveLength(199);
});

test("financial data has the documented statuses of each operation, 593 in all", () => {
  const documented = statusesByOperation(readFileSync(shared("documents/financial-data.md"), "utf8"));
  const contracted = new Map(
    FINANCIAL.operations.map(({ operationId, responses }) => [operationId, Object.keys(responses).sort()]),
  );
  expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(contracted));
  expect([...documented.values()].flat()).toHaveLength(593);
});

/** Reads the statuses of each operation. A row ends with its operationId; a sentence above a table covers all its rows. */
const statusesByOperation = (document: string): Map<string, string[]> => {
  const known = new Set(FINANCIAL.operations.map(({ operationId }) => operationId));
  const found = new Map<string, string[]>();
  let common: string[] = [];
  for (const line of document.split("\n")) {
    if (line.startsWith("#")) common = [];
    if (line.startsWith("All are ")) common = statusesIn(line.replaceAll(/\([^)]*\)/g, ""));
    const cells = line.startsWith("|") ? line.split("|").slice(1, -1) : [];
    const operationId = cells.at(-1)?.trim().split(" ")[0] ?? "";
    if (!known.has(operationId)) continue;
    const own = statusesIn(cells.slice(0, -1).join(" "));
    const whole = own.some((status) => status < "300") && own.some((status) => status >= "400");
    found.set(operationId, [...new Set(whole ? own : [...own, ...common])].sort());
  }
  return found;
};

const statusesIn = (text: string): string[] =>
  [...text.matchAll(/(?<![\w/-])[2-5]\d\d(?!\w)/g)].map(([status]) => status);

test("shapes of financial data are assumed: one requirement per body, with a statement about the body", () => {
  const shapes = FINANCIAL.requirements.filter(({ id }) => /\.(request|response)\.shape$/.test(id));
  expect(shapes.length).toBeGreaterThan(100);
  expect(new Set(shapes.map(({ level }) => level))).toEqual(new Set(["assumed"]));
  expect(shapes.find(({ id }) => id === "financial-data.GetCustomer.response.shape")?.statement).toBe(
    "The body of a GetCustomer response has the assumed shape.",
  );
});

test("an operation has every fact that the contract states about it", () => {
  const find = (id: string) => FINANCIAL.operations.find(({ operationId }) => operationId === id);
  expect(find("CreateToken")).toMatchObject({ token: "/token", refusalHazards: ["locks-account"] });
  expect(find("AddTestingCustomer")?.produces).toEqual([{ resource: "customer", pointer: "/id" }]);
  expect(find("GetCustomers")).toMatchObject({
    list: { items: "/customers", more: "/moreAvailable" },
    paging: { start: "start", limit: "limit", first: 1 },
    repeatable: true,
  });
  expect(find("GenerateVOAReport")).toMatchObject({ needs: ["consumer"], reportType: ["voa"] });
  expect(find("testWebhookSubscription")).toMatchObject({
    repeatable: false,
    deliveries: "WebhookNotification",
  });
});

test("rules of parameters name the parameter, and its requirement if the register has one", () => {
  const of = (operationId: string) =>
    FINANCIAL.rules
      .filter((rule) => rule.operationId === operationId && rule.parameter !== undefined)
      .map(({ place, parameter, keyword, requirement }) =>
        [place, parameter, keyword, requirement].join(" "),
      );
  expect(of("getResellerBillingReport")).toEqual(
    expect.arrayContaining([
      "query startDate required financial-data.getResellerBillingReport.startDate-required",
      "query size maximum financial-data.getResellerBillingReport.size-max-1000",
    ]),
  );
  expect(of("GetCustomers")).toContain(
    "query start minimum financial-data.GetCustomers.parameter.start.minimum",
  );
  expect(of("GetCustomer")).toEqual([]);
});
