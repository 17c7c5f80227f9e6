/** Plans: each is read by its own plan_id, and an unknown plan_id returns no plan. */

import { accepted, answerTo, namesAreConfirmed } from "../../fixtures/installments/calls.ts";
import { type ChosenPlan, newPlan, newPurchase } from "../../fixtures/installments/steps.ts";
import { scenariosIn } from "../../fixtures/installments/trial.ts";
import { describedBody } from "../../helpers/checks/json-body.ts";
import { contentOf, type Exchange, isAccepted, statusOf } from "../../helpers/exchange/exchange.ts";
import { holdsValue } from "../../helpers/flows/delivery.ts";
import { ifPossible } from "../../helpers/trials/kit/attempt.ts";
import {
  judgeThat,
  leaveRestUntried,
  pass,
  recordIfConfirmed,
  type Wording,
} from "../../helpers/trials/kit/verdicts.ts";
import { NotTried } from "../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../helpers/trials/trial.ts";

const scenario = scenariosIn("Endpoints");

const IDENTIFIED = "resources.plan-identified-by-plan_id";
const SELECTS = "path-parameter.plan_id";
const READS = "plans.get.bnpl-plan";

/** The operations that read by a plan_id. */
const READERS = ["getPlan", "getPlanApprovalStatus"] as const;

export const planScenarios: readonly Trial[] = [
  scenario({
    id: "plans/read",
    title: "each plan is read by its plan_id",
    operations: ["getPlan"],
    requirements: [IDENTIFIED, SELECTS, READS],
    async run(context) {
      const first = await newPlan(context, await newPurchase(context, { amount: 300 }));
      const second = await newPlan(context, await newPurchase(context, { amount: 700, index: 1 }));
      const read = ({ planId }: ChosenPlan) =>
        accepted(context, { operationId: "getPlan", path: { plan_id: planId } }, [READS]);
      const [one, two] = [await read(first), await read(second)];
      judgeIdentity(context, first, one);
      judgeSelection(context, one, two);
      judgeContent(context, first, one);
    },
  }),

  scenario({
    id: "plans/unknown",
    title: "an unknown plan_id returns no plan",
    operations: READERS,
    requirements: [SELECTS],
    async run(context) {
      const known = await ifPossible(async () => newPlan(context, await newPurchase(context)));
      for (const operationId of READERS) {
        const probe = await answerTo(context, { operationId, path: { plan_id: unknownPlan(context) } });
        if (isAccepted(probe) && showsSomething(probe)) {
          judgeThat(context, SELECTS, false, [probe], unknownShown(probe));
        } else if (!(known instanceof NotTried)) {
          const control = await accepted(context, { operationId, path: { plan_id: known.planId } });
          pass(context, SELECTS, [probe, control]);
        }
      }
      if (known instanceof NotTried) leaveRestUntried(context, SELECTS, known.message);
    },
  }),
];

/** A UUID (version 4, RFC 9562) that no server has issued. */
const unknownPlan = ({ seed }: TrialContext): string =>
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

const judgeIdentity = (context: TrialContext, plan: ChosenPlan, exchange: Exchange): void =>
  recordIfConfirmed(context, IDENTIFIED, holdsValue(contentOf(exchange), plan.planId), [exchange], {
    confirmed: namesAreConfirmed(context, "getPlan") || hasOtherId(plan, exchange),
    message: "the plan that was read by its plan_id does not contain that plan_id",
    expected: plan.planId,
    actual: "another one, or none",
  });

/** Judges that two plans with different amounts have different answers, under any field names. */
const judgeSelection = (context: TrialContext, one: Exchange, two: Exchange): void => {
  const differ = JSON.stringify(contentOf(one)) !== JSON.stringify(contentOf(two));
  judgeThat(context, SELECTS, differ, [two, one], {
    pointer: "plan_id",
    message: "two plans have the same response body",
    expected: "each plan under its own plan_id",
    actual: "one body for both",
  });
};

const judgeContent = (context: TrialContext, { offerId, purchase }: ChosenPlan, exchange: Exchange): void => {
  const json = contentOf(exchange);
  const { amount } = purchase.transaction;
  recordIfConfirmed(
    context,
    READS,
    [offerId, `${amount}`].some((one) => holdsValue(json, one)),
    [exchange],
    {
      confirmed: namesAreConfirmed(context, "getPlan"),
      message: "the plan that was read shows neither its offer nor its amount",
      expected: `${offerId} or ${amount}`,
      actual: "neither",
    },
  );
};
