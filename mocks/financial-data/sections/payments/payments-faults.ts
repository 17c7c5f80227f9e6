/** How the operations on payments data can break what is promised of them. */
import type { FaultRow } from "../../../engine/faults/fault.ts";
import {
  behaviour,
  json,
  refusesParameter,
  remove,
  rowsOf,
  status,
} from "../../../engine/faults/fault-rows.ts";

const HOLDERS = { operationId: "GetAccountOwnerDetails", status: 200 };
const INSTRUCTIONS = { operationId: "GetAccountPaymentInstructionDetails", status: 200 };
const BUNDLES = ["GetAccountDetailsByInstitutionLoginId", "GetAccountDetailsByAccountId"];
const MATCH = "AccountMatchingScoreDetails";

const refuses = (parameter: string) => BUNDLES.flatMap((id) => refusesParameter(id, parameter));

const without = (part: string) => remove(HOLDERS, `/holders/*/${part}`);

export const PAYMENT_FAULTS: readonly FaultRow[] = rowsOf({
  "GetAccountOwner.203-mfa": {
    "no-challenge": behaviour("payments-owner-without-challenge"),
    "bad-request": status(400, { operationId: "GetAccountOwner", status: 203 }),
  },
  "GetAccountOwnerDetails.with-insights-query": {
    refused: refusesParameter("GetAccountOwnerDetails", "withInsights"),
  },
  "GetAccountOwnerDetails.metadata-query": {
    refused: refusesParameter("GetAccountOwnerDetails", "metadata"),
  },
  "GetAccountOwnerDetails.content": {
    "no-holders": json(HOLDERS, "/holders", []),
    "name-alone": ["addresses", "emails", "phones", "documentations", "identityInsights"].flatMap(without),
  },
  "GetLoanPaymentDetails.returns-loan-details": {
    "of-another-loan": behaviour("payments-loan-of-another"),
    empty: json({ operationId: "GetLoanPaymentDetails", status: 200 }, "", {}),
  },
  "GetAvailableBalanceLive.balance_cache_interval-query": {
    refused: refusesParameter("GetAvailableBalanceLive", "balance_cache_interval"),
  },
  "paymentEnablementBundle.include-query": { refused: refuses("include") },
  "paymentEnablementBundle.balance-cache-interval-query": { refused: refuses("balance_cache_interval") },
  "AccountMatchingScoreDetails.insights-parameter": { refused: refusesParameter(MATCH, "insights") },
  "AccountMatchingScoreDetails.408": {
    "never-times-out": behaviour("payments-match-never-times-out"),
    failing: status(500, { operationId: MATCH, status: 408 }),
  },
  "GetAccountACHDetails.account-types": { "cd-refused": behaviour("payments-ach-without-cd") },
  "GetAccountPaymentInstructionDetails.includes-ach-details": {
    "real-time-only": behaviour("payments-instructions-without-ach"),
  },
  "GetAccountPaymentInstructionDetails.transferInEnabled": {
    missing: remove(INSTRUCTIONS, "/paymentInstruction/*/transferInEnabled"),
  },
  "GetAccountPaymentInstructionDetails.transferOutEnabled": {
    missing: remove(INSTRUCTIONS, "/paymentInstruction/*/transferOutEnabled"),
  },
  "GetAccountPaymentInstructionDetails.account-types": {
    "money-market-refused": behaviour("payments-instructions-without-money-market"),
  },
  "availableBalance.account-types": { "cd-refused": behaviour("payments-balance-without-cd") },
  "GetAvailableBalanceLive.cache-decision": {
    "always-fresh": behaviour("payments-cache-interval-ignored"),
    "always-cached": behaviour("payments-cache-forever"),
  },
  "GetAvailableBalance.cached-only": { refreshed: behaviour("payments-cached-refreshed") },
  "GetAvailableBalance.unavailable-after-2025-06": {
    failing: status(500, { operationId: "GetAvailableBalance", status: 200 }),
  },
  "paymentEnablementBundle.parts": { none: behaviour("payments-bundle-empty") },
  "paymentEnablementBundle.parts-by-initial-setup": { "changing-parts": behaviour("payments-bundle-varies") },
  "AccountMatchingScoreDetails.higher-is-closer": { reversed: behaviour("payments-match-reversed") },
});
