/** Accounts as calls read them: brought up to the present day, whoever aggregates them. */

import { existing, refused } from "./answers.ts";
import type { Call } from "./faults.ts";
import { customerIn, loginIn, pathValue } from "./found.ts";
import type { Account, Login } from "./world/account.ts";
import type { Customer } from "./world/customer.ts";
import { settlePending } from "./world/pending.ts";
import type { World } from "./world/world.ts";

/** The account in the path, of the customer in the path. */
export const readAccount = (world: World, call: Call, customer = customerIn(world, call)): Account =>
  accountWithId(world, call, customer, pathValue(call, "accountId"));

/** For ids that stand in a body. */
export const accountWithId = (world: World, call: Call, customer: Customer, id: string): Account => {
  const account = world.accounts.find(id);
  const own = account?.customerId === customer.id ? account : undefined;
  return broughtUp(world, call, existing(own, "unknown-account"));
};

export const accountsOf = (world: World, call: Call, customer: Customer): readonly Account[] =>
  world.accounts.of(customer.id).map((account) => broughtUp(world, call, account));

export const accountsOfLogin = (world: World, call: Call, login = loginIn(world, call)): readonly Account[] =>
  world.accounts.ofLogin(login.id).map((account) => broughtUp(world, call, account));

const broughtUp = (world: World, { bent }: Call, account: Account): Account => {
  if (!bent("accounts-never-daily")) world.accounts.aggregate(account, "daily");
  settlePending(world, account);
  return account;
};

export const loginOf = (world: World, { loginId }: Account): Login | undefined =>
  world.accounts.logins.get(loginId);

/** Whether its institution asks for a multi-factor challenge before it gives anything more. */
export const isChallenged = (world: World, account: Account): boolean =>
  loginOf(world, account)?.marks.has("mfa") === true;

export const refuseOtherTypes = ({ type }: Account, types: readonly string[]): void => {
  if (types.includes(type)) return;
  throw refused("unsupported-account-type", { of: type });
};
