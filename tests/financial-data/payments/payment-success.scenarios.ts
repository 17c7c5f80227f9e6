/** Payment success indicators: generated and read in both variants, and returned directly by the legacy operations. */

import { untilFound } from "../../../fixtures/financial-data/indicators.ts";
import { accountOfType } from "../../../fixtures/financial-data/linked-accounts.ts";
import { generated } from "../../../fixtures/financial-data/reports.ts";
import { scenariosIn } from "../../../fixtures/financial-data/trial.ts";
import { contentOf, type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { holdsValue } from "../../../helpers/flows/delivery.ts";
import { answered, assertAccepted } from "../../../helpers/trials/kit/asking.ts";
import { attempt } from "../../../helpers/trials/kit/attempt.ts";
import { type Resources, situation } from "../../../helpers/trials/kit/calls.ts";
import { isConfirmed } from "../../../helpers/trials/kit/names.ts";
import { tryParameter } from "../../../helpers/trials/kit/parameters.ts";
import { fieldsIn, identifierIn } from "../../../helpers/trials/kit/reading.ts";
import {
  judgeAcceptedCall,
  judgeRefused,
  judgeThat,
  leaveRestUntried,
  leaveUntried,
  recordIfConfirmed,
} from "../../../helpers/trials/kit/verdicts.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const scenario = scenariosIn("Payment success indicators (PSI)");

const VARIANTS = [
  {
    generate: "GenerateFcraPaymentSuccessIndicators",
    get: "GetFcraPaymentSuccessIndicators",
    resource: "fcra-pay-request",
    legacy: "GetFCRAPaymentSuccessIndicator",
  },
  {
    generate: "GeneratePaymentSuccessIndicators",
    get: "GetPaymentSuccessIndicators",
    resource: "pay-request",
    legacy: "GetPaymentSuccessIndicator",
  },
] as const;

type Variant = (typeof VARIANTS)[number];

const GENERATES = VARIANTS.map(({ generate }) => generate);
const GETS = VARIANTS.map(({ get }) => get);
const LEGACY = VARIANTS.map(({ legacy }) => legacy);
const FORBIDDEN = "errors.403-psi-forbidden";
const NOT_ALLOWED = "errors.406-psi-not-allowed";
const RUN = ["psi.request-body", "psi.generate-answers-202", "payRequest.identifies-psi-run"];
const CONTENT = [
  "psi.likelihood-of-return",
  "psi.realtime-balance-check",
  "psi.ten-day-scores",
  "psi.unauthorized-return-score",
  "psi.risk-attributes",
];
const LEGACY_CONTENT = ["psi.realtime-balance-check", "psi.ten-day-scores"];
/** The documents do not show which of the two statuses applies. */
const KEPT_BACK = [403, 406];

export const paymentSuccessScenarios: readonly Trial[] = [
  scenario({
    id: "payment-success/run",
    title: "a run is accepted with 202 and read by its own id",
    operations: [...GENERATES, ...GETS],
    requirements: [...RUN, "psi.include-reasons-query", `${GENERATES[0]}.purpose-query`, ...CONTENT],
    async run(context) {
      const { resources } = await payer(context);
      for (const variant of VARIANTS) {
        await attempt(context, RUN, () => tryVariant(context, variant, resources));
      }
      const [{ generate: operationId }] = VARIANTS;
      const purpose = { operationId, name: "purpose" };
      await tryParameter(context, `${operationId}.purpose-query`, purpose, resources);
    },
  }),

  scenario({
    id: "payment-success/legacy",
    title: "the legacy operations answer directly while they exist",
    operations: LEGACY,
    requirements: [...LEGACY.map((legacy) => `${legacy}.query`), ...LEGACY_CONTENT],
    async run(context) {
      const { resources } = await payer(context);
      for (const operationId of LEGACY) {
        const answer = await answered(context, operationId, resources);
        if ([404, 405, 410, 501].includes(statusOf(answer))) {
          leaveUntried(context, `${operationId}.query`, `the legacy operation is gone (${statusOf(answer)})`);
          continue;
        }
        const what = `${operationId} with an amount, a date and its other query parameters`;
        if (judgeAcceptedCall(context, `${operationId}.query`, what, answer))
          judgeContent(context, answer, true);
      }
      leaveRestUntried(context, LEGACY_CONTENT, "no legacy operation answered");
    },
  }),

  scenario({
    id: "payment-success/refusals",
    title: "indicators that are forbidden or not allowed are answered with 403 or 406",
    operations: [...GENERATES, ...GETS],
    requirements: [FORBIDDEN, NOT_ALLOWED],
    async run(context) {
      const { resources } = await payer(context);
      for (const { generate, get, resource } of VARIANTS) {
        const control = await answered(context, generate, resources);
        await attempt(context, FORBIDDEN, async () => {
          const need = "a partner to which the indicators are forbidden";
          const probe = await answered(context, generate, await situation(context, "psi-forbidden", need));
          judgeKeptBack(context, FORBIDDEN, probe, control);
        });
        await attempt(context, NOT_ALLOWED, async () => {
          const kept = await situation(context, "psi-not-allowed", "an account without indicators");
          judgeKeptBack(context, NOT_ALLOWED, await answered(context, generate, kept), control);
          if (!isAccepted(control)) return;
          const run = { [resource]: identifierIn(context, control, resource) };
          const read = await answered(context, get, { ...resources, ...run });
          judgeKeptBack(context, NOT_ALLOWED, await answered(context, get, { ...kept, ...run }), read);
        });
      }
    },
  }),
];

const payer = (context: TrialContext) => accountOfType(context, "checking", "savings");

const tryVariant = async (context: TrialContext, variant: Variant, resources: Resources): Promise<void> => {
  const { generate, get, resource } = variant;
  const runs = [];
  for (const settlementAmount of [41.5, 977.25]) {
    const fields = { settlementAmount };
    const run = await generated(context, { operationId: generate, fields }, resources);
    judgeAcceptedCall(context, "psi.request-body", `${generate} for a checking or savings account`, run);
    assertAccepted(context, run);
    runs.push({ run, settlementAmount, name: identifierIn(context, run, resource) });
  }
  const [one, other] = runs;
  if (one === undefined || other === undefined) return;
  const read = await untilFound(context, () =>
    answered(context, get, { ...resources, [resource]: one.name }),
  );
  const isRead = statusOf(one.run) === 202 && isAccepted(read);
  const message = `${generate} answered ${statusOf(one.run)}, and ${get} then ${statusOf(read)}`;
  const wording = { message, expected: "202, then 200", actual: message };
  judgeThat(context, "psi.generate-answers-202", isRead, [one.run, read], wording);
  if (!isAccepted(read)) throw new NotTried(`${get} answered ${statusOf(read)}`);
  const body = contentOf(read);
  const own = holdsValue(body, one.name) || holdsValue(body, String(one.settlementAmount));
  const foreign = holdsValue(body, other.name) || holdsValue(body, String(other.settlementAmount));
  recordIfConfirmed(context, "payRequest.identifies-psi-run", own && !foreign, [read, other.run], {
    confirmed: foreign || isConfirmed(context),
    message: `${get} shows another run`,
    expected: one.name,
    actual: foreign ? other.name : "neither",
  });
  judgeContent(context, read, false);
  const reasons = { operationId: get, name: "includeReasons", value: true };
  await tryParameter(context, "psi.include-reasons-query", reasons, { ...resources, [resource]: one.name });
};

/** @param legacy whether unauthorized return scores and risk attributes are optional, as in legacy answers */
const judgeContent = (context: TrialContext, read: Exchange, legacy: boolean): void => {
  const fields = fieldsIn(contentOf(read));
  const has = (
    suffix: string,
    what: string,
    test: (names: readonly string[], value: unknown) => boolean,
  ): void => {
    const holds = fields.some(({ names, value }) => test(names, value));
    recordIfConfirmed(context, `psi.${suffix}`, holds, [read], {
      confirmed: isConfirmed(context),
      message: `${read.operationId} shows no ${what}`,
      expected: what,
      actual: "none",
    });
  };
  const isScore = (names: readonly string[], value: unknown) =>
    typeof value === "number" && /score/i.test(names.at(-1) ?? "");
  const isIn = (names: readonly string[], word: RegExp) => names.some((name) => word.test(name));
  const isNumber = (value: unknown) => typeof value === "number";
  has(
    "realtime-balance-check",
    "balance",
    (names, value) => isNumber(value) && isIn(names.slice(-1), /balance$/i),
  );
  const days = fields.filter(
    ({ names, value }) => isScore(names, value) && !isIn(names, /unauthori[sz]ed|reason/i),
  );
  has("ten-day-scores", "scores over ten days", () => days.length >= PERIOD);
  if (legacy) return;
  has("likelihood-of-return", "scores", isScore);
  const isUnauthorized = (names: readonly string[]) => isIn(names, /unauthori[sz]ed/i);
  const what = "score of an unauthorized return";
  has("unauthorized-return-score", what, (names, value) => isScore(names, value) && isUnauthorized(names));
  has("risk-attributes", "risk attributes", (names, value) => isIn(names, /risk/i) && isNumber(value));
};

const PERIOD = 10;

const judgeKeptBack = (
  context: TrialContext,
  requirement: string,
  probe: Exchange,
  control: Exchange,
): void => {
  const what = `${probe.operationId} where it is forbidden or not allowed`;
  judgeRefused(context, requirement, what, [probe, control], KEPT_BACK);
};
