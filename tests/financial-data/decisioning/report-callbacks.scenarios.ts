/** Report callbacks: every generation accepts a callback URL, which is called when the report is complete. */

import { isReachable } from "../../../fixtures/financial-data/listening.ts";
import { GENERATION_SECTION, GENERATORS } from "../../../fixtures/financial-data/reporting.ts";
import {
  FIRST_OR_THIRD_PARTY,
  follow,
  type Generated,
  generate,
} from "../../../fixtures/financial-data/reports.ts";
import { scenariosIn } from "../../../fixtures/financial-data/trial.ts";
import { isAccepted } from "../../../helpers/exchange/exchange.ts";
import { inFocus } from "../../../helpers/trials/kit/focus.ts";
import { isConfirmed } from "../../../helpers/trials/kit/names.ts";
import { judgeParameter } from "../../../helpers/trials/kit/parameters.ts";
import {
  judgeAcceptedCall,
  leaveRestUntried,
  recordIfConfirmed,
} from "../../../helpers/trials/kit/verdicts.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial } from "../../../helpers/trials/trial.ts";

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
      for (const operationId of inFocus(context, [...GENERATORS, METRICS])) {
        const control = await generate(context, { operationId });
        const parameters = { callbackUrl: receiver.address() };
        const probe = await generate(context, { operationId, parameters });
        if (control.ack === undefined || probe.ack === undefined) continue;
        judgeParameter(context, PARAMETER, "callbackUrl", [probe.ack, control.ack]);
        if (isAccepted(probe.ack)) started.push(probe);
      }
      leaveRestUntried(context, PARAMETER, "no generation could be started");
      if (!isReachable(context))
        throw new NotTried("needs a receiver that the target reaches: set RECEIVER_PUBLIC_URL");
      if (started.length === 0) throw new NotTried("needs a generation with a callback address");
      const limit = context.capabilities.has("clock") ? ARRIVAL.moved : ARRIVAL.real;
      const followed = await follow(context, started);
      await Promise.all(
        followed.map(async ({ operationId, id: report, polled, ack, parameters }) => {
          const isOver = polled?.end === "success" || polled?.end === "failure" || operationId === METRICS;
          if (ack === undefined || !isOver) return;
          const path = new URL(String(parameters?.callbackUrl)).pathname;
          await receiver.wait(path.slice(1), limit);
          const holds = receiver.deliveries.some((delivery) => delivery.path.startsWith(path));
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
