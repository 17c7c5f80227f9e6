/** Accounts that no client can bring about: inactive, at a slow institution, one of several logins. */
import { addConsumer, addCustomer } from "../../furnish.ts";
import { linkOf } from "../../linking.ts";
import type { Situation } from "../../section.ts";
import type { WantedAccount } from "../../world/account.ts";
import type { Linked } from "../../world/accounts.ts";
import type { Customer } from "../../world/customer.ts";
import type { World } from "../../world/world.ts";

/** Mark of a login whose institution takes more than a minute for everything. */
export const SLOW = "slow";
/** Mark of a login whose institution gives no answer in time. */
export const SILENT = "silent";

/** A testing customer of its own with accounts at one login. */
export const linkedCustomer = (
  world: World,
  name: string,
  wanted: readonly WantedAccount[],
): Linked & { readonly customer: Customer } => {
  const customer = addCustomer(world, world.partners.main.id, `${name}-${world.newId("username")}`);
  addConsumer(world, customer);
  return { customer, ...linkOf(world, customer, world.institutions.test("oauth"), wanted) };
};

export const environmentOf = ({ customer, login, accounts }: ReturnType<typeof linkedCustomer>) => ({
  FINANCIAL_DATA_CUSTOMER_ID: customer.id,
  FINANCIAL_DATA_INSTITUTION_LOGIN_ID: login.id,
  FINANCIAL_DATA_INSTITUTION_ID: String(login.institutionId),
  FINANCIAL_DATA_ACCOUNT_ID: accounts[0]?.id ?? "",
});

const CHECKING = { type: "checking" };

/** The second account of the customer is inactive. */
const inactiveAccount: Situation = (world) => {
  const linked = linkedCustomer(world, "inactive", [CHECKING, { type: "savings", status: "pending" }]);
  return {
    ...environmentOf(linked),
    FINANCIAL_DATA_INACTIVE_ACCOUNT_ID: linked.accounts[1]?.id ?? "",
  };
};

const marked =
  (mark: string): Situation =>
  (world) => {
    const linked = linkedCustomer(world, mark, [CHECKING, { type: "savings" }]);
    linked.login.marks.add(mark);
    return environmentOf(linked);
  };

/** The login and the account that are named may be deleted: others of the same customer stay. */
const twoLogins: Situation = (world) => {
  const linked = linkedCustomer(world, "two-logins", [CHECKING, { type: "savings" }]);
  linkOf(world, linked.customer, world.institutions.test(), [CHECKING]);
  return environmentOf(linked);
};

export const linkedAccountSituations: Readonly<Record<string, Situation>> = {
  "inactive-account": inactiveAccount,
  "slow-institution": marked(SLOW),
  "silent-institution": marked(SILENT),
  "two-logins": twoLogins,
};
