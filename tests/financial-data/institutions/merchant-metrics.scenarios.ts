/**
 * Small business credit analytics: metrics of a merchant's location, in the answer or in the report that the answer
 * names.
 */
import { GENERATION_SECTION } from "../../../fixtures/financial-data/reporting.ts";
import { BY_ID } from "../../../fixtures/financial-data/reports.ts";
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import { contentOf, type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { fieldsIn } from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn(GENERATION_SECTION);

const METRICS = "GenerateSBCAMetricsReport";
const AT_ONCE = `${METRICS}.answers-200`;
const SHOWN = `${METRICS}.metrics`;

export const merchantMetricsScenarios = [
  scenario("reports/merchant-metrics", {
    title: "the small business report answers 200 with performance or benchmarking metrics",
    operations: [METRICS],
    requirements: [AT_ONCE, SHOWN, "reports.generate.request-bodies"],
    async run(t) {
      const location = await t.situationIfOffered("location");
      for (const metricsType of ["performance", "benchmarking"]) {
        const fields = { metricsType };
        const exchange = await t.generationOf({ operationId: METRICS, fields }, location);
        const what = `a ${metricsType} report of a known location`;
        if (!t.judgeAcceptedCall("reports.generate.request-bodies", what, exchange)) {
          t.leaveUntried([AT_ONCE, SHOWN], "refused", METRICS, what, statusOf(exchange));
          continue;
        }
        const message = `${METRICS} accepted with ${statusOf(exchange)}`;
        t.judgeThat(AT_ONCE, statusOf(exchange) === 200, [exchange], { message, expected: "200" });
        const shown = saysOf(exchange) ? exchange : await reportOf(t, exchange);
        t.recordIfConfirmed(SHOWN, hasMetrics(shown), [shown], {
          message: `${what} shows no metrics`,
          expected: "metrics",
          actual: "none",
        });
      }
    },
  }),
];

const hasMetrics = (exchange: Exchange): boolean =>
  fieldsIn(contentOf(exchange)).some(
    ({ names, value }) =>
      typeof value === "number" && names.slice(0, -1).some((name) => /metric/i.test(name)),
  );

/** Whether the answer itself has a list of metrics, even an empty one. */
const saysOf = (exchange: Exchange): boolean =>
  fieldsIn(contentOf(exchange)).some(
    ({ names, value }) => names.at(-1) === "metrics" && Array.isArray(value),
  );

/**
 * Reads the report that an answer names, because the document does not state whether the answer or the report has the
 * result.
 */
const reportOf = async (t: T, exchange: Exchange): Promise<Exchange> => {
  const { id: named } = (contentOf(exchange) ?? {}) as { readonly id?: unknown };
  const report = t.identifierAt(exchange, "report") ?? (typeof named === "string" ? named : undefined);
  if (report === undefined) return exchange;
  const read = await t.answered(BY_ID, { report });
  return isAccepted(read) ? read : exchange;
};
