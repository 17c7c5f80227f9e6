/** Situations of linked accounts that no client can cause, and events at their institutions. */
import { AdminError } from "../../../engine/service.ts";
import { type Fields, isObject } from "../../../engine/values/fields.ts";
import { allKinds } from "../../linking.ts";
import type { Situation } from "../../section.ts";
import { addConsumer, idsOf, ownCustomer } from "../../seed-data.ts";
import type { Account, WantedAccount } from "../../state/account.ts";
import { idAt, post } from "../../state/ledger.ts";
import type { State } from "../../state/state.ts";

/** Marks a login whose institution takes more than a minute for every request. */
export const SLOW = "slow";
/** Marks a login whose institution does not respond in time. */
export const SILENT = "silent";

/** Adds a testing customer with its own accounts at one login. */
export const linkedCustomer = (state: State, name: string, wanted: readonly WantedAccount[]) => {
  const customer = ownCustomer(state, name);
  addConsumer(state, customer);
  return { customer, ...state.accounts.link(customer, state.institutions.test("oauth"), wanted) };
};

export const environmentOf = ({
  login,
  accounts,
}: Omit<ReturnType<typeof linkedCustomer>, "customer">): Record<string, string> => ({
  ...idsOf(accounts[0]),
  FINANCIAL_DATA_INSTITUTION_ID: String(login.institutionId),
});

const marked =
  (mark: string): Situation =>
  (state) => {
    const linked = linkedCustomer(state, mark, ["checking", "savings"]);
    linked.login.marks.add(mark);
    return environmentOf(linked);
  };

const accountFor = (state: State, { accountId }: Fields): Account => {
  if (accountId === undefined) {
    const customer = ownCustomer(state, "changing");
    const linked = state.accounts.link(customer, state.institutions.test("oauth"), ["checking"]);
    return linked.accounts[0] as Account;
  }
  const account = state.accounts.find(String(accountId));
  if (account === undefined) throw new AdminError(`There is no account "${accountId}". Give the id of one.`);
  return account;
};

export const accountSituations: Readonly<Record<string, Situation>> = {
  /** Arranges a customer whose second account is inactive. */
  "inactive-account"(state) {
    const linked = linkedCustomer(state, "inactive", ["checking", { type: "savings", status: "pending" }]);
    return {
      ...environmentOf(linked),
      FINANCIAL_DATA_INACTIVE_ACCOUNT_ID: linked.accounts[1]?.id ?? "",
    };
  },
  /** Arranges a customer that a client may change and delete, with everything that the customer at the start has. */
  "linked-customer"(state) {
    const customer = ownCustomer(state, "spare");
    state.accounts.link(customer, state.institutions.test("oauth"), allKinds(state));
    return { FINANCIAL_DATA_CUSTOMER_ID: customer.id };
  },
  "slow-institution": marked(SLOW),
  "silent-institution": marked(SILENT),
  /** Arranges a login and an account that may be deleted. The customer keeps a second login. */
  "two-logins"(state) {
    const linked = linkedCustomer(state, "two-logins", ["checking", "savings"]);
    state.accounts.link(linked.customer, state.institutions.test(), ["checking"]);
    return environmentOf(linked);
  },
  /** Arranges a login with a legacy connection, ready for migration. The customer has another such login. */
  "legacy-connection"(state) {
    const customer = ownCustomer(state, "legacy");
    const institution = state.institutions.test("legacy");
    const linked = state.accounts.link(customer, institution, ["checking", "savings"]);
    state.accounts.link(customer, institution, ["checking"]);
    return environmentOf(linked);
  },
  /** Arranges an active customer, whose accounts are not testing accounts. `{accounts?}`: their types. */
  "active-customer"(state, { accounts = ["checking", "savings"] }) {
    const customer = ownCustomer(state, "active", "active");
    addConsumer(state, customer);
    const institution = state.institutions.all.find(({ reach }) => reach === "billable");
    if (institution === undefined || !Array.isArray(accounts))
      throw new AdminError("Give a list of account types.");
    return idsOf(state.accounts.link(customer, institution, accounts.map(String)).accounts[0]);
  },
  /** Posts a transaction. `{accountId?, amount?, description?}`; without an account, a new customer gets one. */
  "new-transaction"(state, parameters) {
    const account = accountFor(state, parameters);
    const { amount = -12.5, description = "CORNER GROCERY 114" } = parameters;
    if (typeof amount !== "number" || typeof description !== "string") {
      throw new AdminError('"amount" must be a number of dollars and "description" a text.');
    }
    const now = state.seconds();
    const ledger = state.accounts.ledgerOf(account);
    const index = post(ledger, { transactionDate: now, postedDate: now, amount, description });
    state.accounts.book(account, ledger, [index]);
    return { ...idsOf(account), FINANCIAL_DATA_TRANSACTION_ID: String(idAt(ledger, index)) };
  },
  /** Changes an account. `{accountId?, fields?}`: new values by field, `{"interestRate": "1.25"}` if absent. */
  "account-change"(state, parameters) {
    const account = accountFor(state, parameters);
    const { fields = { interestRate: "1.25" } } = parameters;
    if (!isObject(fields)) throw new AdminError('"fields" must be an object.');
    const { balance, ...others } = fields;
    if (typeof balance === "number") account.balance = balance;
    Object.assign(account.given, others);
    state.events.emit("account-changed", { account, changed: Object.keys(fields) });
    return idsOf(account);
  },
};
