/** Small business credit analytics: metrics of a merchant's location, in the answer or in the report it names. */

import { answerTo } from "../../../fixtures/financial-data/asking.ts";
import { callOf, situation } from "../../../fixtures/financial-data/calls.ts";
import { conclude } from "../../../fixtures/financial-data/conclude.ts";
import { id } from "../../../fixtures/financial-data/ids.ts";
import {
  fieldsIn,
  GENERATION_SECTION,
  isNew,
  judgeTaken,
} from "../../../fixtures/financial-data/reporting.ts";
import { BY_ID, generationCall, placeIn } from "../../../fixtures/financial-data/reports.ts";
import { scenario } from "../../../fixtures/financial-data/trial.ts";
import { HOLDS, violation } from "../../../helpers/checks/check.ts";
import { type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const METRICS = "GenerateSBCAMetricsReport";

export const merchantMetricsScenarios: readonly Trial[] = [
  scenario(
    {
      id: "reports/merchant-metrics",
      title: "the small business report answers 200 with performance or benchmarking metrics",
      section: GENERATION_SECTION,
      operations: [METRICS],
      requirements: [`${METRICS}.answers-200`, `${METRICS}.metrics`, "reports.generate.request-bodies"],
    },
    async (context) => {
      const location = context.capabilities.offers("location")
        ? await situation(context, "location", "a known location")
        : {};
      for (const metricsType of ["performance", "benchmarking"]) {
        const fields = { metricsType };
        const exchange = await answerTo(
          context,
          await generationCall(context, { operationId: METRICS, fields }, location),
        );
        const what = `a ${metricsType} report of a known location`;
        if (!judgeTaken(context, "reports.generate.request-bodies", what, exchange)) {
          const reason = `${METRICS} refused ${what} with ${statusOf(exchange)}`;
          context.judge.notTried(id(`${METRICS}.answers-200`), reason);
          context.judge.notTried(id(`${METRICS}.metrics`), reason);
          continue;
        }
        const status = statusOf(exchange);
        const message = `${METRICS} accepted with ${status}`;
        const wrong = violation({ pointer: "", message, expected: "200", actual: `${status}` });
        context.judge.record(id(`${METRICS}.answers-200`), status === 200 ? HOLDS : wrong, [exchange]);
        const shown = saysOf(exchange) ? exchange : await reportOf(context, exchange);
        const finding = { message: `${what} shows no metrics`, expected: "metrics", actual: "none" };
        const outcome = { holds: hasMetrics(shown), certain: isNew(context), finding };
        conclude(context, `${METRICS}.metrics`, outcome, [shown]);
      }
    },
  ),
];

const hasMetrics = (exchange: Exchange): boolean =>
  [...fieldsIn(exchange.response?.json)].some(
    ({ names, value }) =>
      typeof value === "number" && names.slice(0, -1).some((name) => /metric/i.test(name)),
  );

/** Whether the answer itself tells of metrics, be there any or none. */
const saysOf = (exchange: Exchange): boolean =>
  [...fieldsIn(exchange.response?.json)].some(
    ({ names, value }) => names.at(-1) === "metrics" && Array.isArray(value),
  );

/** The document leaves open whether the result is in the answer or in the report that it names. */
const reportOf = async (context: TrialContext, exchange: Exchange): Promise<Exchange> => {
  const { id: named } = (exchange.response?.json ?? {}) as { readonly id?: unknown };
  const report = placeIn(context, exchange, "report") ?? (typeof named === "string" ? named : undefined);
  if (report === undefined) return exchange;
  const read = await answerTo(context, await callOf(context, BY_ID, { report }));
  return isAccepted(read) ? read : exchange;
};
