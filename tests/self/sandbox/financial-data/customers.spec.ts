/** Customers and consumers in the financial data sandbox: added, found, changed and deleted. */
import { expect } from "@playwright/test";
import { addCustomer, CONSUMER } from "./customer-calls.ts";
import { test } from "./fixture.ts";

const BUSINESS = {
  name: "Elm Bakery",
  personallyLiable: false,
  address: { addressLine1: "1 Lake Road", city: "Fairview", state: "TX", postalCode: "75069", country: "US" },
  phoneNumber: { countryCode: "1", phoneNo: "8015550100" },
};

test("customers are added once, found by search, paged to the end, and changed only by name", async ({
  openTenant,
}) => {
  const { client: own } = await openTenant();
  for (let index = 0; index < 60; index += 1) {
    await addCustomer(own, `maker-${index}`, { firstName: "Casey", lastName: `Hazel${index}` });
  }
  expect((await own.operate("AddCustomer", {}, { username: "MAKER-1" })).status).toBe(409);
  const ids = new Set<unknown>();
  let more = true;
  for (let start = 1; more; start += 25) {
    const { json } = await own.operate("GetCustomers", {}, undefined, `?start=${start}&limit=25`);
    const { customers, moreAvailable } = json as { customers: { id: string }[]; moreAvailable: boolean };
    for (const { id } of customers) ids.add(id);
    more = moreAvailable;
  }
  expect(ids.size).toBe(61);
  for (const search of ["maker-31", "Casey Hazel31", "hazel31"]) {
    const { json } = await own.operate(
      "GetCustomers",
      {},
      undefined,
      `?search=${encodeURIComponent(search)}`,
    );
    expect([search, (json.customers as { username: string }[])[0]?.username]).toEqual([search, "maker-31"]);
  }
  expect((await own.operate("GetCustomers", {}, undefined, "?type=robot")).status).toBe(400);
  const [id = ""] = [...ids].map(String).slice(-1);
  expect((await own.operate("ModifyCustomer", { customerId: id }, { phone: "1" })).status).toBe(400);
  expect((await own.operate("ModifyCustomer", { customerId: id }, { lastName: "Willow" })).status).toBe(204);
  const { json } = await own.operate("GetCustomer", { customerId: id });
  expect(json).toMatchObject({ id, firstName: "Casey", lastName: "Willow", type: "testing" });
});

test("deleting a customer deletes its accounts and business, but not its consumer", async ({
  openTenant,
}) => {
  const { client: own, witness, link } = await openTenant();
  const customerId = await addCustomer(own, "leaving");
  const consumer = await own.operate("CreateConsumer", { customerId }, CONSUMER);
  const consumerId = String(consumer.json.id);
  expect((await own.operate("CreateConsumer", { customerId }, CONSUMER)).status).toBe(409);
  const { ssn: _, ...lacking } = CONSUMER;
  expect((await own.operate("CreateConsumer", { customerId }, lacking)).status).toBe(400);
  expect((await own.operate("ModifyConsumer", { consumerId }, { city: "Riverton" })).status).toBe(204);
  const business = await witness.see("AddBusinessDetails", 200, { customer_id: customerId }, BUSINESS);
  expect((await own.operate("AddBusinessDetails", { customer_id: customerId }, BUSINESS)).status).toBe(409);
  const { accounts } = await link(customerId, { accounts: ["checking"] });
  expect(accounts).toEqual([{ id: expect.stringMatching(/^\d{10}$/), type: "checking" }]);
  expect((await own.operate("DeleteCustomer", { customerId })).status).toBe(204);
  expect((await own.operate("GetCustomer", { customerId })).status).toBe(404);
  const business_id = String(business.json.businessId);
  expect((await own.operate("GetBusinessById", { business_id })).status).toBe(404);
  const read = await own.operate("GetConsumer", { consumerId });
  expect(read.json).toMatchObject({ id: consumerId, city: "Riverton", firstName: "Avery", ssn: "1111" });
});
