/** The services group from end to end: pans, offers, the chosen plan, the issuer's notification, and the decision. */
import type { ChosenPlan, Purchase } from "../../fixtures/installments/steps.ts";
import { scenariosIn, type T } from "../../fixtures/installments/trial.ts";
import { checkRules } from "../../helpers/checks/rules.ts";
import { type Exchange, isAccepted } from "../../helpers/exchange/exchange.ts";
import { type Delivery, deliveryProblems, exchangeOfDelivery } from "../../helpers/flows/delivery.ts";
import type { Receiver } from "../../helpers/flows/receiver.ts";
import { declaredIssuer } from "../../helpers/target/issuer.ts";
import { type Call, forSession, NotTried, shared, TargetLost } from "../../helpers/trials/kit/language.ts";
import type { Trial } from "../../helpers/trials/trial.ts";
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
  scenario(`flow/${name}`, {
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
    async run(t) {
      t.leaveUntried(
        `${NOTIFICATION}.documented-statuses`,
        "obliges-client",
        "the issuer, which is our receiver here",
      );
      const receiver = await receiverOf(t);
      const plan = await t.newPlan(await t.newPurchase({ useCase }));
      const notification = await notificationOf(t, receiver, plan);
      const { decided, after } = await decide(t, plan, outcome, []);
      const status = await t.send({ operationId: "getPlanApprovalStatus", path: { plan_id: plan.planId } });
      if (notification === undefined) return;
      const exchange = exchangeOf(t, receiver, notification);
      judgeNotification(t, notification, exchange);
      judgeMethod(t, notification, exchange);
      t.pass(SENT, [plan.exchange, exchange]);
      if (isAccepted(status)) t.pass(FLOW, [plan.exchange, exchange, decided, status, after]);
      await judgeOnce(t, receiver, plan, exchange);
      await observeServed(t);
    },
  });

export const flowScenarios = [
  flow("during-purchase", "a plan is chosen during purchase and approved", "DURING_PURCHASE", "APPROVED"),
  flow("post-purchase", "a plan is chosen after purchase and approved", "POST_PURCHASE", "APPROVED"),
  flow("declined", "a plan is chosen during purchase and declined", "DURING_PURCHASE", "DECLINED"),
];

const SITUATION = "issuer-endpoint";

/** Whether the address of the issuer can be set. */
const isSettable = ({ capabilities }: T): boolean => capabilities.offers(SITUATION);

/** Whether our sandbox sends the notification, at once and to this address. */
const isOurs = (t: T): boolean => isSettable(t) && t.capabilities.has("deliveries");

/** Whether a missing notification proves something, because its address is known. */
const isAddressKnown = (t: T): boolean => isOurs(t) || declaredIssuer(t.target) !== undefined;

/** @throws NotTried when the target's deliveries cannot reach us */
const receiverOf = async (t: T): Promise<Receiver> => {
  const isReached = t.target.values.RECEIVER_PUBLIC_URL ?? declaredIssuer(t.target);
  if (!isSettable(t) && isReached === undefined) {
    throw new NotTried("lacks-deliveries", " and INSTALLMENTS_ISSUER_URL to its address");
  }
  const receiver = await t.receiver();
  // The address is unique even on a public host: copies of our sandbox may use the same plan ids.
  if (isSettable(t)) await t.capabilities.arrange(SITUATION, { url: receiver.address() });
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
const notificationOf = async (t: T, receiver: Receiver, plan: ChosenPlan): Promise<Delivery | undefined> => {
  const limitMs = isOurs(t) ? LIMIT_MS.sandbox : LIMIT_MS.other;
  const [first] = await receiver.wait(plan.planId, limitMs);
  if (first !== undefined) {
    arrived(t).once = true;
    return first;
  }
  const strays = receiver.deliveries.length;
  // A notification about another plan shows that the target knows the endpoint.
  const isReached = arrived(t).once || receiver.deliveries.some(({ method }) => method === "POST");
  if (!isAddressKnown(t) && !isReached) {
    throw new TargetLost("no-delivery", `nothing arrived: is ${receiver.url} the issuer endpoint?`);
  }
  t.judgeThat([SENT, FLOW], false, [plan.exchange], {
    message: "no notification about the chosen plan arrived",
    expected: `one POST within ${limitMs / 1000} seconds`,
    actual: strays === 0 ? "nothing" : `${strays} about something else`,
  });
  return undefined;
};

const exchangeOf = (t: T, receiver: Receiver, delivery: Delivery): Exchange => {
  const exchange = exchangeOfDelivery(delivery, {
    id: `delivery-${receiver.deliveries.indexOf(delivery) + 1}`,
    service: "installments",
    operationId: NOTIFICATION,
    url: receiver.url,
  });
  t.judge.count(exchange);
  return exchange;
};

/** Judges that the service sends the POST /notifications that the documents show, and no other request. */
const judgeMethod = (t: T, { method }: Delivery, exchange: Exchange): void => {
  t.judgeThat(OUTBOUND, method === "POST", [exchange], {
    message: "the notification about the chosen plan is no POST",
    expected: "POST",
    actual: method,
  });
  t.showOccasion(OUTBOUND);
};

/** Judges the payload. Its shape is assumed, so a deviation is an advisory and not a failure. */
const judgeNotification = (
  { contract, judge, validator }: T,
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
  t: T,
  receiver: Receiver,
  { planId }: ChosenPlan,
  exchange: Exchange,
): Promise<void> => {
  await t.untilQuiescent(QUIET_MS);
  const deliveries = receiver.about(planId);
  const [problems = []] = deliveryProblems([{ identifier: planId }], deliveries);
  t.judgeThat(ONCE, !problems.includes("twice"), [exchange], {
    message: `${deliveries.length} notifications about one plan arrived, although each was accepted`,
    expected: "one",
    actual: `${deliveries.length}`,
  });
};

const sentElsewhere = shared((t, call: Call) =>
  forSession(t).send({ ...call, at: `/unheard-of-${t.runSeed}` }),
);

/** Observes whether the service takes notifications, too, which no sentence forbids. Where it accepts any path, nothing shows. */
const observeServed = async (t: T): Promise<void> => {
  const call = { operationId: NOTIFICATION, json: t.madeUpNotification(), judged: false };
  const answer = isAccepted(await t.answeredCall(call)) ? "accepted" : "refused";
  if (isAccepted(await sentElsewhere(t, call))) return;
  t.judge.observe("notification path at the issuer", NOTIFICATION, `one to the service itself: ${answer}`);
};
