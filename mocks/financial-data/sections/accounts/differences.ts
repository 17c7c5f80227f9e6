/** Permitted differences in accounts, statements, micro entries and switches. */
import type { DeviationRow } from "../../../engine/deviations/deviation.ts";
import { header, json, statusOfEach, switched } from "../../../engine/deviations/rows.ts";
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
  {
    name: "account-types-in-words",
    what: "Account types are spelled with blanks and in full: money market, certificateOfDeposit.",
    gaps: ["account type spellings"],
    effects: ["account-types-in-words"],
    // The values are assumed.
    affects: ["*.response.shape"],
  },
  switched(
    "inactive-account-first",
    "Customers with all kinds of accounts have an inactive one, which is listed first.",
    "operations described by path and status only",
  ),
  {
    name: "other-types-not-found",
    what: "An account of an unsupported type is not found (404).",
    gaps: ["unsupported account types"],
    effects: [...statusOfEach(TYPED, 400, 404, ["unsupported-account-type"])],
    operations: TYPED,
    group: "unsupported-types",
  },
  {
    name: "other-types-empty",
    what: "An account of an unsupported type has an empty result.",
    gaps: ["unsupported account types"],
    effects: ["other-types-empty"],
    operations: TYPED,
    group: "unsupported-types",
  },
  {
    name: "refresh-v1-refused",
    what: "The partner has a Data Access Tier, so the first version of a refresh is refused.",
    gaps: ["Data Access Tiers"],
    effects: ["refresh-v1-refused"],
    operations: REFRESHES_V1,
    silences: [...REFRESHES_V1.map((operationId) => `${operationId}.*`), ...SHARED],
    group: "tier",
  },
  {
    name: "refresh-v2-refused",
    what: "The partner has no Data Access Tier, so the second version of a refresh is refused.",
    gaps: ["Data Access Tiers"],
    effects: ["refresh-v2-refused"],
    operations: REFRESHES_V2,
    silences: [...REFRESHES_V2.map((operationId) => `${operationId}.*`), ...SHARED],
    group: "tier",
  },
  {
    name: "deposits-repeatable",
    what: "A repeated initiation of micro deposits is accepted.",
    gaps: ["micro entry 409 cause"],
    effects: ["deposits-repeatable"],
    operations: DEPOSITS,
    silences: ["InitiateMicroAmountDeposits.409"],
    group: "micro-entries",
  },
  {
    name: "deposits-one-at-a-time",
    what: "A customer with deposits under way cannot have others: a conflict (409).",
    gaps: ["micro entry 409 cause"],
    effects: ["deposits-one-at-a-time"],
    operations: DEPOSITS,
    group: "micro-entries",
  },
  {
    name: "other-deposit-states",
    what: "Micro deposits and switches have other states.",
    gaps: ["states of other resources"],
    effects: [
      ...json({ operationId: "InitiateMicroAmountDeposits", status: 200 }, "/status", "SENT"),
      ...json({ operationId: "GetMicroDepositsDetails", status: 200 }, "/status", "AWAITING_ENTRY"),
      ...json({ operationId: "getAllDepositSwitches", status: 200 }, "/switches/*/status", "IN_REVIEW"),
      ...json({ operationId: "getDepositSwitchDetails", status: 200 }, "/switchStatus", "IN_REVIEW"),
      ...json({ operationId: "getBillPaySwitchDetails", status: 200 }, "/switchStatus", "IN_REVIEW"),
    ],
    operations: [...DEPOSITS, "getAllDepositSwitches", "getDepositSwitchDetails", "getBillPaySwitchDetails"],
  },
  {
    name: "migrated-in-place",
    what: "A migration changes the connection of a login, and keeps its institution.",
    gaps: ["operations described by path and status only"],
    effects: ["migrated-in-place"],
    operations: ["MigrateInstitutionLoginAccounts"],
  },
  {
    name: "billing-in-headers",
    what: "A header of the answer says whether the call is billed.",
    gaps: [
      "billing of PSI operations and micro entries",
      "billing of prequalification, cash flow, foresight and SBCA reports",
      "premium services in the sandbox",
    ],
    effects: [
      "InitiateMicroAmountDeposits",
      "GeneratePaymentSuccessIndicators",
      "GeneratePrequalificationCRAReport",
      "GenerateSBCAMetricsReport",
      "GetAccountOwner",
    ].flatMap((operationId) => header({ operationId }, "x-billed", "true")),
    operations: ["InitiateMicroAmountDeposits", "GeneratePaymentSuccessIndicators", "GetAccountOwner"],
  },
] as const satisfies readonly DeviationRow[];
