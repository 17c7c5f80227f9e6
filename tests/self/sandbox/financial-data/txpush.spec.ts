/** TxPush in the sandbox: subscribing and unsubscribing. */
import { expect } from "@playwright/test";
import { DOCUMENTS } from "./fixture.ts";
import { eventOf, idsOf, linked, subscribe, TEST, test } from "./txpush-calls.ts";

const OPERATIONS = [
  "SubscribeToTxPushNotifications",
  "DisableTxPushNotifications",
  "CreateTxPushTestTransaction",
  "DeleteTxPushSubscription",
];

for (const [document, lane] of DOCUMENTS) {
  test(
    `every operation returns each of its statuses with ${document}`,
    lane,
    async ({ openTenantOf, listenFor }) => {
      const tenant = await openTenantOf(document);
      await listenFor(tenant);
      const { witness } = tenant;
      const ids = await linked(tenant);
      const unknown = { ...ids, accountId: "4711", subscriptionId: "4711" };
      const malformed = { customerId: "a%20b", accountId: "7", subscriptionId: "a%20b" };
      const records = await subscribe(tenant, ids);
      await witness.see("SubscribeToTxPushNotifications", 400, ids, {});
      await witness.see("SubscribeToTxPushNotifications", 404, unknown, {
        callbackUrl: "http://receiver.test/",
      });
      await witness.see("CreateTxPushTestTransaction", 201, ids, TEST);
      await witness.see("CreateTxPushTestTransaction", 400, ids, { ...TEST, amount: "much" });
      await witness.see("CreateTxPushTestTransaction", 404, unknown, TEST);
      const subscriptionId = String(records[0]?.id);
      await witness.see("DeleteTxPushSubscription", 204, { ...ids, subscriptionId });
      await witness.see("DeleteTxPushSubscription", 404, { ...ids, subscriptionId });
      await witness.see("DeleteTxPushSubscription", 400, malformed);
      await witness.see("DisableTxPushNotifications", 204, ids);
      await witness.see("DisableTxPushNotifications", 404, unknown);
      await witness.see("DisableTxPushNotifications", 400, malformed);
      await witness.seeUnauthorized(OPERATIONS);
      expect(witness.missing(OPERATIONS)).toEqual([]);
    },
  );
}

test("a subscribe call returns a record of each class, and a repeated call returns the same records", async ({
  openTenant,
  listenFor,
}) => {
  const tenant = await openTenant();
  await listenFor(tenant);
  const ids = await linked(tenant);
  const records = await subscribe(tenant, ids);
  expect(records.map(({ type }) => type)).toEqual(["account", "transaction"]);
  expect(new Set(records.map(({ id }) => id)).size).toBe(2);
  expect(await subscribe(tenant, ids)).toEqual(records);
  expect((await subscribe(tenant, ids, "/others")).map(({ id }) => id)).not.toEqual(
    records.map(({ id }) => id),
  );
});

test("a listener with another port, plain HTTP for a real account, or a wrong proof is refused", async ({
  openTenant,
  listenFor,
}) => {
  const tenant = await openTenant();
  const { witness } = tenant;
  const ids = await linked(tenant);
  const refused = (callbackUrl: string, of = ids) =>
    witness.see("SubscribeToTxPushNotifications", 400, of, { callbackUrl });
  const listener = await listenFor(tenant);
  await refused(`http://127.0.0.1:${listener.port}/events`);
  await refused("https://receiver.test:8443/events");
  await refused("ftp://receiver.test/events");
  await refused("https://nobody.example.com/events");
  for (const proof of ["another", "missing"] as const) {
    await listenFor(tenant, { proof });
    await refused("http://receiver.test/events");
  }
  await listenFor(tenant, { proof: "nothing" });
  await subscribe(tenant, ids);
  const real = idsOf(await tenant.arrange("active-customer"));
  await refused("http://receiver.test/events", real);
  await listenFor(tenant, { secure: true });
  await witness.see("SubscribeToTxPushNotifications", 201, real, {
    callbackUrl: "https://receiver.test/events",
  });
  await witness.see("CreateTxPushTestTransaction", 400, real, TEST);
});

test("deleting a subscription stops only that subscription, and disabling an account stops all its subscriptions", async ({
  openTenant,
  listenFor,
}) => {
  const tenant = await openTenant();
  const listener = await listenFor(tenant);
  const { witness } = tenant;
  const ids = await linked(tenant);
  const [account] = await subscribe(tenant, ids);
  const other = await linked(tenant);
  await subscribe(tenant, other, "/other");
  await witness.see("DeleteTxPushSubscription", 204, { ...ids, subscriptionId: String(account?.id) });
  await witness.see("CreateTxPushTestTransaction", 201, ids, TEST);
  await witness.see("CreateTxPushTestTransaction", 201, other, TEST);
  await listener.wait(3);
  await witness.see("DisableTxPushNotifications", 204, ids);
  await witness.see("CreateTxPushTestTransaction", 201, ids, TEST);
  await witness.see("CreateTxPushTestTransaction", 201, other, TEST);
  const arrived = await listener.wait(5);
  const records = arrived.map((each) => `${each.path} ${eventOf(each).class}`).sort();
  expect(records).toEqual([
    "/events transaction",
    "/other account",
    "/other account",
    "/other transaction",
    "/other transaction",
  ]);
});

test("each fault of subscribing is visible in the accepted listeners or in the response", async ({
  openTenant,
  listenFor,
}) => {
  const attempt = async (fault: string) => {
    const tenant = await openTenant(fault);
    const plain = await listenFor(tenant);
    const ids = await linked(tenant);
    const real = idsOf(await tenant.arrange("active-customer"));
    const operate = async (callbackUrl: string, of = ids) => {
      const { status, json } = await tenant.client.operate("SubscribeToTxPushNotifications", of, {
        callbackUrl,
      });
      const records = (json.subscriptions ?? []) as { type: string }[];
      return [status, ...records.map(({ type }) => type)];
    };
    return {
      accepted: await operate("http://receiver.test/"),
      port: (await operate(`http://127.0.0.1:${plain.port}/`))[0],
      plain: (await operate("http://receiver.test/", real))[0],
      unverified: (await operate("http://nobody.test/"))[0],
      test: (await tenant.client.operate("CreateTxPushTestTransaction", real, TEST)).status,
    };
  };
  const clean = {
    accepted: [201, "account", "transaction"],
    port: 400,
    plain: 400,
    unverified: 400,
    test: 400,
  };
  const expected: [fault: string, result: object][] = [
    ["txpush.two-records.account-record-missing", { accepted: [201, "transaction"] }],
    ["txpush.two-records.transaction-record-missing", { accepted: [201, "account"] }],
    ["txpush.two-records.both-of-one-class", { accepted: [201, "account", "account"] }],
    ["txpush.other-ports-fail.accepted", { port: 201 }],
    ["txpush.http-refused-for-real-accounts.accepted", { plain: 201 }],
    ["txpush.unverified-listener-not-subscribed.subscribed", { unverified: 201 }],
    ["CreateTxPushTestTransaction.testing-accounts-only.real-account-accepted", { test: 201 }],
  ];
  for (const [fault, result] of expected) {
    expect([fault, await attempt(fault)]).toEqual([fault, { ...clean, ...result }]);
  }
});
