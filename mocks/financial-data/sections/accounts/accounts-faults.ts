/** How the operations on accounts can break what is promised of them. */
import type { FaultRow } from "../../../engine/faults/fault.ts";
import { behaviour, json, refusesParameter, rowsOf } from "../../../engine/faults/fault-rows.ts";

const LIST = { operationId: "GetCustomerAccounts", status: 200 };

export const ACCOUNT_FAULTS: readonly FaultRow[] = rowsOf({
  "aggregation.accounts-and-transactions": {
    "no-accounts": json(LIST, "/accounts", []),
    "no-transactions": behaviour("transactions-none"),
    "refresh-without-effect": behaviour("accounts-refresh-nothing"),
  },
  "account.types": { "cd-shown-as-savings": behaviour("accounts-cd-as-savings") },
  "RefreshCustomerAccountsByInstitutionLogin.date-range-query": {
    "from-refused": refusesParameter("RefreshCustomerAccountsByInstitutionLogin", "fromDate"),
    "to-refused": refusesParameter("RefreshCustomerAccountsByInstitutionLogin", "toDate"),
  },
  "GetCustomerAccounts.status-query": { refused: refusesParameter("GetCustomerAccounts", "status") },
  "GetCustomerAccounts.type-query": { refused: refusesParameter("GetCustomerAccounts", "account_type") },
  "accounts.simple.basic-information": { "in-full": behaviour("accounts-simple-in-full") },
  "accounts.simple.active-only": { "inactive-too": behaviour("accounts-simple-inactive-too") },
  "accounts.refresh.daily-automatic": { never: behaviour("accounts-never-daily") },
  "accounts.refresh.completes-after-disconnect": { lost: behaviour("accounts-slow-refresh-lost") },
  "accounts.refresh.aggregation-attempt-date": { stays: behaviour("accounts-attempt-date-stays") },
  "DeleteCustomerAccountsByInstitutionLogin.removes-access": {
    "still-there": behaviour("accounts-login-stays"),
  },
  "DeleteCustomerAccountsByInstitutionLogin.others-stay": {
    "others-go-too": behaviour("accounts-all-logins-go"),
  },
  "DeleteCustomerAccount.removes-access": { "still-there": behaviour("accounts-account-stays") },
  "DeleteCustomerAccount.others-stay": { "others-go-too": behaviour("accounts-all-accounts-go") },
  "MigrateInstitutionLoginAccounts.to-oauth": { "stays-legacy": behaviour("accounts-migration-stays") },
  "MigrateInstitutionLoginAccounts.returns-accounts": {
    none: json({ operationId: "MigrateInstitutionLoginAccounts", status: 200 }, "/accounts", []),
  },
});
