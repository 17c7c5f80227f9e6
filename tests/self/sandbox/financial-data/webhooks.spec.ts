/** Webhook subscriptions in the sandbox: their owners and their events. */
import { expect } from "@playwright/test";
import { DOCUMENTS } from "./fixture.ts";
import { create, DELETED, idsOf, LINKED, read, type Subscription, test } from "./webhook-calls.ts";
import { witnessOf } from "./witness.ts";

const OPERATIONS = [
  "createWebhookSubscription",
  "listWebhookSubscriptions",
  "getWebhookSubscriptionById",
  "updateWebhookSubscription",
  "deleteWebhookSubscription",
  "updateWebhookSubscriptionEvent",
  "deleteWebhookSubscriptionEvent",
  "changeWebhookSubscriptionEventStatus",
  "changeWebhookSubscriptionStatus",
  "listAvailableWebhookSubscriptionEvents",
  "testWebhookSubscription",
  "testWebhookSubscriptionBasedOnEventId",
];
for (const [document, lane] of DOCUMENTS) {
  test(`every operation returns each of its statuses with ${document}`, lane, async ({ openTenantOf }) => {
    const tenant = await openTenantOf(document);
    const { witness } = tenant;
    const url = "https://receiver.test/webhooks";
    const condition = { subscribeFor: "customerId", includes: ["4711"], excludes: [] };
    const subscription = await create(tenant, { url, events: [{ ...LINKED, condition }, DELETED] });
    const ids = idsOf(subscription);
    const second = idsOf(subscription, 1);
    const malformed = { subscription_id: "a%20b", webhook_event_id: "a%20b" };
    const unknown = { subscription_id: "4711", webhook_event_id: "4711" };
    await witness.see("createWebhookSubscription", 400, {}, { events: [{ name: "unheard-of" }] });
    await witness.see("listWebhookSubscriptions", 200, {}, undefined, "?offset=1&limit=5");
    await witness.see("listWebhookSubscriptions", 400, {}, undefined, "?limit=0");
    await witness.see("getWebhookSubscriptionById", 200, ids);
    await witness.see("listAvailableWebhookSubscriptionEvents", 200);
    const bodies: [operationId: string, body: unknown][] = [
      ["updateWebhookSubscription", { events: [LINKED, DELETED] }],
      ["updateWebhookSubscriptionEvent", { ...LINKED, url }],
      ["changeWebhookSubscriptionEventStatus", { status: "inactive" }],
      ["changeWebhookSubscriptionStatus", { status: "active" }],
      ["testWebhookSubscription", undefined],
      ["testWebhookSubscriptionBasedOnEventId", undefined],
    ];
    for (const [operationId, body] of bodies) {
      await witness.see(operationId, 200, ids, body);
      await witness.see(operationId, 404, unknown, body);
      if (body === undefined) await witness.see(operationId, 400, malformed);
      else await witness.see(operationId, 400, ids, {});
    }
    await witness.see("getWebhookSubscriptionById", 400, malformed);
    await witness.see("deleteWebhookSubscriptionEvent", 400, malformed);
    await witness.see("deleteWebhookSubscriptionEvent", 204, second);
    await witness.see("deleteWebhookSubscriptionEvent", 404, second);
    await witness.see("deleteWebhookSubscription", 204, ids);
    await witness.see("deleteWebhookSubscription", 404, ids);
    await witness.see("getWebhookSubscriptionById", 404, ids);
    await witness.seeUnauthorized(OPERATIONS);
    const partner = await tenant.arrange("webhooks-unavailable");
    const unavailable = witnessOf(tenant.contract, await tenant.signIn(partner));
    await unavailable.see("listWebhookSubscriptions", 404);
    await unavailable.see("listAvailableWebhookSubscriptionEvents", 404);
    await unavailable.see("createWebhookSubscription", 400, {}, { events: [LINKED] });
    expect(witness.missing(OPERATIONS)).toEqual([
      "listWebhookSubscriptions 404",
      "listAvailableWebhookSubscriptionEvents 404",
    ]);
  });
}

test("a list is paged by offset and limit, and shows only the caller's subscriptions", async ({
  openListened,
}) => {
  const tenant = await openListened();
  const { witness, url } = tenant;
  const empty = (await witness.see("listWebhookSubscriptions", 200)).json;
  expect(empty).toMatchObject({ count: 0, total: 0, subscriptions: [] });
  const made = [];
  for (let index = 0; index < 5; index += 1) made.push(await create(tenant, { url, events: [LINKED] }));
  const page = (await witness.see("listWebhookSubscriptions", 200, {}, undefined, "?offset=3&limit=2")).json;
  expect(page).toMatchObject({ count: 2, offset: 3, limit: 2, total: 5 });
  const shown = (page.subscriptions as Subscription[]).map(({ subscriptionId }) => subscriptionId);
  expect(shown).toEqual(made.slice(2, 4).map(({ subscriptionId }) => subscriptionId));
  const { FINANCIAL_DATA_DISPOSABLE_PARTNER_ID: id, FINANCIAL_DATA_DISPOSABLE_PARTNER_SECRET: secret } =
    tenant.environment;
  const other = await tenant.signIn({
    FINANCIAL_DATA_PARTNER_ID: id ?? "",
    FINANCIAL_DATA_PARTNER_SECRET: secret ?? "",
  });
  const ids = idsOf(made[0] as Subscription);
  for (const operationId of [
    "getWebhookSubscriptionById",
    "deleteWebhookSubscription",
    "testWebhookSubscription",
  ]) {
    await witnessOf(tenant.contract, other).see(operationId, 404, ids);
  }
  expect((await other.operate("listWebhookSubscriptions")).json.total).toBe(0);
});

test("an update keeps the ids of remaining events, and an omitted URL", async ({ openListened }) => {
  const tenant = await openListened();
  const { witness, url } = tenant;
  const condition = { subscribeFor: "customerId", includes: ["1"] };
  const before = await create(tenant, { url, events: [{ ...LINKED, condition }, DELETED] });
  expect(before).toMatchObject({ url, status: "active", events: [{ condition, status: "active" }, {}] });
  const ids = idsOf(before, 1);
  await witness.see("changeWebhookSubscriptionEventStatus", 200, ids, { status: "inactive" });
  const events = [DELETED, { name: "customer-deleted" }];
  await witness.see("updateWebhookSubscription", 200, ids, { events });
  const after = await read(tenant, before);
  expect(after).toMatchObject({ url, events: [{ status: "inactive" }, { name: "customer-deleted" }] });
  expect(after.events[0]?.webhookEventId).toBe(ids.webhook_event_id);
  await witness.see("updateWebhookSubscriptionEvent", 200, ids, { ...DELETED, url: `${url}/own`, condition });
  expect((await read(tenant, before)).events[0]).toMatchObject({ url: `${url}/own`, condition });
});

test("the status of one event and of all events can be changed", async ({ openListened }) => {
  const tenant = await openListened();
  const { witness, url } = tenant;
  const made = await create(tenant, { url, events: [LINKED, DELETED] });
  const statuses = async () => {
    const { status, events } = await read(tenant, made);
    return [status, ...events.map((event) => event.status)];
  };
  const { json } = await witness.see("changeWebhookSubscriptionEventStatus", 200, idsOf(made), {
    status: "inactive",
  });
  expect(json.status).toBe("inactive");
  expect(await statuses()).toEqual(["active", "inactive", "active"]);
  await witness.see("changeWebhookSubscriptionStatus", 200, idsOf(made), { status: "inactive" });
  expect(await statuses()).toEqual(["inactive", "inactive", "inactive"]);
  await witness.see("testWebhookSubscription", 400, idsOf(made));
  await witness.see("changeWebhookSubscriptionStatus", 200, idsOf(made), { status: "active" });
  expect(await statuses()).toEqual(["active", "active", "active"]);
  for (const status of ["paused", 1, null]) {
    await witness.see("changeWebhookSubscriptionStatus", 400, idsOf(made), { status });
  }
});

test("each fault of a subscription is visible in its responses", async ({ openListened }) => {
  const attempt = async (fault: string) => {
    const tenant = await openListened(fault);
    const body = { url: tenant.url, events: [LINKED, DELETED] };
    const { status, json } = await tenant.client.operate("createWebhookSubscription", {}, body);
    const made = json as unknown as Subscription;
    const again = await tenant.client.operate("createWebhookSubscription", {}, body);
    const put = (operationId: string, to: string) =>
      tenant.client.operate(operationId, idsOf(made), { status: to });
    await put("changeWebhookSubscriptionEventStatus", "inactive");
    const event = (await tenant.client.operate("getWebhookSubscriptionById", idsOf(made))).json;
    const paused = (await put("changeWebhookSubscriptionStatus", "paused")).status;
    await put("changeWebhookSubscriptionStatus", "inactive");
    const all = (await tenant.client.operate("getWebhookSubscriptionById", idsOf(made))).json;
    const statuses = (of: typeof json) =>
      (of.events as { status: string }[] | undefined)?.map((one) => one.status);
    return { status, again: again.status, made, paused, one: statuses(event), all: statuses(all) };
  };
  const clean = await attempt("testWebhookSubscription.triggers-delivery.not-delivered");
  expect(clean).toMatchObject({
    status: 201,
    again: 201,
    paused: 400,
    one: ["inactive", "active"],
    all: ["inactive", "inactive"],
  });
  const expected: [fault: string, result: Record<string, unknown>][] = [
    ["webhooks.several-subscriptions.second-refused", { status: 201, again: 400 }],
    ["webhooks.several-events.first-only", { made: { events: [{ name: "accounts-linked" }] } }],
    ["webhooks.event-status-change.not-changed", { one: ["active", "active"] }],
    ["webhooks.subscription-status-change.first-event-only", { all: ["inactive", "active"] }],
    ["webhooks.subscription-status-enum.any-accepted", { paused: 200 }],
  ];
  for (const [fault, result] of expected) expect(await attempt(fault)).toMatchObject(result);
});

test("every operation accepts the request id, unless a fault refuses it", async ({ openListened }) => {
  const path = "/notification-subscriptions/webhooks";
  const headers = { "x-external-request-id": "0a1b2c3d-0000-4000-8000-00000000abcd" };
  const statuses = async (faults: string[]) => {
    const { client } = await openListened(...faults);
    const made = await client.call("POST", path, { events: [LINKED] }, headers);
    return [made.status, (await client.call("GET", path, undefined, headers)).status];
  };
  const fault = "webhooks.request-id-header-accepted";
  expect(await statuses([])).toEqual([201, 200]);
  expect(await statuses([`${fault}.refused-by-writes`])).toEqual([400, 200]);
  expect(await statuses([`${fault}.refused-by-reads`])).toEqual([201, 400]);
});
