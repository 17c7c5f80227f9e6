/** TxPush: subscriptions of verified listeners to accounts, and the test transaction that triggers their events. */
import type { Answer } from "../../../engine/call.ts";
import type { OutgoingRequest } from "../../../engine/deliveries/outgoing.ts";
import { existing, refused, success } from "../../answers.ts";
import type { Call } from "../../calls.ts";
import { accountIn, bodyOf, customerIn, pathValue, textIn } from "../../found.ts";
import type { Section } from "../../section.ts";
import { idsOf, ownCustomer } from "../../seed-data.ts";
import type { Account } from "../../state/account.ts";
import type { Customer } from "../../state/customer.ts";
import { idAt, type Posting, post } from "../../state/ledger.ts";
import type { State } from "../../state/state.ts";
import { asTest, openTxPush, subscribeTo, subscriptionsOf, unsubscribe } from "../../state/txpush.ts";
import { TXPUSH_STATEFUL_FAULTS } from "./txpush-stateful-faults.ts";

/** Removes a record after the answer is completed, since completion may fill a list that is too short. */
const withoutRecords = ({ faulty }: Call, answer: Answer): Answer => {
  const lacking = (["account", "transaction"] as const).findIndex((type) =>
    faulty(`txpush-${type}-record-missing`),
  );
  if (lacking < 0) return answer;
  const { subscriptions } = answer.json as { readonly subscriptions: readonly unknown[] };
  return { ...answer, json: { subscriptions: subscriptions.filter((_, index) => index !== lacking) } };
};

const ALLOWED_PORTS = ["80", "443"];

const refuseAddress = (address: string, { type }: Customer, { faulty }: Call): void => {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) throw refused("listener-address");
  if (url.port !== "" && !ALLOWED_PORTS.includes(url.port) && !faulty("txpush-any-port"))
    throw refused("listener-port");
  if (type === "active" && url.protocol !== "https:" && !faulty("txpush-http-accepted"))
    throw refused("listener-not-https");
};

const verification = (state: State, address: string, code: string): OutgoingRequest => {
  if (state.differs("listener-verified-by-post"))
    return { method: "POST", url: address, body: { verification_code: code } };
  const url = new URL(address);
  url.searchParams.append("verification_code", code);
  return { method: "GET", url: url.href };
};

/** Verifies a listener: it must answer 2xx with an empty body or with the code. The document shows no method. */
const verify = async (state: State, address: string): Promise<void> => {
  const code = state.newId("listener-verification");
  const reply = await state.deliveries.call(verification(state, address, code));
  const answered = "status" in reply && reply.status >= 200 && reply.status < 300;
  if (answered && (reply.body.trim() === "" || reply.body.includes(code))) return;
  const problem = "problem" in reply ? reply.problem : `It answered ${reply.status} without the code.`;
  throw refused("listener-not-verified", { of: problem });
};

/** The largest amount in dollars that a ledger can store. */
const MOST = 20_000_000;

/** Limits a time to the seconds that a ledger can store. */
const dateOf = (value: unknown): number =>
  Math.min(Math.max(Math.floor(Number(value)) || 1, 1), 4_294_967_295);

const postTest = (state: State, account: Account, posting: Posting): number => {
  const ledger = state.accounts.ledgerOf(account);
  const index = post(ledger, posting);
  const id = idAt(ledger, index);
  asTest(state, () => state.accounts.book(account, ledger, [index]));
  return id;
};

export const txPush: Section = {
  handlers: {
    async SubscribeToTxPushNotifications(state, call) {
      const customer = customerIn(state, call);
      const account = accountIn(state, call, customer);
      const callbackUrl = textIn(bodyOf(call), "callbackUrl") ?? "";
      if (!call.faulty("txpush-any-address")) refuseAddress(callbackUrl, customer, call);
      if (!call.faulty("txpush-unverified-accepted")) await verify(state, callbackUrl);
      const subscriptions = subscribeTo(state, account, callbackUrl, call.faulty);
      const known = { subscriptions: subscriptions.map(({ faulty: _, ...record }) => record) };
      return withoutRecords(call, success(state, call, known));
    },
    DisableTxPushNotifications(state, call) {
      const account = accountIn(state, call);
      const [first] = subscriptionsOf(state, account.id);
      unsubscribe(state, account.id, (each) => each === first || !call.faulty("txpush-disable-one-only"));
      return success(state, call);
    },
    CreateTxPushTestTransaction(state, call) {
      const customer = customerIn(state, call);
      const account = accountIn(state, call, customer);
      if (customer.type !== "testing" && !call.faulty("txpush-test-on-real-accounts"))
        throw refused("real-account");
      const { amount, description, transactionDate, postedDate, status } = bodyOf(call);
      const date = dateOf(transactionDate);
      const posted = status === "pending" ? undefined : dateOf(postedDate ?? transactionDate);
      const created = state.seconds();
      const id = postTest(state, account, {
        amount: Math.min(Math.max(Number(amount) || 0, -MOST), MOST),
        description: String(description),
        transactionDate: date,
        postedDate: posted,
        created,
      });
      return success(state, call, { id, createdDate: created }, { key: String(id) });
    },
    DeleteTxPushSubscription(state, call) {
      const customer = customerIn(state, call);
      const id = pathValue(call, "subscriptionId");
      const subscribed = state.accounts
        .of(customer.id)
        .find((candidate) =>
          subscriptionsOf(state, candidate.id).some((subscription) => subscription.id === id),
        );
      const account = existing(subscribed, "unknown-txpush-subscription");
      if (call.faulty("txpush-delete-nothing")) return success(state, call);
      unsubscribe(state, account.id, (each) => each.id === id || call.faulty("txpush-delete-all"));
      return success(state, call);
    },
  },
  situations: {
    /** Arranges an account with several transactions per day that only the regular aggregation finds. */
    "institution-without-txpush"(state) {
      const customer = ownCustomer(state, "quiet");
      const quiet = state.institutions.all.find(({ pushes, reach }) => !pushes && reach === "test");
      const institution = quiet ?? state.institutions.test();
      const { accounts } = state.accounts.link(customer, institution, [{ type: "checking", perDay: 4 }]);
      return idsOf(accounts[0]);
    },
  },
  open: openTxPush,
  statefulFaults: [TXPUSH_STATEFUL_FAULTS],
};
