/** What the scenarios of reports have in common. */
import { type Exchange, isAccepted, statusOf } from "../../helpers/exchange/exchange.ts";
import type { TrialContext } from "../../helpers/trials/trial.ts";
import { conclude } from "./conclude.ts";

export const GENERATION_SECTION = "Decisioning report generation (all asynchronous)";

/** Operations that generate reports, as the documents list them. */
export const GENERATORS: readonly string[] = [
  "GenerateVOAReport",
  "GenerateVOAWithIncomeReport",
  "GeneratePrequalificationCRAReport",
  "GeneratePrequalificationNonCRAReport",
  "GenerateVOIReport",
  "GenerateVOEPayrollReport",
  "GenerateVOETransactionsReport",
  "GeneratePayStatementReport",
  "GenerateVOIEPaystubWithTXVerifyReport",
  "GenerateVOIEPaystubReport",
  "RefreshVOIEPayrollReport",
  "GenerateStatementReport",
  "GenerateTransactionsReport",
  "GenerateCashFlowBusinessReport",
  "GenerateCashFlowPersonalReport",
  "GenerateBalanceAnalyticsReport",
  "GenerateCashflowAnalyticsReport",
  "GeneratePaymentHistoryReport",
  "GenerateForesightAnalyticsNonCraReport",
  "GenerateForesightAnalyticsFirstThirdPartyNonCraReport",
];

/** Any client error but those that speak of credentials or of waiting, where the documents name no status. */
export const REFUSALS: readonly number[] = [400, 403, 404, 405, 406, 409, 410, 412, 422];

/** Whether the target is written from these documents, so that their names and shapes are surely its own. */
export const isNew = ({ capabilities }: TrialContext): boolean => capabilities.has("new-implementation");

/** A call that the target owes an acceptance, if what it carries is surely understood. */
export const judgeTaken = (
  context: TrialContext,
  suffix: string,
  what: string,
  exchange: Exchange,
): boolean => {
  const holds = isAccepted(exchange);
  const finding = { message: `${what} was refused`, expected: "accepted", actual: `${statusOf(exchange)}` };
  conclude(context, suffix, { holds, certain: isNew(context), finding }, [exchange]);
  return holds;
};

/** Each value in a body with the names of the fields that lead to it, outer ones first. */
export function* fieldsIn(
  value: unknown,
  names: readonly string[] = [],
): Generator<{ readonly names: readonly string[]; readonly value: unknown }> {
  yield { names, value };
  if (typeof value !== "object" || value === null) return;
  for (const [name, child] of Object.entries(value)) {
    yield* fieldsIn(child, Array.isArray(value) ? names : [...names, name]);
  }
}
