/** Lists in answers: a documented 404 says that a list is empty, unless the call names a resource that may be unknown. */
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import type { Exchange } from "../../../helpers/exchange/exchange.ts";
import { itemsOf } from "../../../helpers/trials/kit/reading.ts";
import type { TrialContext } from "../../../helpers/trials/trial.ts";

const read = async (operationId: string, status: number, json: unknown) => {
  const context = { contract: await loadContract("financial-data"), bindings: {} } as unknown as TrialContext;
  return itemsOf(context, { operationId, response: { status, json } } as unknown as Exchange);
};

test("a documented 404 of a call that names no resource is an empty list", async () => {
  expect(await read("listWebhookSubscriptions", 404, { Errors: {} })).toEqual([]);
  expect(await read("listWebhookSubscriptions", 200, { subscriptions: [{ id: "1" }] })).toHaveLength(1);
});

test("another refusal, or a 404 that may mean an unknown customer, shows no list", async () => {
  expect(await read("listWebhookSubscriptions", 400, { Errors: {} })).toBeUndefined();
  expect(await read("GetCustomerAccounts", 404, { code: 1 })).toBeUndefined();
});
