/** Violations of what payment success indicators promise. */
import type { Bend } from "../../../engine/faults/fault.ts";
import { behaviour, refusesParameter, remove, rowsOf, status } from "../../../engine/faults/fault-rows.ts";

const GENERATIONS = ["GenerateFcraPaymentSuccessIndicators", "GeneratePaymentSuccessIndicators"];
const READS = ["GetFcraPaymentSuccessIndicators", "GetPaymentSuccessIndicators"];
const LEGACY = ["GetFCRAPaymentSuccessIndicator", "GetPaymentSuccessIndicator"];

const without = (operations: readonly string[], pointer: string): Bend[] =>
  operations.flatMap((operationId) => remove({ operationId, status: 200 }, pointer));

const each = (operations: readonly string[], bends: (operationId: string) => Bend[]): Bend[] =>
  operations.flatMap(bends);

const become = (operations: readonly string[], from: number, to: number): Bend[] =>
  each(operations, (operationId) => status(to, { operationId, status: from }));

export const paymentSuccessFaults = rowsOf({
  "payRequest.identifies-psi-run": { "another-run": behaviour("psi-newest-run") },
  "GenerateFcraPaymentSuccessIndicators.purpose-query": {
    refused: refusesParameter("GenerateFcraPaymentSuccessIndicators", "purpose"),
  },
  "psi.include-reasons-query": { refused: each(READS, (id) => refusesParameter(id, "includeReasons")) },
  "GetFCRAPaymentSuccessIndicator.query": Object.fromEntries(
    ["settlementAmount", "settleByDate", "purposeCode"].map((name) => [
      `${name}-refused`,
      refusesParameter("GetFCRAPaymentSuccessIndicator", name),
    ]),
  ),
  "GetPaymentSuccessIndicator.query": Object.fromEntries(
    ["settlementAmount", "settleByDate"].map((name) => [
      `${name}-refused`,
      refusesParameter("GetPaymentSuccessIndicator", name),
    ]),
  ),
  "psi.generate-answers-202": {
    ok: become(GENERATIONS, 202, 200),
    "never-found": each(READS, (operationId) => status(404, { operationId, status: 200 })),
  },
  "psi.likelihood-of-return": {
    "no-scores": [...without(READS, "/indicatorsByDay"), ...without(READS, "/unauthorizedReturn")].concat(
      without(LEGACY, "/indicatorsByDay"),
    ),
  },
  "psi.realtime-balance-check": { missing: without([...READS, ...LEGACY], "/availableBalance") },
  "psi.ten-day-scores": { "five-days": behaviour("psi-five-days") },
  "psi.unauthorized-return-score": { missing: without(READS, "/unauthorizedReturn") },
  "psi.risk-attributes": { missing: without(READS, "/riskAttributes") },
  "errors.403-psi-forbidden": {
    accepted: behaviour("psi-forbidden-ignored"),
    "not-found": become(GENERATIONS, 403, 404),
  },
  "errors.406-psi-not-allowed": {
    accepted: behaviour("psi-always-allowed"),
    failing: become([...GENERATIONS, ...READS], 406, 500),
  },
});
