/** Lists in answers: a documented 404 says that a list is empty, unless the call names a resource that may be unknown. */
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import type { Exchange } from "../../../helpers/exchange/exchange.ts";
import { speaking } from "../../../helpers/trials/kit/language.ts";
import type { TrialContext } from "../../../helpers/trials/trial.ts";

const contract = await loadContract("financial-data");
const t = speaking({ contract, bindings: {} } as unknown as TrialContext);

const read = (operationId: string, status: number, json: unknown) =>
  t.itemsOf({ operationId, response: { status, json } } as unknown as Exchange);

test("a documented 404 of a call that names no resource is an empty list", () => {
  expect(read("listWebhookSubscriptions", 404, { Errors: {} })).toEqual([]);
  expect(read("listWebhookSubscriptions", 200, { subscriptions: [{ id: "1" }] })).toHaveLength(1);
});

test("the identifier of what a call creates is also read from the end of its Location", () => {
  const url = "https://api.example.com/aggregation/v2/customers/testing";
  const created = (location: string, resource = "customer") => {
    const response = { status: 201, headers: { location }, json: {} };
    const exchange = { operationId: "AddTestingCustomer", request: { url }, response } as unknown as Exchange;
    return t.identifierAt(exchange, resource);
  };
  expect(created("/aggregation/v1/customers/17%2F3/")).toBe("17/3");
  expect(["/aggregation/v2/customers/testing?id=17", ""].map((one) => created(one))).toEqual([
    undefined,
    undefined,
  ]);
  expect(created("/aggregation/v1/customers/17", "consumer")).toBeUndefined();
});

test("another refusal, or a 404 that may mean an unknown customer, shows no list", () => {
  expect(read("listWebhookSubscriptions", 400, { Errors: {} })).toBeUndefined();
  expect(read("GetCustomerAccounts", 404, { code: 1 })).toBeUndefined();
});

test("a verb of a changed trial reads what was changed", () => {
  const own = { ...t, bindings: { GetCustomerAccounts: "/mine/*/id" } };
  const response = { status: 200, json: { mine: [{ id: "1" }] } };
  const exchange = { operationId: "GetCustomerAccounts", response } as unknown as Exchange;
  expect([t.itemsOf(exchange), own.itemsOf(exchange)]).toEqual([undefined, [{ id: "1" }]]);
});
