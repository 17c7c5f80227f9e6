/** The faults of payments data and payment success indicators. */
import {
  json,
  refusesEach,
  refusesParameter,
  remove,
  removeFromEach,
  rowsOf,
  status,
  statusOfEach,
} from "../../../engine/deviations/rows.ts";

const HOLDERS = { operationId: "GetAccountOwnerDetails", status: 200 };
const INSTRUCTIONS = { operationId: "GetAccountPaymentInstructionDetails", status: 200 };
const BUNDLES = ["GetAccountDetailsByInstitutionLoginId", "GetAccountDetailsByAccountId"];
const MATCH = "AccountMatchingScoreDetails";
const GENERATIONS = ["GenerateFcraPaymentSuccessIndicators", "GeneratePaymentSuccessIndicators"];
const READS = ["GetFcraPaymentSuccessIndicators", "GetPaymentSuccessIndicators"];
const LEGACY = ["GetFCRAPaymentSuccessIndicator", "GetPaymentSuccessIndicator"];

const without = (part: string) => remove(HOLDERS, `/holders/*/${part}`);

export const PAYMENT_FAULTS = rowsOf({
  "GetAccountOwner.203-mfa": {
    "no-challenge": "payments-owner-without-challenge",
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
    "of-another-loan": "payments-loan-of-another",
    empty: json({ operationId: "GetLoanPaymentDetails", status: 200 }, "", {}),
  },
  "GetAvailableBalanceLive.balance_cache_interval-query": {
    refused: refusesParameter("GetAvailableBalanceLive", "balance_cache_interval"),
  },
  "paymentEnablementBundle.include-query": { refused: refusesParameter(BUNDLES, "include") },
  "paymentEnablementBundle.balance-cache-interval-query": {
    refused: refusesParameter(BUNDLES, "balance_cache_interval"),
  },
  "AccountMatchingScoreDetails.score-range": { "beyond-for-a-name": "payments-match-beyond-100-by-name" },
  "AccountMatchingScoreDetails.insights-parameter": { refused: refusesParameter(MATCH, "insights") },
  "AccountMatchingScoreDetails.408": {
    "never-times-out": "payments-match-never-times-out",
    failing: status(500, { operationId: MATCH, status: 408 }),
  },
  "GetAccountACHDetails.account-types": { "cd-refused": "payments-ach-without-cd" },
  "GetAccountPaymentInstructionDetails.includes-ach-details": {
    "real-time-only": "payments-instructions-without-ach",
  },
  "GetAccountPaymentInstructionDetails.transferInEnabled": {
    missing: remove(INSTRUCTIONS, "/paymentInstruction/*/transferInEnabled"),
  },
  "GetAccountPaymentInstructionDetails.transferOutEnabled": {
    missing: remove(INSTRUCTIONS, "/paymentInstruction/*/transferOutEnabled"),
  },
  "GetAccountPaymentInstructionDetails.account-types": {
    "money-market-refused": "payments-instructions-without-money-market",
  },
  "availableBalance.account-types": { "cd-refused": "payments-balance-without-cd" },
  "GetAvailableBalanceLive.cache-decision": {
    "always-fresh": "payments-cache-interval-ignored",
    "always-cached": "payments-cache-forever",
  },
  "GetAvailableBalance.cached-only": { refreshed: "payments-cached-refreshed" },
  "GetAvailableBalance.unavailable-after-2025-06": {
    failing: status(500, { operationId: "GetAvailableBalance", status: 200 }),
  },
  "paymentEnablementBundle.parts": { none: "payments-bundle-empty" },
  "paymentEnablementBundle.parts-by-initial-setup": { "changing-parts": "payments-bundle-varies" },
  "AccountMatchingScoreDetails.higher-is-closer": { reversed: "payments-match-reversed" },

  "payRequest.identifies-psi-run": { "another-run": "psi-newest-run" },
  "GenerateFcraPaymentSuccessIndicators.purpose-query": {
    refused: refusesParameter("GenerateFcraPaymentSuccessIndicators", "purpose"),
  },
  "psi.include-reasons-query": { refused: refusesParameter(READS, "includeReasons") },
  "GetFCRAPaymentSuccessIndicator.query": refusesEach("GetFCRAPaymentSuccessIndicator", [
    "settlementAmount",
    "settleByDate",
    "purposeCode",
  ]),
  "GetPaymentSuccessIndicator.query": refusesEach("GetPaymentSuccessIndicator", [
    "settlementAmount",
    "settleByDate",
  ]),
  "psi.generate-answers-202": {
    ok: statusOfEach(GENERATIONS, 202, 200),
    "never-found": statusOfEach(READS, 200, 404),
  },
  "psi.likelihood-of-return": {
    "no-scores": [
      ...removeFromEach(READS, "/indicatorsByDay"),
      ...removeFromEach(READS, "/unauthorizedReturn"),
      ...removeFromEach(LEGACY, "/indicatorsByDay"),
    ],
  },
  "psi.realtime-balance-check": { missing: removeFromEach([...READS, ...LEGACY], "/availableBalance") },
  "psi.ten-day-scores": { "five-days": "psi-five-days" },
  "psi.unauthorized-return-score": { missing: removeFromEach(READS, "/unauthorizedReturn") },
  "psi.risk-attributes": { missing: removeFromEach(READS, "/riskAttributes") },
  "errors.403-psi-forbidden": {
    accepted: "psi-forbidden-ignored",
    "not-found": statusOfEach(GENERATIONS, 403, 404),
  },
  "errors.406-psi-not-allowed": {
    accepted: "psi-always-allowed",
    failing: statusOfEach([...GENERATIONS, ...READS], 406, 500),
  },
});
