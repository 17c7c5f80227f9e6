/** TxPush in the sandbox: the events that listeners get. */
import { createHmac } from "node:crypto";
import { expect } from "@playwright/test";
import type { Arrived } from "./listener.ts";
import { eventOf, idsOf, linked, subscribe, TEST, test } from "./txpush-calls.ts";
import { validatorOf } from "./witness.ts";

test("a test transaction triggers one event of each class, signed, in the assumed shape", async ({
  openTenant,
  listenFor,
}) => {
  const tenant = await openTenant();
  const listener = await listenFor(tenant);
  const ids = await linked(tenant);
  const records = await subscribe(tenant, ids);
  const { json } = await tenant.witness.see("CreateTxPushTestTransaction", 201, ids, TEST);
  const arrived = await listener.wait(2);
  expect(arrived.map((each) => eventOf(each).class).sort()).toEqual(["account", "transaction"]);
  const { contract } = tenant;
  const { validate } = validatorOf(contract);
  for (const each of arrived) {
    const { class: type, records: delivered } = eventOf(each);
    expect(validate(contract.schemas.TxPushEvent ?? {}, each.json)).toEqual([]);
    const { signingKey = "" } = records.find((record) => record.type === type) ?? {};
    expect(each.headers["x-signature"]).toBe(
      createHmac("sha256", signingKey).update(each.text).digest("hex"),
    );
    expect(delivered).toHaveLength(1);
    if (type === "transaction") expect(delivered[0]).toMatchObject({ id: json.id, amount: -4.5 });
    else
      expect(delivered[0]).toMatchObject({ id: Number(ids.accountId), customerId: Number(ids.customerId) });
  }
});

test("changes at the institution are sent, each to its own class", async ({ openTenant, listenFor }) => {
  const tenant = await openTenant();
  const listener = await listenFor(tenant);
  const ids = await linked(tenant);
  await subscribe(tenant, ids);
  const { accountId } = ids;
  await tenant.arrange("account-change", { accountId, fields: { interestRate: "2.5" } });
  const [change] = await listener.wait(1);
  expect(eventOf(change as Arrived)).toMatchObject({ class: "account", records: [{ interestRate: "2.5" }] });
  await tenant.arrange("new-transaction", { accountId, amount: -3 });
  const classes = (await listener.wait(3)).slice(1).map((each) => eventOf(each).class);
  expect(classes.sort()).toEqual(["account", "transaction"]);
});

test("an institution without TxPush sends events when the regular aggregation finds new data", async ({
  openTenant,
  listenFor,
}) => {
  const silent = ["txpush.without-institution-support.not-sent"];
  for (const faults of [[], silent]) {
    const tenant = await openTenant(...faults);
    const listener = await listenFor(tenant);
    const ids = idsOf(await tenant.arrange("institution-without-txpush"));
    await subscribe(tenant, ids);
    await tenant.advance(3 * 86_400);
    const classes = new Set(listener.deliveries.map((each) => eventOf(each).class));
    expect(classes).toEqual(new Set(faults.length > 0 ? [] : ["transaction", "account"]));
  }
});

test("each fault of an event is visible to the listener", async ({ openTenant, listenFor }) => {
  const expected: [fault: string, classes: string[]][] = [
    ["notifications.channels.txpush-silent", []],
    ["CreateTxPushTestTransaction.transaction-event.not-sent", ["account", "account", "transaction"]],
    ["CreateTxPushTestTransaction.account-event.not-sent", ["account", "transaction", "transaction"]],
    ["txpush.account-event-on-change.not-sent", ["account", "transaction", "transaction"]],
    ["txpush.transaction-event-on-post.not-sent", ["account", "account", "transaction"]],
  ];
  for (const [fault, classes] of expected) {
    const tenant = await openTenant(fault);
    const listener = await listenFor(tenant);
    const ids = await linked(tenant);
    await subscribe(tenant, ids);
    await tenant.witness.see("CreateTxPushTestTransaction", 201, ids, TEST);
    await tenant.arrange("new-transaction", { accountId: ids.accountId });
    await listener.wait(classes.length);
    const logged = [
      ...(await tenant.logged("txpush-account")),
      ...(await tenant.logged("txpush-transaction")),
    ];
    const records = logged.map(({ body }) => (body as { event: { class: string } }).event.class).sort();
    expect([fault, records]).toEqual([fault, classes]);
  }
});

test("each fault of unsubscribing is visible in the events that still arrive", async ({
  openTenant,
  listenFor,
}) => {
  const left = async (fault: string, end: "DisableTxPushNotifications" | "DeleteTxPushSubscription") => {
    const tenant = await openTenant(fault);
    await listenFor(tenant);
    const ids = await linked(tenant);
    const [first] = await subscribe(tenant, ids);
    await tenant.witness.see(end, 204, { ...ids, subscriptionId: String(first?.id) });
    await tenant.witness.see("CreateTxPushTestTransaction", 201, ids, TEST);
    const logged = [
      ...(await tenant.logged("txpush-account")),
      ...(await tenant.logged("txpush-transaction")),
    ];
    return logged.length;
  };
  const one = "DeleteTxPushSubscription.stops-only-that";
  expect(await left(`${one}.stops-nothing`, "DeleteTxPushSubscription")).toBe(2);
  expect(await left(`${one}.stops-all`, "DeleteTxPushSubscription")).toBe(0);
  expect(await left("DisableTxPushNotifications.deletes-all.one-only", "DisableTxPushNotifications")).toBe(1);
  expect(await left("txpush.two-records.both-of-one-class", "DisableTxPushNotifications")).toBe(0);
});
