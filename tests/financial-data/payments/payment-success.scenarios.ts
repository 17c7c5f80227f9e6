/** Payment success indicators: generated and read in both variants, and returned directly by the legacy operations. */
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import { contentOf, type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { holdsValue } from "../../../helpers/flows/delivery.ts";
import { fieldsIn, NotTried, type Resources } from "../../../helpers/trials/kit/language.ts";

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
const UNAVAILABLE = [
  {
    requirement: "errors.403-psi-forbidden",
    situation: "psi-forbidden",
    need: "a partner to which the indicators are forbidden",
  },
  {
    requirement: "errors.406-psi-not-allowed",
    situation: "psi-not-allowed",
    need: "an account without indicators",
  },
] as const;
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

export const paymentSuccessScenarios = [
  scenario("payment-success/run", {
    title: "a run is accepted with 202 and read by its own id",
    operations: [...GENERATES, ...GETS],
    requirements: [...RUN, "psi.include-reasons-query", `${GENERATES[0]}.purpose-query`, ...CONTENT],
    async run(t) {
      const { resources } = await payer(t);
      for (const variant of VARIANTS) {
        await t.attempt(RUN, () => tryVariant(t, variant, resources));
      }
      const [{ generate: operationId }] = VARIANTS;
      const purpose = { operationId, name: "purpose" };
      await t.tryParameter(`${operationId}.purpose-query`, purpose, resources);
    },
  }),

  scenario("payment-success/legacy", {
    title: "the legacy operations answer directly while they exist",
    operations: LEGACY,
    requirements: [...LEGACY.map((legacy) => `${legacy}.query`), ...LEGACY_CONTENT],
    async run(t) {
      const { resources } = await payer(t);
      for (const operationId of LEGACY) {
        const answer = await t.answered(operationId, resources);
        if ([404, 405, 410, 501].includes(statusOf(answer))) {
          t.leaveUntried(`${operationId}.query`, "answered", operationId, statusOf(answer));
          continue;
        }
        const what = `${operationId} with an amount, a date and its other query parameters`;
        if (t.judgeAcceptedCall(`${operationId}.query`, what, answer)) judgeContent(t, answer, true);
      }
      t.leaveRestUntried(LEGACY_CONTENT, "not-shown", "no legacy operation answered");
    },
  }),

  ...UNAVAILABLE.map(({ requirement, situation, need }) =>
    scenario(`payment-success/${situation}`, {
      title: `indicators that are unavailable are answered with 403 or 406 (${situation})`,
      operations: [...GENERATES, ...GETS],
      requirements: [requirement],
      async run(t) {
        const kept = await t.situation(situation, need);
        const { resources } = await payer(t);
        for (const { generate, get, resource } of VARIANTS) {
          const control = await t.answered(generate, resources);
          judgeKeptBack(t, requirement, await t.answered(generate, kept), control);
          // Another partner can't read the indicators of this one.
          if (situation === "psi-forbidden" || !isAccepted(control)) continue;
          const run = { [resource]: t.identifierIn(control, resource) };
          const read = await t.answered(get, { ...resources, ...run });
          judgeKeptBack(t, requirement, await t.answered(get, { ...kept, ...run }), read);
        }
      },
    }),
  ),
];

const payer = (t: T) => t.accountOfType("checking", "savings");

const tryVariant = async (t: T, variant: Variant, resources: Resources): Promise<void> => {
  const { generate, get, resource } = variant;
  const runs = [];
  for (const settlementAmount of [41.5, 977.25]) {
    const fields = { settlementAmount };
    const run = await t.generationOf({ operationId: generate, fields }, resources);
    t.judgeAcceptedCall("psi.request-body", `${generate} for a checking or savings account`, run);
    t.assertAccepted(run);
    runs.push({ run, settlementAmount, name: t.identifierIn(run, resource) });
  }
  const [one, other] = runs;
  if (one === undefined || other === undefined) return;
  const read = await t.untilFound(() => t.answered(get, { ...resources, [resource]: one.name }));
  const isRead = statusOf(one.run) === 202 && isAccepted(read);
  const message = `${generate} answered ${statusOf(one.run)}, and ${get} then ${statusOf(read)}`;
  const wording = { message, expected: "202, then 200", actual: message };
  t.judgeThat("psi.generate-answers-202", isRead, [one.run, read], wording);
  if (!isAccepted(read)) throw new NotTried("answered", get, statusOf(read));
  const body = contentOf(read);
  const own = holdsValue(body, one.name) || holdsValue(body, String(one.settlementAmount));
  const foreign = holdsValue(body, other.name) || holdsValue(body, String(other.settlementAmount));
  t.recordIfConfirmed("payRequest.identifies-psi-run", own && !foreign, [read, other.run], {
    confirmed: foreign || t.isConfirmed(),
    message: `${get} shows another run`,
    expected: one.name,
    actual: foreign ? other.name : "neither",
  });
  judgeContent(t, read, false);
  const reasons = { operationId: get, name: "includeReasons", value: true };
  await t.tryParameter("psi.include-reasons-query", reasons, { ...resources, [resource]: one.name });
};

/** @param legacy whether unauthorized return scores and risk attributes are optional, as in legacy answers */
const judgeContent = (t: T, read: Exchange, legacy: boolean): void => {
  const fields = fieldsIn(contentOf(read));
  const has = (
    suffix: string,
    what: string,
    test: (names: readonly string[], value: unknown) => boolean,
  ): void => {
    const holds = fields.some(({ names, value }) => test(names, value));
    t.recordIfConfirmed(`psi.${suffix}`, holds, [read], {
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

const judgeKeptBack = (t: T, requirement: string, probe: Exchange, control: Exchange): void => {
  const what = `${probe.operationId} where it is forbidden or not allowed`;
  t.judgeRefused(requirement, what, [probe, control], KEPT_BACK);
};
