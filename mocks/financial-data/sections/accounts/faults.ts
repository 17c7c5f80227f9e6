/** The faults of accounts, statements, micro entries and switches. */
import {
  anyBody,
  empty,
  ignores,
  json,
  raw,
  refusesParameter,
  rowsOf,
  status,
} from "../../../engine/deviations/rows.ts";

const LIST = { operationId: "GetCustomerAccounts", status: 200 };
const ONE = "GetCustomerAccountStatement";
const SEVERAL = "GetCustomerAccountMultipleStatement";
const ASSET = { operationId: "GetAssetByCustomerID", status: 200 };
const INITIATE = "InitiateMicroAmountDeposits";

const asJson = (operationId: string) => raw('{"content":"JVBERi0="}')({ operationId, status: 200 });

const challenge = (operationId: string) => ({
  "no-challenge": `statements-without-challenge-${operationId}` as const,
  "bad-request": status(400, { operationId, status: 203 }),
});

export const ACCOUNT_FAULTS = rowsOf({
  "aggregation.accounts-and-transactions": {
    "no-accounts": json(LIST, "/accounts", []),
    "no-transactions": "transactions-none",
    "refresh-without-effect": "accounts-refresh-nothing",
  },
  "account.types": { "cd-shown-as-savings": "accounts-cd-as-savings" },
  "RefreshCustomerAccountsByInstitutionLogin.date-range-query": {
    "from-refused": refusesParameter("RefreshCustomerAccountsByInstitutionLogin", "fromDate"),
    "to-refused": refusesParameter("RefreshCustomerAccountsByInstitutionLogin", "toDate"),
  },
  "GetCustomerAccounts.status-query": { refused: refusesParameter("GetCustomerAccounts", "status") },
  "GetCustomerAccounts.type-query": { refused: refusesParameter("GetCustomerAccounts", "account_type") },
  "accounts.simple.basic-information": { "in-full": "accounts-simple-in-full" },
  "accounts.simple.active-only": { "inactive-too": "accounts-simple-inactive-too" },
  "accounts.refresh.daily-automatic": { never: "accounts-never-daily" },
  "accounts.refresh.completes-after-disconnect": { lost: "accounts-slow-refresh-lost" },
  "accounts.refresh.aggregation-attempt-date": {
    stays: "accounts-attempt-date-stays",
    "of-first-account": "accounts-refresh-of-first",
  },
  "DeleteCustomerAccountsByInstitutionLogin.removes-access": { "still-there": "accounts-login-stays" },
  "DeleteCustomerAccountsByInstitutionLogin.others-stay": { "others-go-too": "accounts-all-logins-go" },
  "DeleteCustomerAccount.removes-access": { "still-there": "accounts-account-stays" },
  "DeleteCustomerAccount.others-stay": { "others-go-too": "accounts-all-accounts-go" },
  "MigrateInstitutionLoginAccounts.to-oauth": { "stays-legacy": "accounts-migration-stays" },
  "MigrateInstitutionLoginAccounts.returns-accounts": {
    "of-all-logins": "accounts-migration-returns-all",
    none: json({ operationId: "MigrateInstitutionLoginAccounts", status: 200 }, "/accounts", []),
  },

  "asset.binary-file": {
    "altered-on-the-way": "statements-asset-altered",
    "kept-as-text": "statements-asset-as-text",
  },
  [`${ONE}.statement-index`]: {
    ignored: ignores(ONE, "index"),
    refused: refusesParameter(ONE, "index"),
  },
  [`${ONE}.returns-pdf`]: {
    text: "statements-as-text",
    "text-of-loans": "statements-of-loans-as-text",
    "as-json": asJson(ONE),
  },
  [`${ONE}.203-mfa`]: challenge(ONE),
  [`${SEVERAL}.statement-indexes`]: {
    ignored: ignores(SEVERAL, "index"),
    refused: refusesParameter(SEVERAL, "index"),
  },
  [`${SEVERAL}.203-mfa`]: challenge(SEVERAL),
  "GetAssetByCustomerID.returns-binary": { "as-json": asJson(ASSET.operationId), empty: empty(ASSET) },
  "statements.24-months": { "48-months": "statements-of-48-months" },
  "statements.account-types": { "student-loans-refused": "statements-without-student-loans" },
  [`${SEVERAL}.up-to-24`]: {
    "twelve-at-most": "statements-twelve-at-most",
    "one-too-many": "statements-one-too-many",
    "one-too-many-of-loans": "statements-one-too-many-of-loans",
  },
  [`${SEVERAL}.asset-id`]: { unknown: "statements-of-unknown-asset" },

  "InitiateMicroAmountDeposits.409": {
    "bad-request": status(400, { operationId: INITIATE, status: 409 }),
    failing: status(500, { operationId: INITIATE, status: 409 }),
  },
  "InitiateMicroAmountDeposits.429": {
    accepted: "micro-limit-ignored",
    "bad-request": status(400, { operationId: INITIATE, status: 429 }),
  },
  "microentry.two-amounts": { "one-amount": "micro-one-amount" },
  "microentry.each-below-one-dollar": { "above-one-dollar": "micro-above-one-dollar" },
  "VerifyMicroAmountDeposits.request.shape": {
    "any-amounts": [...anyBody("VerifyMicroAmountDeposits"), "micro-any-amounts"],
  },
  "switches.found-by-external-id": {
    "not-found": "switches-external-unknown",
    "none-told": "switches-external-none",
  },
});
