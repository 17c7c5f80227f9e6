/** Deliveries of webhook subscriptions: the chosen events, at the right URL, under their conditions. */
import { expect } from "@playwright/test";
import { addCustomer, create, DELETED, idsOf, LINKED, test } from "./webhook-calls.ts";
import { validatorOf } from "./witness.ts";

test("only the chosen events are delivered, to their URLs and under their conditions", async ({
  openListened,
}) => {
  const tenant = await openListened();
  const { witness, listener, url } = tenant;
  const chosen = await addCustomer(tenant, "chosen");
  const other = await addCustomer(tenant, "other");
  const only = { subscribeFor: "customerId", includes: [chosen.customerId] };
  const but = { subscribeFor: "customerId", excludes: [chosen.customerId] };
  await create(tenant, {
    url: `${url}/all`,
    events: [LINKED, { ...LINKED, url: `${url}/own`, condition: only }, { ...LINKED, condition: but }],
  });
  const paused = await create(tenant, { url: `${url}/paused`, events: [LINKED] });
  await witness.see("changeWebhookSubscriptionStatus", 200, idsOf(paused), { status: "inactive" });
  const gone = await create(tenant, { url: `${url}/gone`, events: [LINKED] });
  await witness.see("deleteWebhookSubscription", 204, idsOf(gone));
  await create(tenant, { url: `${url}/unchosen`, events: [DELETED] });
  await chosen.link();
  await other.link();
  const arrived = await listener.wait(4);
  expect(arrived.map(({ path }) => path).sort()).toEqual(["/all", "/all", "/all", "/own"]);
  expect(await tenant.logged("webhook")).toHaveLength(4);
  const { contract } = tenant;
  const { validate } = validatorOf(contract);
  for (const { json } of arrived) {
    expect(validate(contract.schemas.WebhookNotification ?? {}, json)).toEqual([]);
    expect(json).toMatchObject({ eventName: "accounts-linked", payload: { customerId: expect.any(String) } });
  }
  const [own] = arrived.filter(({ path }) => path === "/own");
  expect(own?.json).toMatchObject({ payload: { customerId: chosen.customerId } });
});

test("test deliveries are sent for each active event, or for the one in the path", async ({
  openListened,
}) => {
  const tenant = await openListened();
  const { witness, listener, url } = tenant;
  const events = [LINKED, { ...DELETED, url: `${url}/own` }];
  const made = await create(tenant, { url: `${url}/all`, events });
  await witness.see("testWebhookSubscription", 200, idsOf(made));
  expect((await listener.wait(2)).map(({ path }) => path).sort()).toEqual(["/all", "/own"]);
  await witness.see("testWebhookSubscriptionBasedOnEventId", 200, idsOf(made, 1));
  const last = (await listener.wait(3)).at(-1);
  expect([last?.path, last?.json.eventName]).toEqual(["/own", "account-deleted"]);
  await witness.see("changeWebhookSubscriptionEventStatus", 200, idsOf(made, 1), { status: "inactive" });
  await witness.see("testWebhookSubscriptionBasedOnEventId", 400, idsOf(made, 1));
  const nowhere = await create(tenant, { events: [LINKED] });
  await witness.see("testWebhookSubscription", 400, idsOf(nowhere));
});

test("a failed delivery is retried by the clock", async ({ openListened }) => {
  const tenant = await openListened();
  const { witness, advance, listener } = tenant;
  const made = await create(tenant, { url: "http://receiver.test/later", events: [LINKED] });
  await tenant.resolve("receiver.test:80=127.0.0.1:1");
  await witness.see("testWebhookSubscription", 200, idsOf(made));
  await expect.poll(async () => (await tenant.logged("webhook"))[0]?.status).toBe("pending");
  await tenant.resolve(`receiver.test:80=127.0.0.1:${listener.port}`);
  await expect
    .poll(async () => {
      await advance(31);
      return listener.deliveries.length;
    })
    .toBe(1);
});

test("each fault of a delivery is visible to the listener", async ({ openListened }) => {
  const chosenThenOther = ["/conditional", "/own", "/plain", "/own", "/plain"];
  const expected: [fault: string | undefined, paths: string[]][] = [
    [undefined, chosenThenOther],
    ["notifications.channels.webhooks-silent", []],
    ["webhooks.delivers-chosen-events.not-delivered", ["/conditional"]],
    ["webhooks.conditions-filter.delivered-though-not-met", [...chosenThenOther, "/conditional"]],
    ["webhooks.conditions-filter.not-delivered-though-met", ["/own", "/own", "/plain", "/plain"]],
    ["webhooks.url-override-per-event.ignored", ["/conditional", "/plain", "/plain", "/plain", "/plain"]],
    ["webhooks.only-chosen-events.all-delivered", [...chosenThenOther, "/unchosen", "/unchosen"]],
  ];
  for (const [fault, paths] of expected) {
    const tenant = await openListened(...(fault === undefined ? [] : [fault]));
    const { url } = tenant;
    const chosen = await addCustomer(tenant, "chosen");
    const other = await addCustomer(tenant, "other");
    const condition = { subscribeFor: "customerId", includes: [chosen.customerId] };
    await create(tenant, { url: `${url}/plain`, events: [LINKED, { ...LINKED, url: `${url}/own` }] });
    await create(tenant, { url: `${url}/conditional`, events: [{ ...LINKED, condition }] });
    await create(tenant, { url: `${url}/unchosen`, events: [DELETED] });
    await chosen.link();
    await other.link();
    await tenant.listener.wait(paths.length);
    const logged = (await tenant.logged("webhook")).map((delivery) => new URL(delivery.url).pathname);
    expect([fault, logged.sort()]).toEqual([fault, [...paths].sort()]);
  }
});
