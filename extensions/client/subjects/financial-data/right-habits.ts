/** Right clients of financial data that are like wrong ones: they look things up, correct mistakes, and leave things open. */
import { header, inTurn } from "../habits.ts";
import type { RightClient } from "../setting.ts";
import { type Client, customerOf, right } from "./client.ts";
import * as deeds from "./deed-scenes.ts";
import * as scenes from "./scenes.ts";

/** Creates a customer of a username, or takes the one that exists. */
const customerNamed = async (client: Client, username: string): Promise<void> => {
  const body = { username, firstName: "Robin", lastName: "Meadow" };
  const { status } = await client.call("POST", "/aggregation/v2/customers/testing", { body });
  if (status === 409) await client.call("GET", "/aggregation/v1/customers", { query: { username } });
};

const routing = (number: string): scenes.Scene =>
  scenes.oneRequest("GET", `/institution/v1/institutions/routingNumber/${number}`);

export const rightHabits: readonly RightClient[] = [
  right("look-ups of what does not exist", async (client) => {
    for (const id of ["9990001", "9990002", "9990003"]) {
      await client.call("GET", `/aggregation/v1/customers/${id}`);
      await client.call("GET", `/institution/v2/institutions/${id}`);
    }
  }),
  right("a customer who exists already, several times", async (client) => {
    for (let time = 0; time < 3; time += 1) await customerNamed(client, "robin-who-exists");
  }),
  right("a routing number that was entered wrongly first", inTurn(routing("12400"), routing("124001545"))),
  right(
    "a routing number that was entered wrongly, and nothing after that",
    inTurn(scenes.browsing(2), routing("12400")),
  ),
  right("micro amounts that were entered wrongly first", async (client) => {
    await deeds.verifyDeposits(client, [0.99, 0.98]);
    await deeds.verifyDeposits(client, [0.99, 0.99]);
    await deeds.verifyDeposits(client, deeds.arrived(client));
  }),
  right("a report of a customer without accounts", async (client) => {
    const customerId = await scenes.newCustomer(client);
    await scenes.newConsumer(client, customerId);
    await scenes.report(client, {}, undefined, customerId);
    await scenes.browse(client, 2);
  }),
  right("a business that is changed when it exists", async (client) => {
    const customerId = await scenes.newCustomer(client);
    const { businessId } = await deeds.addBusiness(client, customerId);
    await deeds.addBusiness(client, customerId);
    await deeds.changeBusiness(client, businessId);
  }),
  right("a business that is added unless it exists, twice", async (client) => {
    const customerId = await scenes.newCustomer(client);
    for (let time = 0; time < 2; time += 1) await deeds.addBusiness(client, customerId);
  }),
  right("micro deposits that are verified another day", inTurn(scenes.browsing(4), deeds.initiateDeposits)),
  right("micro deposits that a page verifies", async (client) => {
    const { accountId } = await deeds.initiateDeposits(client);
    await client.call("POST", "/connect/v2/generate/microentry/verify", {
      body: {
        partnerId: client.setting.environment.FINANCIAL_DATA_PARTNER_ID,
        customerId: customerOf(client),
        accountId,
      },
    });
    await scenes.browse(client, 4);
  }),
  right("refreshes that a person asks for", async (client) => {
    for (const seconds of [40, 900, 70, 3000, 120, 15]) {
      await scenes.refresh(client, ["v2"]);
      await client.setting.clock.sleep(seconds);
    }
  }),
  right("a refresh that a person cancels", (client) => scenes.refresh(client, ["v2"], { limit: 7 }), [
    "refresh-late",
  ]),
  right("the longest windows and lists", async (client) => {
    await scenes.newConsumer(client);
    await deeds.transactionsReport(client, 730);
    await deeds.billing(client, 31, 1000);
    await deeds.statementDetails(client, 24);
  }),
  right("indicators with and without a purpose, as their variant asks", async (client) => {
    await scenes.newConsumer(client);
    await deeds.indicators(client, "payment-success-indicators");
    await deeds.indicators(client, "fcra-payment-success-indicators", { purpose: "31" });
  }),
  right("the key of a gateway as Basic", (client) => scenes.browse(client), [], {
    request: header("authorization", `Basic ${btoa("gateway:the-key-of-a-gateway-1")}`),
  }),
  right("the first items only, with a limit of its own", async (client) => {
    await client.call("GET", "/institution/v2/institutions", { query: { search: "bank" } });
    await client.call("GET", "/aggregation/v1/customers", { query: { username: "robin" } });
    await scenes.browse(client, 4);
  }),
  right("a look at a report that goes on", async (client) => {
    await scenes.reportOfConsumer(client, { most: 1, seconds: 1 });
  }),
  right("a report that a callback ends", async (client) => {
    await scenes.reportOfConsumer(client, { most: 2 }, { callbackUrl: client.setting.callbackUrl });
  }),
  right(
    "a look after each lost answer, and an end of a call that hangs",
    async (client) => {
      await scenes.newCustomer(client);
      await scenes.reportOfConsumer(client);
      const path = "/institution/v2/institutions/613734";
      await client.call("GET", path, { limit: 30, repeats: false }).catch(() => client.call("GET", path));
    },
    ["customer-lost", "creation-lost", "report-lost", "hanging"],
  ),
  right("a look after a lost answer", (client) => scenes.newCustomer(client), ["lost-answer"]),
  right(
    "a token of 90 minutes",
    inTurn(...[0, 85, 4, 85, 4].flatMap((minutes) => [scenes.pausing(minutes * 60), scenes.browsing(2)])),
  ),
  right(
    "a token that ended, in a long day",
    scenes.again(6, inTurn(scenes.browsing(2), scenes.pausing(3_600))),
  ),
  right("a request that was refused, and is in order later", async (client) => {
    const base = "/notification-subscriptions/webhooks";
    const { subscriptionId } = await client.json("POST", base, {
      body: { url: client.setting.callbackUrl, events: [{ name: "customer-deleted" }] },
    });
    const setStatus = (status: string) =>
      client.call("PUT", `${base}/${subscriptionId}/status`, { body: { status } });
    await setStatus("inactive");
    await client.call("GET", `${base}/${subscriptionId}/test-subscriptions`);
    await setStatus("active");
    await client.call("GET", `${base}/${subscriptionId}/test-subscriptions`);
  }),
];
