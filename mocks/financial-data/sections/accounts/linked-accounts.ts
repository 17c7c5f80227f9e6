/** Accounts that no client can bring about: inactive, at a slow institution, one of several logins. */
import { addConsumer, idsOf, ownCustomer } from "../../furnish.ts";
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
  const customer = ownCustomer(world, name);
  addConsumer(world, customer);
  return { customer, ...world.accounts.link(customer, world.institutions.test("oauth"), wanted) };
};

export const environmentOf = ({ login, accounts }: Linked): Record<string, string> => ({
  ...idsOf(accounts[0]),
  FINANCIAL_DATA_INSTITUTION_ID: String(login.institutionId),
});

const marked =
  (mark: string): Situation =>
  (world) => {
    const linked = linkedCustomer(world, mark, ["checking", "savings"]);
    linked.login.marks.add(mark);
    return environmentOf(linked);
  };

export const linkedAccountSituations: Readonly<Record<string, Situation>> = {
  /** The second account of the customer is inactive. */
  "inactive-account"(world) {
    const linked = linkedCustomer(world, "inactive", ["checking", { type: "savings", status: "pending" }]);
    return {
      ...environmentOf(linked),
      FINANCIAL_DATA_INACTIVE_ACCOUNT_ID: linked.accounts[1]?.id ?? "",
    };
  },
  "slow-institution": marked(SLOW),
  "silent-institution": marked(SILENT),
  /** The login and the account that are named may be deleted: others of the same customer stay. */
  "two-logins"(world) {
    const linked = linkedCustomer(world, "two-logins", ["checking", "savings"]);
    world.accounts.link(linked.customer, world.institutions.test(), ["checking"]);
    return environmentOf(linked);
  },
};
