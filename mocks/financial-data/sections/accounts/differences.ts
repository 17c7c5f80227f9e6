/** Permitted differences in accounts, statements, micro entries and switches. */
import { header, json, permitted, statusOfEach } from "../../../engine/deviations/rows.ts";
import { SHARED } from "../../shared-requirements.ts";

const REFRESHES_V1 = ["RefreshCustomerAccounts", "RefreshCustomerAccountsByInstitutionLogin"];
const REFRESHES_V2 = ["RefreshCustomerAccountsV2", "RefreshCustomerAccountsByInstitutionLoginV2"];

const TYPED = [
  "GetAccountACHDetails",
  "GetAccountPaymentInstructionDetails",
  "GetLoanPaymentDetails",
  "GetAvailableBalanceLive",
  "GetCustomerAccountStatement",
  "GetCustomerAccountMultipleStatement",
];

const DEPOSITS = ["InitiateMicroAmountDeposits", "VerifyMicroAmountDeposits", "GetMicroDepositsDetails"];

export const ACCOUNT_DIFFERENCES = [
  ...permitted("account type spellings")({
    "account-types-in-words": {
      what: "Account types are spelled with blanks and in full: money market, certificateOfDeposit.",
      // The values are assumed.
      affects: ["*.response.shape"],
    },
  }),
  ...permitted("operations described by path and status only")({
    "inactive-account-first":
      "Customers with all kinds of accounts have an inactive one, which is listed first.",
  }),
  ...permitted("unsupported account types", { operations: TYPED, group: "unsupported-types" })({
    "other-types-not-found": {
      what: "An account of an unsupported type is not found (404).",
      effects: statusOfEach(TYPED, 400, 404, ["unsupported-account-type"]),
    },
    "other-types-empty": "An account of an unsupported type has an empty result.",
  }),
  ...permitted("Data Access Tiers", { group: "tier" })({
    "refresh-v1-refused": {
      what: "The partner has a Data Access Tier, so the first version of a refresh is refused.",
      operations: REFRESHES_V1,
      silences: [...REFRESHES_V1.map((operationId) => `${operationId}.*`), ...SHARED],
    },
    "refresh-v2-refused": {
      what: "The partner has no Data Access Tier, so the second version of a refresh is refused.",
      operations: REFRESHES_V2,
      silences: [...REFRESHES_V2.map((operationId) => `${operationId}.*`), ...SHARED],
    },
  }),
  ...permitted("micro entry 409 cause", { operations: DEPOSITS, group: "micro-entries" })({
    "deposits-repeatable": {
      what: "A repeated initiation of micro deposits is accepted.",
      silences: ["InitiateMicroAmountDeposits.409"],
    },
    "deposits-one-at-a-time": "A customer with deposits under way cannot have others: a conflict (409).",
  }),
  ...permitted("states of other resources")({
    "other-deposit-states": {
      what: "Micro deposits and switches have other states.",
      effects: [
        ...json({ operationId: "InitiateMicroAmountDeposits", status: 200 }, "/status", "SENT"),
        ...json({ operationId: "GetMicroDepositsDetails", status: 200 }, "/status", "AWAITING_ENTRY"),
        ...json({ operationId: "getAllDepositSwitches", status: 200 }, "/switches/*/status", "IN_REVIEW"),
        ...json({ operationId: "getDepositSwitchDetails", status: 200 }, "/switchStatus", "IN_REVIEW"),
        ...json({ operationId: "getBillPaySwitchDetails", status: 200 }, "/switchStatus", "IN_REVIEW"),
      ],
      operations: [
        ...DEPOSITS,
        "getAllDepositSwitches",
        "getDepositSwitchDetails",
        "getBillPaySwitchDetails",
      ],
    },
  }),
  ...permitted("operations described by path and status only")({
    "migrated-in-place": {
      what: "A migration changes the connection of a login, and keeps its institution.",
      operations: ["MigrateInstitutionLoginAccounts"],
    },
  }),
  ...permitted([
    "billing of PSI operations and micro entries",
    "billing of prequalification, cash flow, foresight and SBCA reports",
    "premium services in the sandbox",
  ])({
    "billing-in-headers": {
      what: "A header of the answer says whether the call is billed.",
      effects: [
        "InitiateMicroAmountDeposits",
        "GeneratePaymentSuccessIndicators",
        "GeneratePrequalificationCRAReport",
        "GenerateSBCAMetricsReport",
        "GetAccountOwner",
      ].flatMap((operationId) => header({ operationId }, "x-billed", "true")),
      operations: ["InitiateMicroAmountDeposits", "GeneratePaymentSuccessIndicators", "GetAccountOwner"],
    },
  }),
];
