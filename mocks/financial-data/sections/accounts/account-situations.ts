/** What happens to linked accounts at their institutions, which no client can bring about. */
import { AdminError } from "../../../engine/service.ts";
import { type Fields, isObject } from "../../../engine/values/fields.ts";
import { addConsumer, idsOf, ownCustomer } from "../../furnish.ts";
import type { Section } from "../../section.ts";
import type { Account } from "../../world/account.ts";
import { idAt, post } from "../../world/ledger.ts";
import type { World } from "../../world/world.ts";
import { environmentOf } from "./linked-accounts.ts";

const accountFor = (world: World, { accountId }: Fields): Account => {
  if (accountId === undefined) {
    const customer = ownCustomer(world, "changing");
    const linked = world.accounts.link(customer, world.institutions.test("oauth"), ["checking"]);
    return linked.accounts[0] as Account;
  }
  const account = world.accounts.find(String(accountId));
  if (account === undefined) throw new AdminError(`There is no account "${accountId}". Give the id of one.`);
  return account;
};

export const accountSituations: Section = {
  handlers: {},
  situations: {
    /** A login whose connection is a legacy one, ready to be migrated. */
    "legacy-connection"(world) {
      const customer = ownCustomer(world, "legacy");
      const institution = world.institutions.test("legacy");
      return environmentOf(world.accounts.link(customer, institution, ["checking", "savings"]));
    },
    /** Accounts that are no testing accounts; `{accounts?}`: their types. */
    "active-customer"(world, { accounts = ["checking", "savings"] }) {
      const customer = ownCustomer(world, "active", "active");
      addConsumer(world, customer);
      const institution = world.institutions.all.find(({ reach }) => reach === "billable");
      if (institution === undefined || !Array.isArray(accounts))
        throw new AdminError("Give a list of account types.");
      return idsOf(world.accounts.link(customer, institution, accounts.map(String)).accounts[0]);
    },
    /** `{accountId?, amount?, description?}`; without an account a fresh customer gets one. */
    "new-transaction"(world, parameters) {
      const account = accountFor(world, parameters);
      const { amount = -12.5, description = "CORNER GROCERY 114" } = parameters;
      if (typeof amount !== "number" || typeof description !== "string") {
        throw new AdminError('"amount" must be a number of dollars and "description" a text.');
      }
      const now = world.seconds();
      const ledger = world.accounts.ledgerOf(account);
      const index = post(ledger, { transactionDate: now, postedDate: now, amount, description });
      world.accounts.book(account, ledger, [index]);
      return { ...idsOf(account), FINANCIAL_DATA_TRANSACTION_ID: String(idAt(ledger, index)) };
    },
    /** `{accountId?, fields?}`: new values by field, `{"interestRate": "1.25"}` if absent. */
    "account-change"(world, parameters) {
      const account = accountFor(world, parameters);
      const { fields = { interestRate: "1.25" } } = parameters;
      if (!isObject(fields)) throw new AdminError('"fields" must be an object.');
      const { balance, ...others } = fields;
      if (typeof balance === "number") account.balance = balance;
      Object.assign(account.given, others);
      world.happenings.tell("account-changed", { account, changed: Object.keys(fields) });
      return idsOf(account);
    },
  },
};
