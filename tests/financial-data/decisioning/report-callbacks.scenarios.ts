/** Report callbacks: every generation accepts a callback URL, which is called when the report is complete. */
import { GENERATION_SECTION, GENERATORS } from "../../../fixtures/financial-data/reporting.ts";
import {
  BY_CUSTOMER,
  FIRST_OR_THIRD_PARTY,
  type Generated,
} from "../../../fixtures/financial-data/reports.ts";
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import { type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { because, loose, NotTried } from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn(GENERATION_SECTION);

const PARAMETER = "reports.generate.callback-url-parameter";
const COMPLETION = "reports.callback-on-completion";
const METRICS = "GenerateSBCAMetricsReport";

/** Milliseconds for a delivery to arrive after the report is complete. */
const ARRIVAL = { moved: 2_000, real: 20_000 };

export const reportCallbackScenarios = [
  scenario("reports/callback", {
    title: "each generation accepts a callback URL and calls it when the report is complete",
    operations: [...GENERATORS, METRICS],
    requirements: [PARAMETER, COMPLETION],
    async run(t) {
      const receiver = await t.receiver();
      const started: Generated[] = [];
      const limit = t.capabilities.has("clock") ? ARRIVAL.moved : ARRIVAL.real;
      let atCallback: Promise<void> | undefined;
      for (const operationId of t.inFocus(t.someOf([...GENERATORS, METRICS]))) {
        const control = await t.generate({ operationId });
        const probe = await t.generate({ operationId, parameters: { callbackUrl: receiver.address() } });
        if (control.ack === undefined || probe.ack === undefined) continue;
        t.judgeParameter(PARAMETER, "callbackUrl", [probe.ack, control.ack]);
        if (!isAccepted(probe.ack)) continue;
        started.push(probe);
        // A callback that comes early comes while other reports are started.
        atCallback ??= receiver
          .wait(wordIn(probe), limit)
          .then((came) => (came.length > 0 ? judgeReadable(t, probe) : undefined));
        // A scenario that stops earlier does not wait for it, and an unhandled rejection would end the process.
        void atCallback.catch(() => undefined);
      }
      t.leaveRestUntried(PARAMETER, "not-shown", "no generation could be started");
      if (!t.isReachable())
        throw new NotTried("lacks-setting", "a receiver that the target reaches", "RECEIVER_PUBLIC_URL");
      if (started.length === 0) throw new NotTried("lacks", "a generation with a callback address");
      const followed = await t.followReports(started);
      await atCallback;
      await Promise.all(
        followed.map(async (one) => {
          const { operationId, id: report, polled, ack } = one;
          const isOver = polled?.end === "success" || polled?.end === "failure" || operationId === METRICS;
          if (ack === undefined || !isOver) return;
          await receiver.wait(wordIn(one), limit);
          const holds = receiver.deliveries.some((delivery) => delivery.path.startsWith(`/${wordIn(one)}`));
          t.recordIfConfirmed(COMPLETION, holds, [ack], {
            message: `the report of ${operationId} is complete, but its callback URL was not called`,
            expected: "a request to the callback URL",
            actual: `none about ${report ?? "it"}`,
          });
        }),
      );
    },
  }),

  scenario("reports/first-or-third-party", {
    title: "foresight analytics of first or third parties accept either id or both",
    operations: [FIRST_OR_THIRD_PARTY],
    requirements: ["customerId", "externalCustomerId", "both-ids"].map(
      (suffix) => `${FIRST_OR_THIRD_PARTY}.${suffix}`,
    ),
    async run(t) {
      const customerId = await t.arrange.need("customer");
      const external = await t.arrange.get("external-customer");
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
        const { ack, missing } = await t.generate({ operationId: FIRST_OR_THIRD_PARTY, fields });
        if (ack === undefined) throw new NotTried(missing ?? because("untested"));
        t.judgeAcceptedCall(`${FIRST_OR_THIRD_PARTY}.${suffix}`, `a generation by ${suffix}`, ack);
      }
      if (externalCustomerId === undefined)
        throw new NotTried("lacks", "transactions submitted through enrichment");
    },
  }),
];

/** Returns the part of its callback URL that can't be guessed. */
const wordIn = ({ parameters }: Generated): string =>
  new URL(String(parameters?.callbackUrl)).pathname.slice(1);

/** Judges that a report can be read once its callback has come: the callback tells that it is complete. */
const judgeReadable = async (t: T, { operationId, id, ack, resources }: Generated) => {
  if (id === undefined || ack === undefined) return;
  const call = await t.validCall(BY_CUSTOMER, { ...resources, report: id });
  const isComplete = (exchange: Exchange): boolean =>
    isAccepted(exchange) && loose(t.statusOfReport(exchange) ?? "") !== "inprogress";
  const report = await t.readUntil(() => t.answerTo(call), isComplete);
  t.judgeThat(COMPLETION, isComplete(report), [report, ack], {
    message: `the callback of ${operationId} came before its report could be read as complete`,
    expected: "a report that is complete",
    actual: isAccepted(report) ? `${t.statusOfReport(report)}` : `${statusOf(report)}`,
  });
};
