/** Wrong clients of financial data: refreshes, statements, owners and transactions of accounts. */
import type { WrongClient } from "../../../callers/setting.ts";
import * as scenes from "../scenes.ts";
import { type Scene, wrongClient } from "./wrong-client.ts";

const billableTwice: Scene = async (one) => {
  const { customerId, ids } = await scenes.accounts(one);
  for (let time = 0; time < 2; time += 1) {
    await one.call("GET", `/aggregation/v3/customers/${customerId}/accounts/${ids[0]}/owner`);
  }
};

export const accounts: readonly WrongClient[] = [
  wrongClient("both versions of the refresh", "accounts.refresh-v1.not-for-tiers", (own) =>
    scenes.refresh(own, ["v1", "v2"]),
  ),
  wrongClient("the versions of the refresh in turns", "accounts.refresh-v2.for-tiers", (own) =>
    scenes.refresh(own, ["v2", "v1"]),
  ),
  wrongClient("a refresh every hour", "accounts.refresh.not-automated", (own) =>
    scenes.refresh(own, ["v2"], scenes.PATIENCE, 6, 3600),
  ),
  wrongClient("a refresh every minute", "accounts.refresh.not-automated", (own) =>
    scenes.refresh(own, ["v1"], scenes.PATIENCE, 6, 60),
  ),
  wrongClient("a refresh every 20 seconds", "accounts.refresh.not-automated", (own) =>
    scenes.refresh(own, ["v2"], scenes.PATIENCE, 6, 20),
  ),
  wrongClient(
    "30 seconds for a refresh",
    "accounts.refresh.client-timeout-180s",
    (own) => scenes.refresh(own, ["v2"], { ...scenes.PATIENCE, limit: 30 }),
    { exercises: ["refresh-late"] },
  ),
  wrongClient(
    "two minutes for a refresh",
    "accounts.refresh.client-timeout-180s",
    (own) => scenes.refresh(own, ["v1"], { ...scenes.PATIENCE, limit: 120 }),
    { exercises: ["refresh-late"] },
  ),
  wrongClient(
    "30 seconds for a statement",
    "statements.client-timeout-180s",
    (own) => scenes.statements(own, { ...scenes.PATIENCE, limit: 30 }),
    { exercises: ["statement-late"] },
  ),
  wrongClient(
    "a minute for a statement",
    "statements.client-timeout-180s",
    (own) => scenes.statements(own, { ...scenes.PATIENCE, limit: 60 }),
    { exercises: ["statement-late"] },
  ),
  wrongClient(
    "30 seconds for an owner",
    "accountOwner.may-take-minutes",
    (own) => scenes.owners(own, { limit: 30, repeats: true }),
    { exercises: ["owner-late"] },
  ),
  wrongClient(
    "no second try for an owner",
    "accountOwner.retry-on-timeout",
    (own) => scenes.owners(own, { limit: 180, repeats: false }),
    { exercises: ["owner-times-out"] },
  ),
  wrongClient("all details of owners demanded", "GetAccountOwnerDetails.content-varies", scenes.owners, {
    habits: {
      accepts: ({ holders }) =>
        !JSON.stringify(holders ?? "addresses").startsWith("[") || /addresses/.test(JSON.stringify(holders)),
    },
    exercises: ["owner-details-vary"],
  }),
  wrongClient("a billable call again", "caller.billable-call-not-repeated", billableTwice),
  wrongClient("a limit of 5000 transactions", "transactions.page-max-1000", async (own) => {
    const { customerId } = await scenes.accounts(own);
    const now = Math.floor((await own.setting.clock.now()) / 1000);
    await own.call("GET", `/aggregation/v3/customers/${customerId}/transactions`, {
      query: { fromDate: String(now - 86_400), toDate: String(now), limit: "5000" },
    });
  }),
  wrongClient("transactions without a start", "transactions.from-date-required", async (own) => {
    const { customerId } = await scenes.accounts(own);
    await own.call("GET", `/aggregation/v3/customers/${customerId}/transactions`, {
      query: { toDate: "1700000000" },
    });
  }),
];
