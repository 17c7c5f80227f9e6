/** The services group from end to end: pans, offers, the chosen plan, the issuer's notification, and the decision. */

import { answerTo } from "../../fixtures/installments/calls.ts";
import {
  type ChosenPlan,
  madeUpNotification,
  newPlan,
  newPurchase,
  type Purchase,
} from "../../fixtures/installments/steps.ts";
import { scenariosIn } from "../../fixtures/installments/trial.ts";
import { checkRules } from "../../helpers/checks/rules.ts";
import { type Exchange, isAccepted } from "../../helpers/exchange/exchange.ts";
import { type Delivery, deliveryProblems, exchangeOfDelivery } from "../../helpers/flows/delivery.ts";
import type { Receiver } from "../../helpers/flows/receiver.ts";
import { declaredIssuer } from "../../helpers/target/issuer.ts";
import type { Call } from "../../helpers/trials/call.ts";
import { untilQuiescent } from "../../helpers/trials/kit/quiescence.ts";
import { forSession, shared } from "../../helpers/trials/kit/shared.ts";
import { judgeThat, leaveUntried, pass } from "../../helpers/trials/kit/verdicts.ts";
import { NotTried, TargetLost } from "../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../helpers/trials/trial.ts";
import { decide, type Outcome } from "./approvals.scenarios.ts";

const scenario = scenariosIn("What the service does");

const FLOW = "services.flow";
const SENT = "notifications.sent-on-plan-selection";
const OUTBOUND = "notifications.outbound";
const ONCE = "notifications.once";
const NOTIFICATION = "postNotifications";

const OPERATIONS = [
  "postConsumerPanRegistrations",
  "postOffers",
  "postPlans",
  NOTIFICATION,
  "planApproval",
  "getPlanApprovalStatus",
  "getPlan",
];

/** Limits for the notification. The documents state no delay, and an external target may take longer. */
const LIMIT_MS = { sandbox: 3_000, other: 30_000 };
/** The time to wait for a second notification, if the target does not report that it has sent all. */
const QUIET_MS = 2_000;

const flow = (name: string, title: string, useCase: Purchase["useCase"], outcome: Outcome): Trial =>
  scenario({
    id: `flow/${name}`,
    title,
    operations: OPERATIONS,
    requirements: [
      FLOW,
      SENT,
      ONCE,
      OUTBOUND,
      `${NOTIFICATION}.request.shape`,
      `${NOTIFICATION}.documented-statuses`,
    ],
    async run(context) {
      leaveUntried(
        context,
        `${NOTIFICATION}.documented-statuses`,
        "obliges the issuer, which is our receiver here",
      );
      const receiver = await receiverOf(context);
      const plan = await newPlan(context, await newPurchase(context, { useCase }));
      const notification = await notificationOf(context, receiver, plan);
      const { decided, after } = await decide(context, plan, outcome, []);
      const status = await context.send({
        operationId: "getPlanApprovalStatus",
        path: { plan_id: plan.planId },
      });
      if (notification === undefined) return;
      const exchange = exchangeOf(context, receiver, notification);
      judgeNotification(context, notification, exchange);
      judgeMethod(context, notification, exchange);
      pass(context, SENT, [plan.exchange, exchange]);
      if (isAccepted(status)) pass(context, FLOW, [plan.exchange, exchange, decided, status, after]);
      await judgeOnce(context, receiver, plan, exchange);
      await judgeOutbound(context, exchange);
    },
  });

export const flowScenarios: readonly Trial[] = [
  flow("during-purchase", "a plan is chosen during purchase and approved", "DURING_PURCHASE", "APPROVED"),
  flow("post-purchase", "a plan is chosen after purchase and approved", "POST_PURCHASE", "APPROVED"),
  flow("declined", "a plan is chosen during purchase and declined", "DURING_PURCHASE", "DECLINED"),
];

const SITUATION = "issuer-endpoint";

/** Whether the address of the issuer can be set. */
const isSettable = ({ capabilities }: TrialContext): boolean => capabilities.offers(SITUATION);

/** Whether our sandbox sends the notification, at once and to this address. */
const isOurs = (context: TrialContext): boolean =>
  isSettable(context) && context.capabilities.has("deliveries");

/** Whether a missing notification proves something, because its address is known. */
const isAddressKnown = (context: TrialContext): boolean =>
  isOurs(context) || declaredIssuer(context.target) !== undefined;

/** @throws NotTried when the target's deliveries cannot reach us */
const receiverOf = async (context: TrialContext): Promise<Receiver> => {
  const isReached = context.target.values.RECEIVER_PUBLIC_URL ?? declaredIssuer(context.target);
  if (!isSettable(context) && isReached === undefined) {
    throw new NotTried(
      "needs deliveries: set RECEIVER_PUBLIC_URL and RECEIVER_PORT, give the target that address as issuer endpoint, and set INSTALLMENTS_ISSUER_URL to it",
    );
  }
  const receiver = await context.receiver();
  // The address is unique even on a public host: copies of our sandbox may use the same plan ids.
  if (isSettable(context)) await context.capabilities.arrange(SITUATION, { url: receiver.address() });
  return receiver;
};

/** Records whether any notification has arrived. */
const arrived = shared(() => ({ once: false }));

/**
 * Waits for the notification. At the user's endpoint, a missing notification proves nothing until another one has
 * arrived.
 * @returns `undefined` after a verdict that no notification arrived
 * @throws TargetLost when it is unknown whether the endpoint is set up
 */
const notificationOf = async (
  context: TrialContext,
  receiver: Receiver,
  plan: ChosenPlan,
): Promise<Delivery | undefined> => {
  const limitMs = isOurs(context) ? LIMIT_MS.sandbox : LIMIT_MS.other;
  const [first] = await receiver.wait(plan.planId, limitMs);
  if (first !== undefined) {
    arrived(context).once = true;
    return first;
  }
  const strays = receiver.deliveries.length;
  // A notification about another plan shows that the target knows the endpoint.
  const isReached = arrived(context).once || receiver.deliveries.some(({ method }) => method === "POST");
  if (!isAddressKnown(context) && !isReached) {
    throw new TargetLost(
      `no notification came within ${limitMs / 1000} seconds: is ${receiver.url} the issuer endpoint that the target knows?`,
    );
  }
  judgeThat(context, [SENT, FLOW], false, [plan.exchange], {
    message: "no notification about the chosen plan arrived",
    expected: `one POST within ${limitMs / 1000} seconds`,
    actual: strays === 0 ? "nothing" : `${strays} about something else`,
  });
  return undefined;
};

const exchangeOf = (context: TrialContext, receiver: Receiver, delivery: Delivery): Exchange => {
  const exchange = exchangeOfDelivery(delivery, {
    id: `delivery-${receiver.deliveries.indexOf(delivery) + 1}`,
    service: "installments",
    operationId: NOTIFICATION,
    url: receiver.url,
  });
  context.judge.count(exchange);
  return exchange;
};

/** Judges that the service sends the POST /notifications that the documents show, and no other request. */
const judgeMethod = (context: TrialContext, { method }: Delivery, exchange: Exchange): void => {
  if (method === "POST") return;
  judgeThat(context, OUTBOUND, false, [exchange], {
    message: "the notification about the chosen plan is no POST",
    expected: "POST",
    actual: method,
  });
};

/** Judges the payload. Its shape is assumed, so a deviation is an advisory and not a failure. */
const judgeNotification = (
  { contract, judge, validator }: TrialContext,
  { json, numeric = json }: Delivery,
  exchange: Exchange,
): void => {
  const rules = contract.rules.filter(
    ({ direction, operationId, alternative }) =>
      direction === "request" && operationId === NOTIFICATION && alternative === undefined,
  );
  for (const { rule, result } of checkRules(rules, numeric, validator))
    judge.record(rule.requirement, result, [exchange]);
};

const judgeOnce = async (
  context: TrialContext,
  receiver: Receiver,
  { planId }: ChosenPlan,
  exchange: Exchange,
): Promise<void> => {
  await untilQuiescent(context, QUIET_MS);
  const deliveries = receiver.about(planId);
  const [problems = []] = deliveryProblems([{ identifier: planId }], deliveries);
  judgeThat(context, ONCE, !problems.includes("twice"), [exchange], {
    message: `${deliveries.length} notifications about one plan arrived, although each was accepted`,
    expected: "one",
    actual: `${deliveries.length}`,
  });
};

const sentElsewhere = shared((context, call: Call) =>
  forSession(context).send({ ...call, at: `/unheard-of-${context.runSeed}` }),
);

/**
 * Judges that the service sends notifications and refuses to receive them. A server that accepts any path proves
 * nothing.
 */
const judgeOutbound = async (context: TrialContext, delivered: Exchange): Promise<void> => {
  const call = { operationId: NOTIFICATION, json: madeUpNotification(context), judged: false };
  const probe = await answerTo(context, call);
  const elsewhere = await sentElsewhere(context, call);
  if (!isAccepted(probe)) pass(context, OUTBOUND, [delivered, probe]);
  else if (isAccepted(elsewhere)) leaveUntried(context, OUTBOUND, "the target accepts calls at any path");
  else {
    judgeThat(context, OUTBOUND, false, [probe, delivered], {
      message: "the service accepts POST /notifications from its callers",
      expected: "the service sends this request, and refuses it from others",
    });
  }
};
