/** TxPush: subscriptions of verified listeners to accounts, and the test transaction that triggers their events. */

import type { Answer } from "../../../engine/service.ts";
import { existing, refused, success } from "../../answers.ts";
import type { Call } from "../../faults.ts";
import { accountIn, bodyOf, customerIn, pathValue, textIn } from "../../found.ts";
import { idsOf, ownCustomer } from "../../furnish.ts";
import type { Section } from "../../section.ts";
import type { Account } from "../../world/account.ts";
import type { Customer } from "../../world/customer.ts";
import { idAt, post } from "../../world/ledger.ts";
import { asTest, openTxPush, subscribeTo, subscriptionsOf, unsubscribe } from "../../world/txpush.ts";
import type { World } from "../../world/world.ts";
import { TXPUSH_TWISTS } from "./txpush-twists.ts";

/** A contract may fill up a list that is too short, so that a record is taken away last. */
const withoutRecords = ({ bent }: Call, answer: Answer): Answer => {
  const lacking = (["account", "transaction"] as const).findIndex((type) =>
    bent(`txpush-${type}-record-missing`),
  );
  if (lacking < 0) return answer;
  const { subscriptions } = answer.json as { readonly subscriptions: readonly unknown[] };
  return { ...answer, json: { subscriptions: subscriptions.filter((_, index) => index !== lacking) } };
};

const ALLOWED_PORTS = ["80", "443"];

const refuseAddress = (address: string, { type }: Customer, { bent }: Call): void => {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) throw refused("listener-address");
  if (url.port !== "" && !ALLOWED_PORTS.includes(url.port) && !bent("txpush-any-port"))
    throw refused("listener-port");
  if (type === "active" && url.protocol !== "https:" && !bent("txpush-http-accepted"))
    throw refused("listener-not-https");
};

/** How a listener proves itself is not shown: whoever answers well, and if with a text, with the code, is verified. */
const verify = async (world: World, address: string): Promise<void> => {
  const code = world.newId("listener-verification");
  const url = new URL(address);
  url.searchParams.append("verification_code", code);
  const reply = await world.deliveries.call({ method: "GET", url: url.href });
  const answered = "status" in reply && reply.status >= 200 && reply.status < 300;
  if (answered && (reply.body.trim() === "" || reply.body.includes(code))) return;
  const problem = "problem" in reply ? reply.problem : `It answered ${reply.status} without the code.`;
  throw refused("listener-not-verified", { of: problem });
};

/** Dollars that a ledger can hold. */
const MOST = 20_000_000;

/** Seconds that a ledger can hold. */
const dateOf = (value: unknown): number =>
  Math.min(Math.max(Math.floor(Number(value)) || 1, 1), 4_294_967_295);

const postTest = (world: World, account: Account, posting: Parameters<typeof post>[1]): number => {
  const ledger = world.accounts.ledgerOf(account);
  const index = post(ledger, posting);
  const id = idAt(ledger, index);
  asTest(world, () => world.accounts.book(account, ledger, [index]));
  return id;
};

export const txPush: Section = {
  handlers: {
    async SubscribeToTxPushNotifications(world, call) {
      const customer = customerIn(world, call);
      const account = accountIn(world, call, customer);
      const callbackUrl = textIn(bodyOf(call), "callbackUrl") ?? "";
      if (!call.bent("txpush-any-address")) refuseAddress(callbackUrl, customer, call);
      if (!call.bent("txpush-unverified-accepted")) await verify(world, callbackUrl);
      const subscriptions = subscribeTo(world, account, callbackUrl, call.bent);
      const known = { subscriptions: subscriptions.map(({ bent: _, ...record }) => record) };
      return withoutRecords(call, success(world, call, known));
    },
    DisableTxPushNotifications(world, call) {
      const account = accountIn(world, call);
      const [first] = subscriptionsOf(world, account.id);
      unsubscribe(world, account.id, (each) => each === first || !call.bent("txpush-disable-one-only"));
      return success(world, call);
    },
    CreateTxPushTestTransaction(world, call) {
      const customer = customerIn(world, call);
      const account = accountIn(world, call, customer);
      if (customer.type !== "testing" && !call.bent("txpush-test-on-real-accounts"))
        throw refused("real-account");
      const { amount, description, transactionDate, postedDate, status } = bodyOf(call);
      const date = dateOf(transactionDate);
      const posted = status === "pending" ? undefined : dateOf(postedDate ?? transactionDate);
      const id = postTest(world, account, {
        amount: Math.min(Math.max(Number(amount) || 0, -MOST), MOST),
        description: String(description),
        transactionDate: date,
        postedDate: posted,
      });
      return success(world, call, { id, createdDate: world.seconds() }, { key: String(id) });
    },
    DeleteTxPushSubscription(world, call) {
      const customer = customerIn(world, call);
      const id = pathValue(call, "subscriptionId");
      const subscribed = world.accounts
        .of(customer.id)
        .find((candidate) =>
          subscriptionsOf(world, candidate.id).some((subscription) => subscription.id === id),
        );
      const account = existing(subscribed, "unknown-txpush-subscription");
      if (call.bent("txpush-delete-nothing")) return success(world, call);
      unsubscribe(world, account.id, (each) => each.id === id || call.bent("txpush-delete-all"));
      return success(world, call);
    },
  },
  situations: {
    /** An account with several transactions on a day, which only the regular aggregation finds. */
    "institution-without-txpush"(world) {
      const customer = ownCustomer(world, "quiet");
      const quiet = world.institutions.all.find(({ pushes, reach }) => !pushes && reach === "test");
      const institution = quiet ?? world.institutions.test();
      const { accounts } = world.accounts.link(customer, institution, [{ type: "checking", perDay: 4 }]);
      return idsOf(accounts[0]);
    },
  },
  open: openTxPush,
  twists: [TXPUSH_TWISTS],
};
