/** How the tests of webhook subscriptions call the sandbox. */
import type { Contract } from "../../../../helpers/contract/contract.ts";
import type { Sandbox } from "../../../../mocks/engine/server.ts";
import { type Listener, openListener } from "./listener.ts";
import { openTenant, type Tenant } from "./witness.ts";

export const LINKED = { name: "accounts-linked" };
export const DELETED = { name: "account-deleted" };

export interface ListenedTenant extends Tenant {
  readonly listener: Listener;
  /** Of the listener. */
  readonly url: string;
}

/** @param faults without the service in front */
export const openListened = async (
  contract: Contract,
  sandbox: Sandbox,
  listeners: Listener[],
  faults: readonly string[],
): Promise<ListenedTenant> => {
  const tenant = await openTenant(
    contract,
    sandbox,
    faults.map((id) => `financial-data.${id}`),
  );
  const listener = await openListener();
  listeners.push(listener);
  return { ...tenant, listener, url: `http://127.0.0.1:${listener.port}` };
};

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
