/** How accounts and their logins can go wrong over several calls. */

import { behaving, isSuccess } from "../../../engine/faults/twists.ts";
import { simpleFields } from "../../account-fields.ts";
import type { Call } from "../../faults.ts";
import { pathValue } from "../../found.ts";
import { afterwards, listing, type Twist, type TwistTable, timesOf } from "../../twists.ts";
import type { Account } from "../../world/account.ts";
import { perWorld, type World } from "../../world/world.ts";

/** Accounts that were deleted, by customer. */
const deleted = perWorld(() => new Map<string, Account[]>());

const victimOf = (world: World, call: Call): Account | undefined =>
  world.accounts.find(pathValue(call, "accountId"));

const deletedOf = (world: World, call: Call): readonly Account[] =>
  deleted(world).get(pathValue(call, "customerId")) ?? [];

/** The account stays where it was, although its deletion was answered. */
const keepsDeleted: Twist = async (world, call, handle) => {
  const account = victimOf(world, call);
  const answer = await handle();
  if (account !== undefined && isSuccess(answer)) {
    const known = deleted(world).get(account.customerId) ?? [];
    deleted(world).set(account.customerId, [...known, account]);
  }
  return answer;
};

const DELETE = "DeleteCustomerAccount";
const DELETE_LOGIN = "DeleteCustomerAccountsByInstitutionLogin";

export const ACCOUNT_TWISTS: TwistTable = {
  "DeleteCustomerAccount.removes-access": {
    "second-account-stays-readable": {
      [DELETE](world, call, handle) {
        const account = victimOf(world, call);
        const again = account !== undefined && timesOf(world, "deleted of", account.customerId) > 1;
        return again ? handle(behaving(call, "accounts-account-stays")) : handle();
      },
    },
    "deleted-account-returns-with-refresh": {
      [DELETE]: keepsDeleted,
      RefreshCustomerAccountsV2: afterwards((world, call) => {
        for (const account of deletedOf(world, call)) world.accounts.restore(account);
      }),
    },
    "simple-list-keeps-deleted-account": {
      [DELETE]: keepsDeleted,
      GetCustomerAccountsSimple: listing("accounts", (items, world, call) => [
        ...items,
        ...deletedOf(world, call).map((account) => simpleFields(world, account)),
      ]),
    },
  },
  "DeleteCustomerAccount.others-stay": {
    "second-deletion-takes-one-more": {
      [DELETE]: afterwards((world, call) => {
        const customer = pathValue(call, "customerId");
        const [other] = world.accounts.of(customer);
        if (timesOf(world, "deleted of", customer) === 2 && other !== undefined) world.accounts.remove(other);
      }),
    },
  },
  "DeleteCustomerAccountsByInstitutionLogin.removes-access": {
    "login-keeps-accounts-after-refresh": {
      RefreshCustomerAccountsV2(world, call, handle) {
        refreshed(world).add(pathValue(call, "customerId"));
        return handle();
      },
      [DELETE_LOGIN](world, call, handle) {
        return refreshed(world).has(pathValue(call, "customerId"))
          ? handle(behaving(call, "accounts-login-stays"))
          : handle();
      },
    },
  },
  "DeleteCustomerAccountsByInstitutionLogin.others-stay": {
    "login-takes-accounts-of-older-login": {
      [DELETE_LOGIN]: afterwards((world, call) => {
        const login = pathValue(call, "institutionLoginId");
        const left = world.accounts.of(pathValue(call, "customerId"));
        const other = left.find(({ loginId }) => loginId !== login);
        if (other !== undefined) world.accounts.remove(other);
      }),
    },
  },
};

const refreshed = perWorld(() => new Set<string>());
