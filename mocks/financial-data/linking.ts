/** Links accounts to a customer: through the hosted flow, or by an administrator without a browser. */
import { AdminError } from "../engine/service.ts";
import { type Fields, fieldsIn } from "../engine/values/fields.ts";
import { DOCUMENTED_TYPES, KINDS, type WantedAccount } from "./state/account.ts";
import type { Customer } from "./state/customer.ts";
import type { Institution } from "./state/institutions.ts";
import type { State } from "./state/state.ts";

/** Whether the customer may sign in there. Testing customers reach test profiles, but not billable ones. */
export const reaches = ({ type }: Customer, { reach }: Institution): boolean =>
  type === "testing" ? reach === "test" : reach !== "test";

/**
 * Reads `{customerId, institution?, accounts?}`. `institution`: an id, `oauth`, `mfa` or `legacy`. `accounts`: types, or
 * rows `{type, balance?, status?, perDay?}`; one account of every documented type if absent.
 */
export const linkAccounts = (state: State, { customerId, institution, accounts }: Fields): Fields => {
  const customer = state.customers.find(String(customerId));
  if (customer === undefined)
    throw new AdminError(`There is no customer "${customerId}". Give the id of one.`);
  const chosen = institutionFor(state, customer, institution);
  const linked = state.accounts.link(customer, chosen, wantedOf(state, accounts));
  return {
    institutionId: String(linked.login.institutionId),
    institutionLoginId: linked.login.id,
    accounts: linked.accounts.map(({ id, type }) => ({ id, type })),
  };
};

const institutionFor = (state: State, customer: Customer, wanted: unknown): Institution => {
  const { all, find, test } = state.institutions;
  if (wanted === undefined) return all.find((institution) => reaches(customer, institution)) ?? test();
  if (wanted === "oauth" || wanted === "mfa" || wanted === "legacy") return test(wanted);
  const institution = find(String(wanted));
  if (institution !== undefined) return institution;
  throw new AdminError(`There is no institution "${wanted}". Give an id, or one of oauth, mfa, legacy.`);
};

/** Returns one account of every documented type. */
export const allKinds = (state: State): readonly WantedAccount[] =>
  state.differs("inactive-account-first")
    ? [{ type: "savings", status: "pending" }, ...DOCUMENTED_TYPES]
    : DOCUMENTED_TYPES;

const wantedOf = (state: State, accounts: unknown): readonly WantedAccount[] => {
  if (accounts === undefined) return allKinds(state);
  if (!Array.isArray(accounts)) throw new AdminError(`"accounts" must be a list of types or of {"type": …}.`);
  const types = KINDS.map(({ type }) => type);
  for (const wanted of accounts) {
    const type = typeof wanted === "string" ? wanted : fieldsIn(wanted).type;
    if (!types.includes(String(type)))
      throw new AdminError(`No account type "${type}". There are: ${types.join(", ")}.`);
  }
  return accounts;
};
