/** Plans: a consumer chooses a plan from an offer, the issuer is notified, and the provider approves or declines it. */
import { atPointer as readAt } from "../../helpers/contract/pointer.ts";
import type { Answer } from "../engine/call.ts";
import { freeId } from "../engine/values/identifiers.ts";
import type { Call } from "./faults.ts";
import { alreadyDecided, invalid, notFound } from "./refusals.ts";
import type { InstallmentsState, Plan } from "./state.ts";

export const choosePlan = (state: InstallmentsState, call: Call): Answer => {
  const { body } = call;
  const offer = state.offers.get(String(readAt(body, "/offerId")));
  if (offer === undefined) return notFound("offer");
  const planId = freeId(
    () => state.identifiers.uuid("plan", state.next("plan")),
    (id) => state.plans.has(id),
  );
  const plan: Plan = { planId, offer, createdAt: state.clock.now(), status: "CREATED" };
  state.plans.set(planId, plan);
  notifyIssuer(state, plan, call);
  return { status: 201, json: { planId, status: stateName(plan, call) } };
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
  return { status: 200, json: { ...planBody(state, call, shown), planId } };
};

export const decidePlan = (state: InstallmentsState, call: Call): Answer => {
  const { body, faulty, differs } = call;
  const planId = String(readAt(body, "/planId"));
  const plan = state.plans.get(planId);
  if (plan === undefined) return notFound("plan");
  const isDecided = plan.status !== "CREATED";
  if (isDecided && differs("second-decision-refused")) return alreadyDecided();
  const asked = readAt(body, "/status");
  const refused =
    (asked === "APPROVED" && faulty("approval-refused")) ||
    (asked === "DECLINED" && faulty("decline-refused"));
  if (refused) return invalid("The plan can't be decided this way.");
  const status = asked === "DECLINED" && !faulty("decline-approves") ? "DECLINED" : "APPROVED";
  const kept =
    (asked === "APPROVED" && faulty("approval-forgotten")) ||
    (asked === "DECLINED" && faulty("decline-forgotten"));
  const isIgnored = isDecided && differs("second-decision-ignored");
  const decidedAt = state.clock.now().getTime();
  if (isIgnored) return { status: 200, headers: { location: `/approvals/${planId}` } };
  const decided: Plan = { ...plan, status, decidedAt, ...reasonOf(body) };
  if (!kept) state.plans.set(planId, decided);
  if (call.faulty("issuer-notified-of-decision")) notifyIssuer(state, decided, call);
  return { status: 202, headers: { location: `/approvals/${planId}` } };
};

const reasonOf = (body: unknown): Pick<Plan, "rejectReasonCode"> => {
  const code = readAt(body, "/rejectReasonCode");
  return readAt(body, "/status") === "DECLINED" && typeof code === "string" ? { rejectReasonCode: code } : {};
};

/** Returns the plan as it shows: without its decision, if that takes effect later. */
const asShown = ({ clock }: InstallmentsState, { differs }: Call, plan: Plan): Plan => {
  const { rejectReasonCode: _, ...undecided } = plan;
  const isLate = clock.now().getTime() - (plan.decidedAt ?? 0) < DECISION_MS;
  return isLate && differs("decisions-take-effect-later") ? { ...undecided, status: "CREATED" } : plan;
};

/** Milliseconds on the tenant's clock until a late decision takes effect. */
const DECISION_MS = 2_000;

const OTHER_STATES = { CREATED: "open", APPROVED: "accepted by the lender", DECLINED: "rejected" } as const;

const stateName = ({ status }: Plan, { differs }: Call): string =>
  differs("other-states") ? OTHER_STATES[status] : status;

export const readApproval = (state: InstallmentsState, call: Call): Answer => {
  const { path, faulty, differs } = call;
  const { plan_id: planId = "" } = path;
  const known =
    state.plans.get(planId) ?? (faulty("approval-of-any-plan") ? [...state.plans.values()][0] : undefined);
  if (known === undefined) return notFound("plan");
  const plan = asShown(state, call, known);
  const decided = plan.status !== "CREATED";
  const inProgress = differs("other-states") ? "checkout open" : "IN_PROGRESS";
  const callbackUrl = `https://psp.example.com/callback?plan=${planId}&action=${plan.status}`;
  return {
    status: 200,
    json: {
      status: decided ? stateName(plan, call) : inProgress,
      ...(decided && !faulty("callback-url-missing") && { callbackUrl }),
    },
  };
};

const ofAnotherPurchase = (plan: Plan): Plan => ({
  ...plan,
  offer: { ...plan.offer, offerId: "00000000", transaction: { amount: 1, currency: "USD" } },
});

const planBody = (state: InstallmentsState, call: Call, plan: Plan) => {
  const { identifiers } = state;
  const shown = asShown(state, call, plan);
  const { planId, offer, rejectReasonCode } = shown;
  return {
    planId,
    providerId: identifiers.uuid("provider"),
    offerId: offer.offerId,
    status: stateName(shown, call),
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
const notifyIssuer = (state: InstallmentsState, plan: Plan, { faulty, differs }: Call): void => {
  const { clock, addresses, deliveries, identifiers } = state;
  const { issuer } = addresses;
  const isSilent = plan.offer.useCase === "POST_PURCHASE" && faulty("post-purchase-not-notified");
  if (issuer === undefined || isSilent || faulty("issuer-not-notified")) return;
  const { merchant, transaction } = planPurchase(plan);
  const planId = faulty("notification-of-another-plan") ? identifiers.uuid("another plan") : plan.planId;
  const body = {
    notificationId: identifiers.uuid("notification", plan.planId),
    planId,
    offerId: plan.offer.offerId,
    useCase: plan.offer.useCase,
    createdAt: plan.createdAt.toISOString(),
    merchant,
    transaction,
  };
  const changes = [
    ...(faulty("notification-of-numeric-use-case") ? [{ pointer: "/useCase", edit: { set: 1 } }] : []),
    ...(faulty("notification-without-merchant")
      ? [{ pointer: "/merchant", edit: { remove: true as const } }]
      : []),
  ];
  if (differs("late-short-notifications")) {
    const headers = { authorization: `Bearer ${identifiers.key("issuer")}` };
    const short = { kind: "issuer-notification", url: issuer, headers, body: { planId } };
    clock.at(clock.now().getTime() + LATE_MS, async () => void (await deliveries.send(short)));
    return;
  }
  const url = differs("notified-below-address") ? `${issuer}/notifications` : issuer;
  const method = faulty("notified-by-put") ? "PUT" : "POST";
  const send = () => deliveries.send({ kind: "issuer-notification", method, url, body, changes });
  const sent = send();
  if (faulty("issuer-notified-twice")) void sent.then(send);
};

/** Milliseconds on the tenant's clock until a late notification is sent. */
const LATE_MS = 1_000;

const planPurchase = ({ offer: { merchant, transaction } }: Plan) => ({
  merchant: { name: merchant.merchantLegalName?.slice(0, 100), country: merchant.countryCode, mcc: MCC },
  transaction,
});

/** The merchant category code of every purchase in this sandbox. */
const MCC = "5732";
