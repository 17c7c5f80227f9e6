/** Wrong clients of financial data: refreshes, statements, owners and transactions of accounts. */
import type { WrongClient } from "../../setting.ts";
import type { Client } from "../client.ts";
import * as deeds from "../deed-scenes.ts";
import * as scenes from "../scenes.ts";
import { again, type Scene, wrong } from "./wrong-client.ts";

const AUTOMATED = "accounts.refresh.not-automated";

const billableTwice: Scene = async (one) => {
  const path = `/aggregation/v3/${await deeds.accountPath(one)}/owner`;
  await again(2, () => one.call("GET", path))(one);
};

const regularly =
  (version: "v1" | "v2", pause: number): Scene =>
  (own) =>
    scenes.refresh(own, [version], scenes.PATIENCE, 6, pause);

const LATE = {
  refresh: "accounts.refresh.client-timeout-180s",
  statement: "statements.client-timeout-180s",
  owner: "accountOwner.may-take-minutes",
};

/** A client whose time limit is the number at the start of its name. */
const impatient = (
  name: string,
  what: keyof typeof LATE,
  scene: (own: Client, patience: typeof scenes.PATIENCE) => Promise<unknown>,
): WrongClient =>
  wrong(name, LATE[what], (own) => scene(own, { limit: Number.parseInt(name, 10), repeats: true }), [
    `${what}-late`,
  ]);

/** Reads that a client sends three times. */
const refreshing = (version: "v1" | "v2") => (own: Client, patience: typeof scenes.PATIENCE) =>
  scenes.refresh(own, [version], patience, 3);
const statements = (own: Client, patience: typeof scenes.PATIENCE) => scenes.statements(own, patience, 3);

export const accounts: readonly WrongClient[] = [
  wrong("both versions of the refresh", "accounts.refresh-v1.not-for-tiers", (own) =>
    scenes.refresh(own, ["v1", "v2"]),
  ),
  wrong("the versions of the refresh in turns", "accounts.refresh-v2.for-tiers", (own) =>
    scenes.refresh(own, ["v2", "v1"]),
  ),
  wrong("a refresh every hour", AUTOMATED, regularly("v2", 3600)),
  wrong("a refresh every minute", AUTOMATED, regularly("v1", 60)),
  wrong("a refresh every 20 seconds", AUTOMATED, regularly("v2", 20)),
  impatient("30 seconds for a refresh", "refresh", refreshing("v2")),
  impatient("120 seconds for a refresh", "refresh", refreshing("v1")),
  impatient("30 seconds for a statement", "statement", statements),
  impatient("60 seconds for a statement", "statement", statements),
  impatient("30 seconds for an owner", "owner", scenes.owners),
  wrong(
    "no second try for an owner",
    "accountOwner.retry-on-timeout",
    (own) => scenes.owners(own, { limit: 180, repeats: false }),
    ["owner-times-out"],
  ),
  wrong(
    "all details of owners demanded",
    "GetAccountOwnerDetails.content-varies",
    scenes.owners,
    ["owner-details-vary"],
    { accepts: ({ holders }) => !Array.isArray(holders) || /addresses/.test(JSON.stringify(holders)) },
  ),
  wrong("a billable call again", "caller.billable-call-not-repeated", billableTwice),
  wrong("a limit of 5000 transactions", "transactions.page-max-1000", async (own) => {
    const { customerId } = await scenes.accounts(own);
    const now = Math.floor((await own.setting.clock.now()) / 1000);
    await own.call("GET", `/aggregation/v3/customers/${customerId}/transactions`, {
      query: { fromDate: String(now - 86_400), toDate: String(now), limit: "5000" },
    });
  }),
  wrong("transactions without a start", "transactions.from-date-required", async (own) => {
    const { customerId } = await scenes.accounts(own);
    await own.call("GET", `/aggregation/v3/customers/${customerId}/transactions`, {
      query: { toDate: "1700000000" },
    });
  }),
];
