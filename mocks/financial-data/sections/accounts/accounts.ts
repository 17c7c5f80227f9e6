/** Accounts: reads them in full or in brief, refreshes, migrates and deletes them. */
import type { Answer } from "../../../engine/call.ts";
import type { Fields } from "../../../engine/values/fields.ts";
import { accountFields, simpleFields } from "../../account-fields.ts";
import { refused, success } from "../../answers.ts";
import type { Call } from "../../calls.ts";
import {
  accountsOf,
  accountsOfLogin,
  customerIn,
  filterIn,
  institutionIn,
  loginIn,
  readAccount,
  withSiblings,
} from "../../found.ts";
import { afterwards } from "../../late.ts";
import type { Handler, Section } from "../../section.ts";
import type { Account } from "../../state/account.ts";
import { bringPending } from "../../state/pending.ts";
import type { State } from "../../state/state.ts";
import { accountSituations, SLOW } from "./account-situations.ts";
import { ACCOUNT_STATEFUL_FAULTS } from "./account-stateful-faults.ts";

type Source = (state: State, call: Call) => readonly Account[];

/** Seconds until the first accounts of a customer are listed. */
const FIRST_LISTED = 1.5;

const ofCustomer: Source = (state, call) => {
  const customer = customerIn(state, call);
  const age = state.clock.now().getTime() / 1000 - customer.created;
  if (call.differs("first-accounts-listed-late") && age < FIRST_LISTED) return [];
  const accounts = accountsOf(state, call, customer);
  const status = filterIn(call, "status", ["active", "pending"]);
  const { account_type: type } = call.differs("other-filter-values") ? {} : call.query;
  return accounts.filter(
    (account) =>
      (status === undefined || account.status === status) &&
      (type === undefined || plainType(String(type)) === plainType(account.type)),
  );
};

/** Normalizes an account type: `moneyMarket` and `money market`, `cd` and `certificateOfDeposit`. */
const plainType = (type: string): string => {
  const letters = type.toLowerCase().replace(/[^a-z0-9]/g, "");
  return letters === "certificateofdeposit" || letters === "cds" ? "cd" : letters;
};

const ofInstitution: Source = (state, call) => {
  const institution = institutionIn(state, call);
  return withSiblings(state, call, ({ institutionId }) => institutionId === institution.id);
};

const list =
  (source: Source): Handler =>
  (state, call) =>
    listed(state, call, source(state, call));

const listed = (state: State, call: Call, accounts: readonly Account[]): Answer =>
  success(state, call, { accounts: accounts.map((account) => fieldsOf(state, call, account)) }, MADE);

const MADE = { made: "required" } as const;

const fieldsOf = (state: State, { faulty }: Call, account: Account): Fields => {
  const fields = accountFields(state, account);
  return faulty("accounts-cd-as-savings") && account.type === "cd" ? { ...fields, type: "savings" } : fields;
};

const listSimple =
  (source: Source): Handler =>
  (state, call) => {
    const accounts = source(state, call).filter((account) => isShown(call, account));
    return success(state, call, { accounts: accounts.map((account) => briefly(state, call, account)) }, MADE);
  };

const isShown = ({ faulty }: Call, { status }: Account): boolean =>
  status === "active" || faulty("accounts-simple-inactive-too");

const briefly = (state: State, { faulty }: Call, account: Account): Fields =>
  faulty("accounts-simple-in-full") ? accountFields(state, account) : simpleFields(state, account);

/** The response time of a slow institution in seconds. */
const SLOWLY = 90;

const refreshed = async (state: State, call: Call, accounts: readonly Account[]): Promise<void> => {
  const isSlow = accounts.some(({ loginId }) => state.accounts.logins.get(loginId)?.marks.has(SLOW));
  if (isSlow) {
    const due = state.clock.now().getTime() + SLOWLY * 1000;
    await new Promise<void>((resolve) => state.clock.at(due, resolve));
    if (call.faulty("accounts-slow-refresh-lost")) return;
  }
  const reached = call.faulty("accounts-refresh-of-first") ? accounts.slice(0, 1) : accounts;
  for (const account of reached) refresh(state, call, account);
};

const refresh = (state: State, { faulty }: Call, account: Account): void => {
  if (faulty("accounts-refresh-nothing")) return;
  const before = account.attempted;
  state.accounts.aggregate(account, "now");
  // Dates are whole seconds, so a second refresh within a second adds one second to show a later date.
  account.attempted = faulty("accounts-attempt-date-stays")
    ? before
    : Math.max(account.attempted, before + 1);
  bringPending(state, account);
};

const refreshV1 =
  (source: Source): Handler =>
  async (state, call) => {
    if (call.differs("refresh-v1-refused")) throw refused("wrong-tier");
    const accounts = source(state, call);
    await refreshed(state, call, accounts);
    return listed(state, call, accounts);
  };

const refreshV2 =
  (source: Source): Handler =>
  async (state, call) => {
    if (call.differs("refresh-v2-refused")) throw refused("wrong-tier");
    await refreshed(state, call, source(state, call));
    return success(state, call);
  };

const removeAll = (state: State, customerId: string): void => {
  for (const account of state.accounts.of(customerId)) state.accounts.remove(account);
};

export const accounts: Section = {
  handlers: {
    GetCustomerAccountsByInstitutionLogin: list(accountsOfLogin),
    RefreshCustomerAccountsByInstitutionLogin: refreshV1(accountsOfLogin),
    RefreshCustomerAccountsByInstitutionLoginV2: refreshV2(accountsOfLogin),
    DeleteCustomerAccountsByInstitutionLogin(state, call) {
      const login = loginIn(state, call);
      if (call.faulty("accounts-login-stays")) return success(state, call);
      if (call.faulty("accounts-all-logins-go")) removeAll(state, login.customerId);
      afterwards(state, call.differs("late-deletions"), () => state.accounts.removeLogin(login));
      return success(state, call);
    },
    GetCustomerAccount(state, call) {
      const account = readAccount(state, call);
      return success(state, call, fieldsOf(state, call, account), { key: account.id, ...MADE });
    },
    DeleteCustomerAccount(state, call) {
      const account = readAccount(state, call);
      if (call.faulty("accounts-account-stays")) return success(state, call);
      afterwards(state, call.differs("late-deletions"), () => state.accounts.remove(account));
      if (call.faulty("accounts-all-accounts-go")) removeAll(state, account.customerId);
      return success(state, call);
    },
    GetCustomerAccounts: list(ofCustomer),
    RefreshCustomerAccounts: refreshV1(ofCustomer),
    RefreshCustomerAccountsV2: refreshV2(ofCustomer),
    GetCustomerAccountsByInstitution: list(ofInstitution),
    GetCustomerAccountsByInstitutionSimple: listSimple(ofInstitution),
    GetCustomerAccountsByInstitutionLoginSimple: listSimple(accountsOfLogin),
    GetCustomerAccountSimple(state, call) {
      const account = readAccount(state, call);
      if (!isShown(call, account)) throw refused("inactive-account");
      return success(state, call, briefly(state, call, account), { key: account.id, ...MADE });
    },
    GetCustomerAccountsSimple: listSimple(ofCustomer),
    MigrateInstitutionLoginAccounts(state, call) {
      const login = loginIn(state, call);
      const { oauthTwin } = state.institutions.find(login.institutionId) ?? {};
      const successor = oauthTwin === undefined ? undefined : state.institutions.find(oauthTwin);
      if (login.connection !== "legacy" || successor === undefined) throw refused("no-legacy-connection");
      if (call.differs("migrated-in-place")) login.connection = "oauth";
      else if (!call.faulty("accounts-migration-stays")) state.accounts.move(login, successor);
      const isOfAll = call.faulty("accounts-migration-returns-all");
      return listed(state, call, isOfAll ? ofCustomer(state, call) : accountsOfLogin(state, call, login));
    },
  },
  situations: accountSituations,
  statefulFaults: [ACCOUNT_STATEFUL_FAULTS],
};
