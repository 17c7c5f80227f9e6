/** Report callbacks: every generation accepts a callback URL, which is called when the report is complete. */

import { isReachable } from "../../../fixtures/financial-data/listening.ts";
import { GENERATION_SECTION, GENERATORS } from "../../../fixtures/financial-data/reporting.ts";
import {
  BY_CUSTOMER,
  FIRST_OR_THIRD_PARTY,
  follow,
  type Generated,
  generate,
  statusOfReport,
} from "../../../fixtures/financial-data/reports.ts";
import { scenariosIn } from "../../../fixtures/financial-data/trial.ts";
import { type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { readUntil } from "../../../helpers/flows/read-until.ts";
import { answerTo } from "../../../helpers/trials/kit/asking.ts";
import { validCall } from "../../../helpers/trials/kit/calls.ts";
import { inFocus, someOf } from "../../../helpers/trials/kit/focus.ts";
import { isConfirmed, loose } from "../../../helpers/trials/kit/names.ts";
import { judgeParameter } from "../../../helpers/trials/kit/parameters.ts";
import {
  judgeAcceptedCall,
  judgeThat,
  leaveRestUntried,
  recordIfConfirmed,
} from "../../../helpers/trials/kit/verdicts.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const scenario = scenariosIn(GENERATION_SECTION);

const PARAMETER = "reports.generate.callback-url-parameter";
const COMPLETION = "reports.callback-on-completion";
const METRICS = "GenerateSBCAMetricsReport";

/** Milliseconds for a delivery to arrive after the report is complete. */
const ARRIVAL = { moved: 2_000, real: 20_000 };

export const reportCallbackScenarios: readonly Trial[] = [
  scenario({
    id: "reports/callback",
    title: "each generation accepts a callback URL and calls it when the report is complete",
    operations: [...GENERATORS, METRICS],
    requirements: [PARAMETER, COMPLETION],
    async run(context) {
      const receiver = await context.receiver();
      const started: Generated[] = [];
      const limit = context.capabilities.has("clock") ? ARRIVAL.moved : ARRIVAL.real;
      let atCallback: Promise<void> | undefined;
      for (const operationId of inFocus(context, someOf(context, [...GENERATORS, METRICS]))) {
        const control = await generate(context, { operationId });
        const parameters = { callbackUrl: receiver.address() };
        const probe = await generate(context, { operationId, parameters });
        if (control.ack === undefined || probe.ack === undefined) continue;
        judgeParameter(context, PARAMETER, "callbackUrl", [probe.ack, control.ack]);
        if (!isAccepted(probe.ack)) continue;
        started.push(probe);
        // A callback that comes early comes while other reports are started.
        atCallback ??= receiver
          .wait(wordIn(probe), limit)
          .then((came) => (came.length > 0 ? judgeReadable(context, probe) : undefined));
        // A scenario that stops earlier does not wait for it, and an unhandled rejection would end the process.
        void atCallback.catch(() => undefined);
      }
      leaveRestUntried(context, PARAMETER, "no generation could be started");
      if (!isReachable(context))
        throw new NotTried("needs a receiver that the target reaches: set RECEIVER_PUBLIC_URL");
      if (started.length === 0) throw new NotTried("needs a generation with a callback address");
      const followed = await follow(context, started);
      await atCallback;
      await Promise.all(
        followed.map(async (one) => {
          const { operationId, id: report, polled, ack } = one;
          const isOver = polled?.end === "success" || polled?.end === "failure" || operationId === METRICS;
          if (ack === undefined || !isOver) return;
          await receiver.wait(wordIn(one), limit);
          const holds = receiver.deliveries.some((delivery) => delivery.path.startsWith(`/${wordIn(one)}`));
          recordIfConfirmed(context, COMPLETION, holds, [ack], {
            confirmed: isConfirmed(context),
            message: `the report of ${operationId} is complete, but its callback URL was not called`,
            expected: "a request to the callback URL",
            actual: `none about ${report ?? "it"}`,
          });
        }),
      );
    },
  }),

  scenario({
    id: "reports/first-or-third-party",
    title: "foresight analytics of first or third parties accept either id or both",
    operations: [FIRST_OR_THIRD_PARTY],
    requirements: ["customerId", "externalCustomerId", "both-ids"].map(
      (suffix) => `${FIRST_OR_THIRD_PARTY}.${suffix}`,
    ),
    async run(context) {
      const customerId = await context.arrange.need("customer");
      const external = await context.arrange.get("external-customer");
      const externalCustomerId = "value" in external ? external.value : undefined;
      const rows = [
        { suffix: "customerId", fields: { customerId, externalCustomerId: undefined } },
        ...(externalCustomerId === undefined
          ? []
          : [
              { suffix: "externalCustomerId", fields: { customerId: undefined, externalCustomerId } },
              { suffix: "both-ids", fields: { customerId, externalCustomerId } },
            ]),
      ];
      for (const { suffix, fields } of rows) {
        const { ack, missing } = await generate(context, { operationId: FIRST_OR_THIRD_PARTY, fields });
        if (ack === undefined) throw new NotTried(missing ?? "it was not sent");
        judgeAcceptedCall(context, `${FIRST_OR_THIRD_PARTY}.${suffix}`, `a generation by ${suffix}`, ack);
      }
      if (externalCustomerId === undefined)
        throw new NotTried("needs transactions submitted through enrichment");
    },
  }),
];

/** Returns the part of its callback URL that can't be guessed. */
const wordIn = ({ parameters }: Generated): string =>
  new URL(String(parameters?.callbackUrl)).pathname.slice(1);

/** Judges that a report can be read once its callback has come: the callback tells that it is complete. */
const judgeReadable = async (context: TrialContext, { operationId, id, ack, resources }: Generated) => {
  if (id === undefined || ack === undefined) return;
  const call = await validCall(context, BY_CUSTOMER, { ...resources, report: id });
  const isComplete = (exchange: Exchange): boolean =>
    isAccepted(exchange) && loose(statusOfReport(context, exchange) ?? "") !== "inprogress";
  const report = await readUntil(context, () => answerTo(context, call), isComplete);
  judgeThat(context, COMPLETION, isComplete(report), [report, ack], {
    message: `the callback of ${operationId} came before its report could be read as complete`,
    expected: "a report that is complete",
    actual: isAccepted(report) ? `${statusOfReport(context, report)}` : `${statusOf(report)}`,
  });
};
