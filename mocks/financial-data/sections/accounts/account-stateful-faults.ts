/** Stateful faults of accounts and their logins. */
import { getOrInsert } from "../../../../helpers/contract/memoize.ts";
import { behaving, isSuccess } from "../../../engine/deviations/handlers.ts";
import { fieldsIn } from "../../../engine/values/fields.ts";
import { simpleFields } from "../../account-fields.ts";
import type { Call } from "../../calls.ts";
import { pathValue } from "../../found.ts";
import type { Account } from "../../state/account.ts";
import { perState, type State } from "../../state/state.ts";
import {
  afterwards,
  listing,
  type StatefulFault,
  type StatefulFaultTable,
  timesOf,
} from "../../stateful-faults.ts";

/** Deleted accounts by customer. */
const deleted = perState(() => new Map<string, Account[]>());

/** The attempts that lists showed first, by account. */
const firstAttempts = perState(() => new Map<unknown, unknown>());

const victimOf = (state: State, call: Call): Account | undefined =>
  state.accounts.find(pathValue(call, "accountId"));

const deletedOf = (state: State, call: Call): readonly Account[] =>
  deleted(state).get(pathValue(call, "customerId")) ?? [];

/** Confirms the deletion but keeps the account. */
const keepsDeleted: StatefulFault = async (state, call, handle) => {
  const account = victimOf(state, call);
  const answer = await handle();
  if (account !== undefined && isSuccess(answer)) {
    const known = deleted(state).get(account.customerId) ?? [];
    deleted(state).set(account.customerId, [...known, account]);
  }
  return answer;
};

const DELETE = "DeleteCustomerAccount";
const DELETE_LOGIN = "DeleteCustomerAccountsByInstitutionLogin";

export const ACCOUNT_STATEFUL_FAULTS: StatefulFaultTable = {
  "accounts.refresh.aggregation-attempt-date": {
    "list-shows-first": {
      GetCustomerAccounts: listing("accounts", (items, state) =>
        items.map((item) => ({
          ...item,
          aggregationAttemptDate: getOrInsert(
            firstAttempts(state),
            item.id,
            () => item.aggregationAttemptDate,
          ),
        })),
      ),
    },
  },
  "DeleteCustomerAccount.removes-access": {
    "second-account-stays-readable": {
      [DELETE](state, call, handle) {
        const account = victimOf(state, call);
        const again = account !== undefined && timesOf(state, "deleted of", account.customerId) > 1;
        return again ? handle(behaving(call, "accounts-account-stays")) : handle();
      },
    },
    "deleted-account-returns-with-refresh": {
      [DELETE]: keepsDeleted,
      RefreshCustomerAccountsV2: afterwards((state, call) => {
        for (const account of deletedOf(state, call)) state.accounts.restore(account);
      }),
    },
    "simple-list-keeps-deleted-account": {
      [DELETE]: keepsDeleted,
      GetCustomerAccountsSimple: listing("accounts", (items, state, call) => [
        ...items,
        ...deletedOf(state, call).map((account) => simpleFields(state, account)),
      ]),
    },
  },
  "DeleteCustomerAccount.others-stay": {
    "second-deletion-takes-one-more": {
      [DELETE]: afterwards((state, call) => {
        const customer = pathValue(call, "customerId");
        const [other] = state.accounts.of(customer);
        if (timesOf(state, "deleted of", customer) === 2 && other !== undefined) state.accounts.remove(other);
      }),
    },
  },
  "DeleteCustomerAccountsByInstitutionLogin.removes-access": {
    "login-keeps-accounts-after-refresh": {
      RefreshCustomerAccountsV2(state, call, handle) {
        refreshed(state).add(pathValue(call, "customerId"));
        return handle();
      },
      [DELETE_LOGIN](state, call, handle) {
        return refreshed(state).has(pathValue(call, "customerId"))
          ? handle(behaving(call, "accounts-login-stays"))
          : handle();
      },
    },
  },
  "DeleteCustomerAccountsByInstitutionLogin.others-stay": {
    "login-takes-accounts-of-older-login": {
      [DELETE_LOGIN]: afterwards((state, call) => {
        const login = pathValue(call, "institutionLoginId");
        const left = state.accounts.of(pathValue(call, "customerId"));
        const other = left.find(({ loginId }) => loginId !== login);
        if (other !== undefined) state.accounts.remove(other);
      }),
    },
  },
  "sequences.lists-agree": {
    "balance-alone-of-first": {
      async GetCustomerAccount(state, call, handle) {
        const answer = await handle();
        const [first] = state.accounts.of(pathValue(call, "customerId"));
        return isSuccess(answer) && first !== undefined
          ? { ...answer, json: { ...fieldsIn(answer.json), balance: first.balance } }
          : answer;
      },
    },
  },
  "sequences.untouched-stays": {
    "migration-takes-other-logins": {
      MigrateInstitutionLoginAccounts: afterwards((state, call) => {
        const moved = state.accounts.logins.get(pathValue(call, "institutionLoginId"));
        const institution = moved && state.institutions.find(moved.institutionId);
        if (institution === undefined) return;
        for (const login of state.accounts.logins.values())
          if (login.customerId === moved?.customerId && login.connection === "legacy")
            state.accounts.move(login, institution);
      }),
    },
  },
};

const refreshed = perState(() => new Set<string>());
