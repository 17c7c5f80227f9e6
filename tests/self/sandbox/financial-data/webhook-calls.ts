/** Calls of the sandbox for the tests of webhook subscriptions. */
import { test as base } from "./fixture.ts";
import type { Listener } from "./listener.ts";
import type { Tenant } from "./tenant.ts";

export const LINKED = { name: "accounts-linked" };
export const DELETED = { name: "account-deleted" };

export interface ListenedTenant extends Tenant {
  readonly listener: Listener;
  /** The URL of the listener. */
  readonly url: string;
}

interface Fixtures {
  /** Opens a tenant with these faults enabled, and a listener for it. */
  readonly openListened: (...faults: string[]) => Promise<ListenedTenant>;
}

export const test = base.extend<Fixtures>({
  openListened: async ({ openTenant, listen }, use) =>
    use(async (...faults) => {
      const [tenant, listener] = [await openTenant(...faults), await listen()];
      return { ...tenant, listener, url: `http://127.0.0.1:${listener.port}` };
    }),
});

export interface Subscription {
  readonly subscriptionId: string;
  readonly status: string;
  readonly url?: string;
  readonly events: {
    webhookEventId: string;
    name: string;
    status: string;
    url?: string;
    condition?: object;
  }[];
}

export const create = async ({ witness }: Tenant, body: object): Promise<Subscription> =>
  (await witness.see("createWebhookSubscription", 201, {}, body)).json as unknown as Subscription;

export const read = async ({ witness }: Tenant, { subscriptionId }: Subscription): Promise<Subscription> => {
  const { json } = await witness.see("getWebhookSubscriptionById", 200, { subscription_id: subscriptionId });
  return json as unknown as Subscription;
};

export const idsOf = ({ subscriptionId, events }: Subscription, index = 0) => ({
  subscription_id: subscriptionId,
  webhook_event_id: events[index]?.webhookEventId ?? "",
});

export const addCustomer = async ({ client, link }: Tenant, username: string) => {
  const { json } = await client.operate("AddTestingCustomer", {}, { username });
  const customerId = String(json.id);
  return { customerId, link: () => link(customerId, { accounts: ["checking"] }) };
};
