/** Accounts: read in full or in brief, refreshed, moved to another connection, and given up. */

import type { Answer } from "../../../engine/service.ts";
import type { Fields } from "../../../engine/values/fields.ts";
import { accountFields, simpleFields } from "../../account-fields.ts";
import { refused, success } from "../../answers.ts";
import type { Call } from "../../faults.ts";
import { accountsOf, accountsOfLogin, customerIn, institutionIn, loginIn, readAccount } from "../../found.ts";
import type { Handler, Section } from "../../section.ts";
import type { Account } from "../../world/account.ts";
import { bringPending } from "../../world/pending.ts";
import type { World } from "../../world/world.ts";
import { accountSituations, SLOW } from "./account-situations.ts";
import { ACCOUNT_TWISTS } from "./account-twists.ts";

type Source = (world: World, call: Call) => readonly Account[];

const ofCustomer: Source = (world, call) => {
  const accounts = accountsOf(world, call, customerIn(world, call));
  const { status, account_type: type } = call.query;
  return accounts.filter(
    (account) =>
      (status === undefined || account.status === status) &&
      (type === undefined || plainType(String(type)) === plainType(account.type)),
  );
};

/** Types are spelled in several ways: `moneyMarket` and `money market`, `cd` and `certificateOfDeposit`. */
const plainType = (type: string): string => {
  const letters = type.toLowerCase().replace(/[^a-z0-9]/g, "");
  return letters === "certificateofdeposit" || letters === "cds" ? "cd" : letters;
};

const ofInstitution: Source = (world, call) => {
  const customer = customerIn(world, call);
  const institution = institutionIn(world, call);
  return accountsOf(world, call, customer).filter(({ institutionId }) => institutionId === institution.id);
};

const list =
  (source: Source): Handler =>
  (world, call) =>
    listed(world, call, source(world, call));

const listed = (world: World, call: Call, accounts: readonly Account[]): Answer =>
  success(world, call, { accounts: accounts.map((account) => fieldsOf(world, call, account)) }, MADE);

const MADE = { made: "required" } as const;

const fieldsOf = (world: World, { bent }: Call, account: Account): Fields => {
  const fields = accountFields(world, account);
  return bent("accounts-cd-as-savings") && account.type === "cd" ? { ...fields, type: "savings" } : fields;
};

const listSimple =
  (source: Source): Handler =>
  (world, call) => {
    const accounts = source(world, call).filter((account) => isShown(call, account));
    return success(world, call, { accounts: accounts.map((account) => briefly(world, call, account)) }, MADE);
  };

const isShown = ({ bent }: Call, { status }: Account): boolean =>
  status === "active" || bent("accounts-simple-inactive-too");

const briefly = (world: World, { bent }: Call, account: Account): Fields =>
  bent("accounts-simple-in-full") ? accountFields(world, account) : simpleFields(world, account);

/** Seconds that an institution takes which is slow to answer. */
const SLOWLY = 90;

const refreshed = async (world: World, call: Call, accounts: readonly Account[]): Promise<void> => {
  const isSlow = accounts.some(({ loginId }) => world.accounts.logins.get(loginId)?.marks.has(SLOW));
  if (isSlow) {
    const due = world.clock.now().getTime() + SLOWLY * 1000;
    await new Promise<void>((resolve) => world.clock.at(due, resolve));
    if (call.bent("accounts-slow-refresh-lost")) return;
  }
  for (const account of accounts) refresh(world, call, account);
};

const refresh = (world: World, { bent }: Call, account: Account): void => {
  if (bent("accounts-refresh-nothing")) return;
  const before = account.attempted;
  world.accounts.aggregate(account, "now");
  // Dates are whole seconds: even a refresh within one shows a later date.
  account.attempted = bent("accounts-attempt-date-stays") ? before : Math.max(account.attempted, before + 1);
  bringPending(world, account);
};

const refreshV1 =
  (source: Source): Handler =>
  async (world, call) => {
    const accounts = source(world, call);
    await refreshed(world, call, accounts);
    return listed(world, call, accounts);
  };

const refreshV2 =
  (source: Source): Handler =>
  async (world, call) => {
    await refreshed(world, call, source(world, call));
    return success(world, call);
  };

const removeAll = (world: World, customerId: string): void => {
  for (const account of world.accounts.of(customerId)) world.accounts.remove(account);
};

export const accounts: Section = {
  handlers: {
    GetCustomerAccountsByInstitutionLogin: list(accountsOfLogin),
    RefreshCustomerAccountsByInstitutionLogin: refreshV1(accountsOfLogin),
    RefreshCustomerAccountsByInstitutionLoginV2: refreshV2(accountsOfLogin),
    DeleteCustomerAccountsByInstitutionLogin(world, call) {
      const login = loginIn(world, call);
      if (call.bent("accounts-login-stays")) return success(world, call);
      if (call.bent("accounts-all-logins-go")) removeAll(world, login.customerId);
      world.accounts.removeLogin(login);
      return success(world, call);
    },
    GetCustomerAccount(world, call) {
      const account = readAccount(world, call);
      return success(world, call, fieldsOf(world, call, account), { key: account.id, ...MADE });
    },
    DeleteCustomerAccount(world, call) {
      const account = readAccount(world, call);
      if (call.bent("accounts-account-stays")) return success(world, call);
      world.accounts.remove(account);
      if (call.bent("accounts-all-accounts-go")) removeAll(world, account.customerId);
      return success(world, call);
    },
    GetCustomerAccounts: list(ofCustomer),
    RefreshCustomerAccounts: refreshV1(ofCustomer),
    RefreshCustomerAccountsV2: refreshV2(ofCustomer),
    GetCustomerAccountsByInstitution: list(ofInstitution),
    GetCustomerAccountsByInstitutionSimple: listSimple(ofInstitution),
    GetCustomerAccountsByInstitutionLoginSimple: listSimple(accountsOfLogin),
    GetCustomerAccountSimple(world, call) {
      const account = readAccount(world, call);
      if (!isShown(call, account)) throw refused("inactive-account");
      return success(world, call, briefly(world, call, account), { key: account.id, ...MADE });
    },
    GetCustomerAccountsSimple: listSimple(ofCustomer),
    MigrateInstitutionLoginAccounts(world, call) {
      const login = loginIn(world, call);
      const { oauthTwin } = world.institutions.find(login.institutionId) ?? {};
      const twin = oauthTwin === undefined ? undefined : world.institutions.find(oauthTwin);
      if (login.connection !== "legacy" || twin === undefined) throw refused("no-legacy-connection");
      if (!call.bent("accounts-migration-stays")) world.accounts.move(login, twin);
      return listed(world, call, accountsOfLogin(world, call, login));
    },
  },
  situations: accountSituations,
  twists: [ACCOUNT_TWISTS],
};
