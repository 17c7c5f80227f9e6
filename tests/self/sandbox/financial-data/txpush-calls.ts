/** Subscribes listeners to TxPush events, and reads the events. */
import { test as base } from "./fixture.ts";
import type { Arrived, Listener, ListenerOptions } from "./listener.ts";
import type { Tenant } from "./tenant.ts";

/** A test transaction. */
export const TEST = { amount: -4.5, description: "BLUE CUP COFFEE", transactionDate: 1_790_000_000 };

/** Starts a listener that the tenant reaches as `receiver.test`. */
type ListenFor = (tenant: Tenant, options?: ListenerOptions) => Promise<Listener>;

export const test = base.extend<{ readonly listenFor: ListenFor }>({
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

export const idsOf = (environment: Record<string, string>): Ids => ({
  customerId: environment.FINANCIAL_DATA_CUSTOMER_ID ?? "",
  accountId: environment.FINANCIAL_DATA_ACCOUNT_ID ?? "",
});

export const linked = async (tenant: Tenant): Promise<Ids> => {
  const customerId = tenant.environment.FINANCIAL_DATA_CUSTOMER_ID ?? "";
  const { accounts } = await tenant.link(customerId, { accounts: ["checking"] });
  return { customerId, accountId: accounts[0]?.id ?? "" };
};

export const subscribe = async ({ witness }: Tenant, ids: Ids, path = "/events") => {
  const body = { callbackUrl: `http://receiver.test${path}` };
  const { json } = await witness.see("SubscribeToTxPushNotifications", 201, ids, body);
  return json.subscriptions as { id: number; type: string; signingKey: string; callbackUrl: string }[];
};

export const eventOf = ({ json }: Arrived) =>
  json.event as { class: string; type: string; records: Record<string, unknown>[] };
