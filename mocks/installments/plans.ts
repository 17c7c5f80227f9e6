/** Plans: a consumer chooses a plan from an offer, the issuer is notified, and the provider approves or declines it. */

import { atPointer as readAt } from "../../helpers/contract/pointer.ts";
import type { Answer } from "../engine/service.ts";
import type { Call } from "./faults.ts";
import { invalid, notFound } from "./refusals.ts";
import type { InstallmentsState, Plan } from "./state.ts";

export const choosePlan = (state: InstallmentsState, call: Call): Answer => {
  const { body, faulty } = call;
  const offer = state.offers.get(String(readAt(body, "/offerId")));
  if (offer === undefined) return notFound("offer");
  const planId = state.identifiers.uuid("plan", state.next("plan"));
  const plan: Plan = { planId, offer, createdAt: state.clock.now(), status: "CREATED" };
  state.plans.set(planId, plan);
  notifyIssuer(state, plan, faulty);
  return { status: 201, json: { planId, status: plan.status } };
};

export const readPlan = (state: InstallmentsState, call: Call): Answer => {
  const { faulty, path } = call;
  const plan = faulty("one-plan-for-all")
    ? [...state.plans.values()][0]
    : state.plans.get(path.plan_id ?? "");
  if (plan === undefined) {
    return faulty("unknown-plan-empty") ? { status: 200, json: {} } : notFound("plan");
  }
  const shown = faulty("plan-of-another-purchase") ? ofAnotherPurchase(plan) : plan;
  const planId = faulty("other-plan-id") ? state.identifiers.uuid("another plan") : plan.planId;
  return { status: 200, json: { ...planBody(state, shown), planId } };
};

export const decidePlan = (state: InstallmentsState, { body, faulty }: Call): Answer => {
  const planId = String(readAt(body, "/planId"));
  const plan = state.plans.get(planId);
  if (plan === undefined) return notFound("plan");
  const asked = readAt(body, "/status");
  const refused =
    (asked === "APPROVED" && faulty("approval-refused")) ||
    (asked === "DECLINED" && faulty("decline-refused"));
  if (refused) return invalid("The plan can't be decided this way.");
  const status = asked === "DECLINED" && !faulty("decline-approves") ? "DECLINED" : "APPROVED";
  const kept =
    (asked === "APPROVED" && faulty("approval-forgotten")) ||
    (asked === "DECLINED" && faulty("decline-forgotten"));
  if (!kept) state.plans.set(planId, { ...plan, status, ...reasonOf(body) });
  return { status: 202, headers: { location: `/approvals/${planId}` } };
};

const reasonOf = (body: unknown): Pick<Plan, "rejectReasonCode"> => {
  const code = readAt(body, "/rejectReasonCode");
  return readAt(body, "/status") === "DECLINED" && typeof code === "string" ? { rejectReasonCode: code } : {};
};

export const readApproval = (state: InstallmentsState, { path, faulty }: Call): Answer => {
  const { plan_id: planId = "" } = path;
  const plan =
    state.plans.get(planId) ?? (faulty("approval-of-any-plan") ? [...state.plans.values()][0] : undefined);
  if (plan === undefined) return notFound("plan");
  const decided = plan.status !== "CREATED";
  const callbackUrl = `https://psp.example.com/callback?plan=${planId}&action=${plan.status}`;
  return {
    status: 200,
    json: {
      ...(!faulty("checkout-status-missing") && { status: decided ? plan.status : "IN_PROGRESS" }),
      ...(decided && !faulty("callback-url-missing") && { callbackUrl }),
    },
  };
};

const ofAnotherPurchase = (plan: Plan): Plan => ({
  ...plan,
  offer: { ...plan.offer, offerId: "00000000", transaction: { amount: 1, currency: "USD" } },
});

const planBody = ({ identifiers }: InstallmentsState, plan: Plan) => {
  const { planId, offer, status, rejectReasonCode } = plan;
  return {
    planId,
    providerId: identifiers.uuid("provider"),
    offerId: offer.offerId,
    status,
    ...planPurchase(plan),
    planInstallmentInformation: offer.information,
    scheduledRepayments: repaymentsOf(plan),
    ...(rejectReasonCode !== undefined && { rejectReasonCode }),
  };
};

const repaymentsOf = ({ createdAt, offer: { information } }: Plan) =>
  Array.from({ length: information.tenure }, (_, index) => ({
    installmentNumber: index + 1,
    dueDate: new Date(createdAt.getTime() + (index + 1) * 30 * 86_400_000).toISOString().slice(0, 10),
    amount: information.installmentAmount,
  }));

/** Notifies the issuer without waiting: the answer to the plan's creator does not depend on the issuer. */
const notifyIssuer = (state: InstallmentsState, plan: Plan, faulty: Call["faulty"]): void => {
  const { issuer, deliveries, identifiers } = state;
  if (issuer === undefined || faulty("issuer-not-notified")) return;
  const { merchant, transaction } = planPurchase(plan);
  const planId = faulty("notification-of-another-plan") ? identifiers.uuid("another plan") : plan.planId;
  const body = {
    notificationId: identifiers.uuid("notification", plan.planId),
    planId,
    offerId: plan.offer.offerId,
    useCase: faulty("notification-of-numeric-use-case") ? 1 : plan.offer.useCase,
    createdAt: plan.createdAt.toISOString(),
    ...(faulty("notification-without-merchant") ? { transaction } : { merchant, transaction }),
  };
  const send = () => deliveries.send({ kind: "issuer-notification", url: issuer, body });
  const sent = send();
  if (faulty("issuer-notified-twice")) void sent.then(send);
};

const planPurchase = ({ offer: { merchant, transaction } }: Plan) => ({
  merchant: { name: merchant.merchantLegalName.slice(0, 100), country: merchant.countryCode, mcc: MCC },
  transaction,
});

/** The merchant category code of every purchase in this sandbox. */
const MCC = "5732";
