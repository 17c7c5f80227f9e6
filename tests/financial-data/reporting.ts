/** What the scenarios of reports have in common. */
import { callOf, type Resources } from "../../fixtures/financial-data-calls.ts";
import { generationCall } from "../../fixtures/financial-data-reports.ts";
import { checkRefused } from "../../helpers/checks/refusal.ts";
import { type Exchange, isAccepted, statusOf } from "../../helpers/exchange/exchange.ts";
import type { TrialContext } from "../../helpers/trials/trial.ts";
import { answerTo } from "./asking.ts";
import { conclude, recordPair } from "./conclude.ts";

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

/** The answer to a generation, with fields of its own. */
export const attempted = async (
  context: TrialContext,
  operationId: string,
  resources: Resources,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<Exchange> => {
  const call = await generationCall(context, { operationId, fields }, resources);
  return answerTo(context, call);
};

export const judgeRefusal = (
  context: TrialContext,
  requirement: string,
  exchanges: readonly [probe: Exchange, twin: Exchange],
  what: string,
  statuses = REFUSALS,
): void => {
  const [probe, twin] = exchanges;
  const named = { what: `${probe.operationId} for ${what}`, pointer: "" };
  recordPair(context, requirement, checkRefused(named, probe, twin, statuses), exchanges);
};

/** A permissible purpose code. */
export const PURPOSE = "31";

/** A call with a purpose code in its body, where it takes a body; `null` leaves the code out. */
export const purposeful = async (
  context: TrialContext,
  operationId: string,
  resources: Resources,
  purpose: string | null = PURPOSE,
): Promise<Exchange> => {
  const call = await callOf(context, operationId, resources);
  if (call.json === undefined) return answerTo(context, call);
  const { purpose: _, ...others } = call.json as Readonly<Record<string, unknown>>;
  return answerTo(context, { ...call, json: { ...others, ...(purpose !== null && { purpose }) } });
};
