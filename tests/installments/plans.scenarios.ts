/** Plans: each is read by its own plan_id, and an unknown plan_id returns no plan. */
import { REPAYMENTS } from "../../fixtures/installments/answers.ts";
import { unknownLike } from "../../fixtures/installments/calls.ts";
import type { ChosenPlan } from "../../fixtures/installments/steps.ts";
import { checkRefusal, scenariosIn, type T } from "../../fixtures/installments/trial.ts";
import { describedBody } from "../../helpers/checks/json-body.ts";
import { atPointer } from "../../helpers/contract/pointer.ts";
import { contentOf, type Exchange, isAccepted, statusOf } from "../../helpers/exchange/exchange.ts";
import { holdsValue } from "../../helpers/flows/delivery.ts";
import { fieldOf, ifPossible, NotTried, type Wording } from "../../helpers/trials/kit/language.ts";
import { judgePurchase, judgeRepayments, PURCHASE } from "./plan-contents.ts";

const scenario = scenariosIn("Endpoints");

const IDENTIFIED = "resources.plan-identified-by-plan_id";
const SELECTS = "path-parameter.plan_id";
const READS = "plans.get.bnpl-plan";
const KNOWN_OFFER = "plans.of-known-offer";

/** The operations that read by a plan_id. */
const READERS = ["getPlan", "getPlanApprovalStatus"] as const;

export const planScenarios = [
  scenario("plans/read", {
    title: "each plan is read by its plan_id, with its own purchase and terms",
    operations: ["getPlan", "postPlans"],
    requirements: [IDENTIFIED, SELECTS, READS, PURCHASE, REPAYMENTS, KNOWN_OFFER],
    async run(t) {
      const first = await t.newPlan(await t.newPurchase({ amount: 300 }));
      const second = await t.newPlan(await t.newPurchase({ amount: 700, index: 1 }));
      const read = ({ planId }: ChosenPlan) =>
        t.acceptedCall({ operationId: "getPlan", path: { plan_id: planId } }, [READS]);
      const [one, two] = [await read(first), await read(second)];
      judgeIdentity(t, [first, second], one);
      judgeSelection(t, [first, one], [second, two]);
      for (const [plan, other, exchange] of [
        [first, second, one],
        [second, first, two],
      ] as const) {
        judgeContent(t, plan, other, exchange);
        judgePurchase(t, plan, exchange);
        judgeRepayments(t, exchange);
      }
      await judgeUnknownOffer(t, first, holdsValue(contentOf(one), first.offerId));
    },
  }),

  scenario("plans/unknown", {
    title: "an unknown plan_id returns no plan",
    operations: READERS,
    requirements: [SELECTS],
    async run(t) {
      const known = await ifPossible(async () => t.newPlan(await t.newPurchase()));
      for (const operationId of READERS) {
        const probe = await t.answeredCall({ operationId, path: { plan_id: unknownPlan(t) } });
        if (isAccepted(probe) && showsSomething(probe)) {
          t.judgeThat(SELECTS, false, [probe], unknownShown(probe));
        } else if (!(known instanceof NotTried)) {
          const control = await t.acceptedCall({ operationId, path: { plan_id: known.planId } });
          t.pass(SELECTS, [probe, control]);
        }
      }
      if (known instanceof NotTried) t.leaveRestUntried(SELECTS, known.reason);
    },
  }),
];

/** A UUID (version 4, RFC 9562) that no server has issued. */
const unknownPlan = ({ seed }: T): string =>
  `00000000-0000-4000-8000-${(seed >>> 0).toString(16).padStart(12, "0")}`;

/** Whether the answer has content. The meaning of an empty answer is not documented. */
const showsSomething = ({ response }: Exchange): boolean =>
  response !== undefined && response.body.length > 0 && response.body.toString("utf8").trim() !== "null";

const unknownShown = (probe: Exchange): Wording => ({
  pointer: "plan_id",
  message: `${probe.operationId} answered ${statusOf(probe)} with a body for a plan that does not exist`,
  expected: "a refusal",
  actual: `${statusOf(probe)} with ${describedBody(probe.response)}`,
});

/**
 * Whether the answer has another value of the same form in the field in which the choice of the plan showed its id. A
 * value of another form may be another way to write the id.
 */
const hasOtherId = ({ planId, exchange: chosen }: ChosenPlan, read: Exchange): boolean => {
  const own = planId.toLowerCase();
  const shown = (contentOf(read) ?? {}) as Readonly<Record<string, unknown>>;
  return Object.entries(contentOf(chosen) ?? {}).some(([name, value]) => {
    const other = String(shown[name]).toLowerCase();
    return value === planId && other !== own && formOf(other) === formOf(own);
  });
};

const formOf = (id: string): string => id.replaceAll(/[\da-z]/g, "x");

const judgeIdentity = (t: T, [plan, other]: readonly [ChosenPlan, ChosenPlan], exchange: Exchange): void => {
  if (plan.planId === other.planId) {
    t.judgeThat(IDENTIFIED, false, [other.exchange, plan.exchange], {
      message: "two chosen plans have the same plan_id",
      expected: "a plan_id of its own for each",
      actual: plan.planId,
    });
    return;
  }
  t.recordIfConfirmed(IDENTIFIED, holdsValue(contentOf(exchange), plan.planId), [exchange], {
    confirmed: t.namesAreConfirmed("getPlan") || hasOtherId(plan, exchange),
    message: "the plan that was read by its plan_id does not contain that plan_id",
    expected: plan.planId,
    actual: "another one, or none",
  });
};

/** Judges that two plans with different amounts have different answers, each about its own plan, under any field names. */
const judgeSelection = (
  t: T,
  [first, one]: readonly [ChosenPlan, Exchange],
  [second, two]: readonly [ChosenPlan, Exchange],
): void => {
  const differ = JSON.stringify(contentOf(one)) !== JSON.stringify(contentOf(two));
  const crossed = (shown: Exchange, own: ChosenPlan, other: ChosenPlan): boolean =>
    holdsValue(contentOf(shown), other.planId) && !holdsValue(contentOf(shown), own.planId);
  const isOther = crossed(one, first, second) || crossed(two, second, first);
  t.recordIfConfirmed(SELECTS, differ && (!isOther || first.planId === second.planId), [two, one], {
    // A plan that shows nothing of itself looks like any other.
    confirmed: differ || t.namesAreConfirmed("getPlan"),
    pointer: "plan_id",
    message: differ
      ? "a plan was read by its plan_id, and the answer is about another plan"
      : "two plans have the same response body",
    expected: "each plan under its own plan_id",
    actual: differ ? "the plan_id of the other one" : "one body for both",
  });
};

/** Judges that a plan shows its offer or its amount. What only another plan or offer has shows a wrong plan under any names. */
const judgeContent = (
  t: T,
  { offerId, offers, purchase }: ChosenPlan,
  other: ChosenPlan,
  exchange: Exchange,
): void => {
  const json = contentOf(exchange);
  const { amount } = purchase.transaction;
  const shown = [offerId, `${amount}`].filter((value) => holdsValue(json, value));
  const foreign = [
    ...t.identifiersIn(offers, "offer"),
    other.offerId,
    `${other.purchase.transaction.amount}`,
  ].filter((value) => value !== offerId && holdsValue(json, value));
  const isChosen = shown.includes(offerId) || foreign.length === 0 || listsOffers(json, foreign);
  t.recordIfConfirmed(READS, shown.length > 0 && isChosen, [exchange, offers], {
    confirmed: t.namesAreConfirmed("getPlan") || foreign.length > 0,
    named: typeof atPointer(json, "/transaction/amount") === "number",
    message: isChosen
      ? "the plan that was read shows neither its offer nor its amount"
      : "the plan that was read shows another offer than the one that was chosen",
    expected: `${offerId} or ${amount}`,
    actual: foreign.join(", ") || "neither",
  });
};

/** Whether the plan lists several offers, so that it has not been decided which of them it is about. */
const listsOffers = (json: unknown, offers: readonly string[]): boolean =>
  offers.length > 1 || fieldOf(json, "transactionOffers") !== undefined;

/**
 * Judges that a plan can be made only of an offer that exists.
 * @param isObeyed whether a plan shows its offer, so that the target uses the names of the call
 */
const judgeUnknownOffer = async (
  t: T,
  { offerId, purchase, exchange: control }: ChosenPlan,
  isObeyed: boolean,
): Promise<void> => {
  const json = { offerId: unknownLike(offerId), useCase: purchase.useCase };
  const probe = await t.answeredCall({ operationId: "postPlans", json });
  const what = { what: "the choice of an offer that was never made", pointer: "/offerId" };
  const result = checkRefusal(what, probe, control);
  if (result?.holds === true || (result !== undefined && (isObeyed || t.namesAreConfirmed("postPlans"))))
    t.record(KNOWN_OFFER, result, [probe, control]);
  else t.leaveUntried(KNOWN_OFFER, "name-assumed", "an unknown offer was chosen under an assumed name");
};
