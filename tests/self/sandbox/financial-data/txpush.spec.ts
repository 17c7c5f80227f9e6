/** TxPush in the sandbox: subscribing, events and unsubscribing. */
import { createHmac } from "node:crypto";
import { expect } from "@playwright/test";
import { test as base, DOCUMENTS } from "./fixture.ts";
import type { Arrived, Listener, ListenerOptions } from "./listener.ts";
import type { Tenant } from "./tenant.ts";
import { validatorOf } from "./witness.ts";

const OPERATIONS = [
  "SubscribeToTxPushNotifications",
  "DisableTxPushNotifications",
  "CreateTxPushTestTransaction",
  "DeleteTxPushSubscription",
];
const TEST = { amount: -4.5, description: "BLUE CUP COFFEE", transactionDate: 1_790_000_000 };

/** Starts a listener that the tenant reaches as `receiver.test`. */
type ListenFor = (tenant: Tenant, options?: ListenerOptions) => Promise<Listener>;

const test = base.extend<{ readonly listenFor: ListenFor }>({
  listenFor: async ({ listen }, use) =>
    use(async (tenant, options = {}) => {
      const listener = await listen(options);
      await tenant.resolve(`receiver.test:${options.secure ? 443 : 80}=127.0.0.1:${listener.port}`);
      return listener;
    }),
});

interface Ids extends Record<string, string> {
  customerId: string;
  accountId: string;
}

const idsOf = (environment: Record<string, string>): Ids => ({
  customerId: environment.FINANCIAL_DATA_CUSTOMER_ID ?? "",
  accountId: environment.FINANCIAL_DATA_ACCOUNT_ID ?? "",
});

const linked = async (tenant: Tenant): Promise<Ids> => {
  const customerId = tenant.environment.FINANCIAL_DATA_CUSTOMER_ID ?? "";
  const { accounts } = await tenant.link(customerId, { accounts: ["checking"] });
  return { customerId, accountId: accounts[0]?.id ?? "" };
};

const subscribe = async ({ witness }: Tenant, ids: Ids, path = "/events") => {
  const body = { callbackUrl: `http://receiver.test${path}` };
  const { json } = await witness.see("SubscribeToTxPushNotifications", 201, ids, body);
  return json.subscriptions as { id: number; type: string; signingKey: string; callbackUrl: string }[];
};

const eventOf = ({ json }: Arrived) =>
  json.event as { class: string; type: string; records: Record<string, unknown>[] };

for (const document of DOCUMENTS) {
  test(`every operation returns each of its statuses with ${document}`, async ({
    openTenantOf,
    listenFor,
  }) => {
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
  });
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
