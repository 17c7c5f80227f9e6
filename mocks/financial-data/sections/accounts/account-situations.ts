/** What happens to linked accounts at their institutions, which no client can bring about. */
import { AdminError } from "../../../engine/service.ts";
import { type Fields, isObject } from "../../../engine/values/fields.ts";
import { addConsumer, addCustomer } from "../../furnish.ts";
import { linkOf } from "../../linking.ts";
import type { Section, Situation } from "../../section.ts";
import type { Account } from "../../world/account.ts";
import type { Customer } from "../../world/customer.ts";
import { post } from "../../world/ledger.ts";
import type { World } from "../../world/world.ts";

/** A login whose connection is a legacy one, ready to be migrated. */
const legacyConnection: Situation = (world) => {
  const customer = addCustomer(world, world.partners.main.id, `legacy-${world.newId("username")}`);
  const wanted = ["checking", "savings"].map((type) => ({ type }));
  const { login, accounts } = linkOf(world, customer, world.institutions.test("legacy"), wanted);
  return {
    FINANCIAL_DATA_CUSTOMER_ID: customer.id,
    FINANCIAL_DATA_INSTITUTION_LOGIN_ID: login.id,
    FINANCIAL_DATA_INSTITUTION_ID: String(login.institutionId),
    FINANCIAL_DATA_ACCOUNT_ID: accounts[0]?.id ?? "",
  };
};

/** Accounts that are no testing accounts; `{accounts?}`: their types. */
const activeCustomer: Situation = (world, { accounts = ["checking", "savings"] }) => {
  const customer = addCustomer(world, world.partners.main.id, `active-${world.newId("username")}`, "active");
  addConsumer(world, customer);
  const institution = world.institutions.all.find(({ reach }) => reach === "billable");
  if (institution === undefined || !Array.isArray(accounts))
    throw new AdminError("Give a list of account types.");
  const wanted = accounts.map((type) => ({ type: String(type) }));
  const linked = linkOf(world, customer, institution, wanted);
  return idsOf(customer, linked.accounts[0]);
};

/** `{accountId?, amount?, description?}`; without an account a fresh customer gets one. */
const newTransaction: Situation = (world, parameters) => {
  const account = accountFor(world, parameters);
  const { amount = -12.5, description = "CORNER GROCERY 114" } = parameters;
  if (typeof amount !== "number" || typeof description !== "string") {
    throw new AdminError('"amount" must be a number of dollars and "description" a text.');
  }
  const now = world.seconds();
  const ledger = world.accounts.ledgerOf(account);
  const index = post(ledger, { transactionDate: now, postedDate: now, amount, description });
  account.balance = Math.round((account.balance + amount) * 100) / 100;
  world.happenings.tell("transactions-posted", { account, transactions: [index] });
  world.happenings.tell("account-changed", { account, changed: ["balance"] });
  const id = ledger.firstId + (ledger.serial[index] as number);
  return {
    ...idsOf(world.customers.find(account.customerId), account),
    FINANCIAL_DATA_TRANSACTION_ID: String(id),
  };
};

/** `{accountId?, fields?}`: new values by field, `{"interestRate": "1.25"}` if absent. */
const accountChange: Situation = (world, parameters) => {
  const account = accountFor(world, parameters);
  const { fields = { interestRate: "1.25" } } = parameters;
  if (!isObject(fields)) throw new AdminError('"fields" must be an object.');
  const { balance, ...others } = fields;
  if (typeof balance === "number") account.balance = balance;
  Object.assign(account.given, others);
  world.happenings.tell("account-changed", { account, changed: Object.keys(fields) });
  return idsOf(world.customers.find(account.customerId), account);
};

const accountFor = (world: World, { accountId }: Fields): Account => {
  if (accountId === undefined) {
    const customer = addCustomer(world, world.partners.main.id, `changing-${world.newId("username")}`);
    const linked = linkOf(world, customer, world.institutions.test("oauth"), [{ type: "checking" }]);
    return linked.accounts[0] as Account;
  }
  const account = world.accounts.find(String(accountId));
  if (account === undefined) throw new AdminError(`There is no account "${accountId}". Give the id of one.`);
  return account;
};

const idsOf = (customer: Customer | undefined, account: Account | undefined): Record<string, string> => ({
  FINANCIAL_DATA_CUSTOMER_ID: customer?.id ?? "",
  FINANCIAL_DATA_INSTITUTION_LOGIN_ID: account?.loginId ?? "",
  FINANCIAL_DATA_ACCOUNT_ID: account?.id ?? "",
});

export const accountSituations: Section = {
  handlers: {},
  situations: {
    "legacy-connection": legacyConnection,
    "active-customer": activeCustomer,
    "new-transaction": newTransaction,
    "account-change": accountChange,
  },
};
