/** Faults of offers, plans and decisions that only the comparison of answers shows. */
import { atPointer as readAt } from "../../helpers/contract/pointer.ts";
import {
  afterwards,
  isSuccess,
  newest,
  type StatefulFault as StatefulFaultOf,
  type StatefulFaultTable as TableOf,
} from "../engine/deviations/handlers.ts";
import { type Fields, isObject } from "../engine/values/fields.ts";
import type { Behaviour, Call } from "./faults.ts";
import type { InstallmentsState, Plan } from "./state.ts";

export type StatefulFaultTable = TableOf<InstallmentsState, Behaviour>;
export type StatefulFault = StatefulFaultOf<InstallmentsState, Behaviour>;

/** Changes the body of successful answers. */
export const answering =
  (change: (json: Fields, state: InstallmentsState, call: Call) => unknown): StatefulFault =>
  async (state, call, handle) => {
    const answer = await handle();
    return isSuccess(answer) && isObject(answer.json)
      ? { ...answer, json: change(answer.json, state, call) }
      : answer;
  };

/** Handles a call about another resource of the same kind, if there is one. */
export const aboutAnother =
  (name: string, others: (state: InstallmentsState, own: string) => readonly string[]): StatefulFault =>
  (state, call, handle) => {
    const own = String(call.path[name] ?? call.query[name] ?? "");
    const other = others(state, own).at(-1);
    if (own === "" || other === undefined) return handle();
    return handle({ path: { ...call.path, [name]: other }, query: { ...call.query, [name]: other } });
  };

/** Handles a call about an unknown resource as one about the newest. */
export const takingNewest =
  (name: string, all: (state: InstallmentsState) => ReadonlyMap<string, unknown>): StatefulFault =>
  (state, call, handle) => {
    const known = all(state);
    const isThere = known.has(String(readAt(call.body, `/${name}`)));
    return handle(isThere ? {} : withFields(call, { [name]: newest(known.keys()) }));
  };

/** Returns the change of a call that gives its body other fields. */
export const withFields = ({ body }: Call, fields: Fields): Partial<Call> => ({
  body: { ...(body as Fields), ...fields },
});

const otherPlans = ({ plans }: InstallmentsState, own: string): string[] =>
  plans.has(own) ? [...plans.keys()].filter((id) => id !== own) : [];

const within = (json: Fields, name: string, changes: Fields): Fields => ({
  ...json,
  [name]: { ...(json[name] as Fields), ...changes },
});

export const PURCHASE_RELATION_FAULTS: StatefulFaultTable = {
  "offers.own-identifiers": {
    "same-for-all": {
      postOffers: answering((json) => {
        const offers = json.offers as Fields[];
        return { ...json, offers: offers.map((offer) => ({ ...offer, offerId: offers[0]?.offerId })) };
      }),
    },
  },
  "plans.of-known-offer": { "any-offer": { postPlans: takingNewest("offerId", ({ offers }) => offers) } },
  "approvals.of-known-plan": { "any-plan": { planApproval: takingNewest("planId", ({ plans }) => plans) } },
  "resources.plan-identified-by-plan_id": {
    "same-for-next-plan": {
      postPlans: answering((json, { plans }) => ({ ...json, planId: [...plans.keys()][0] })),
    },
  },
  "path-parameter.plan_id": {
    "plans-swapped": { getPlan: aboutAnother("plan_id", otherPlans) },
    "newest-plan-for-all": { getPlan: aboutAnother("plan_id", ({ plans }) => [...plans.keys()]) },
    "checkout-of-another-plan": {
      getPlanApprovalStatus: aboutAnother("plan_id", ({ plans }, own) =>
        [...plans.values()].flatMap(({ planId, status }) =>
          planId !== own && status !== "CREATED" ? [planId] : [],
        ),
      ),
    },
  },
  "approvals.get.callback-url": {
    "of-another-plan": {
      getPlanApprovalStatus: answering((json, state, { path }) => {
        const own = path.plan_id ?? "";
        const other = otherPlans(state, own).at(-1) ?? own;
        return json.callbackUrl === undefined
          ? json
          : { ...json, callbackUrl: String(json.callbackUrl).replace(own, other) };
      }),
    },
  },
  "plans.get.bnpl-plan": {
    "first-offer-taken": {
      postPlans: afterwards(({ plans, offers }) => {
        const last = newest(plans.values());
        const cheapest = [...offers.values()].find(
          ({ transaction }) => transaction === last?.offer.transaction,
        );
        if (last !== undefined && cheapest !== undefined)
          plans.set(last.planId, { ...last, offer: cheapest });
      }),
    },
    "lost-after-decision": {
      planApproval: afterwards(({ plans }, call) => void plans.delete(String(readAt(call.body, "/planId")))),
    },
  },
  "plans.shows-purchase": {
    "amount-rounded": { getPlan: transacted(({ amount }) => ({ amount: Math.round(Number(amount)) })) },
    "another-currency": { getPlan: transacted(() => ({ currency: "EUR" })) },
    "another-country": { getPlan: answering((json) => within(json, "merchant", { country: "GBR" })) },
    "another-tenure": {
      getPlan: answering((json) =>
        within(json, INFORMATION, { tenure: Number(readAt(json, `/${INFORMATION}/tenure`)) + 1 }),
      ),
    },
    "another-total": { getPlan: answering((json) => within(json, INFORMATION, { totalAmount: 1 })) },
  },
  "plans.repayments-fit-terms": {
    "one-missing-once-decided": {
      getPlan: answering((json) =>
        json.status === "CREATED"
          ? json
          : { ...json, scheduledRepayments: (json.scheduledRepayments as unknown[]).slice(0, -1) },
      ),
    },
    "one-missing": { getPlan: repaid((all) => all.slice(0, -1)) },
    "another-amount": { getPlan: repaid((all) => all.map((one) => ({ ...one, amount: 1 }))) },
    "all-on-one-day": { getPlan: repaid((all) => all.map((one) => ({ ...one, dueDate: all[0]?.dueDate }))) },
    "numbered-alike": { getPlan: repaid((all) => all.map((one) => ({ ...one, installmentNumber: 1 }))) },
    "latest-first": {
      getPlan: repaid((all) =>
        all.map((one, index) => ({ ...one, dueDate: all[all.length - 1 - index]?.dueDate })),
      ),
    },
  },
  "approvals.outcome-approve-or-decline": {
    "shown-the-other-way": {
      planApproval: afterwards((state, call) => turn(state, String(readAt(call.body, "/planId")))),
    },
  },
  "approvals.plan-shows-outcome": {
    "another-reason": {
      getPlan: answering((json) =>
        json.rejectReasonCode === undefined ? json : { ...json, rejectReasonCode: "OTHER_REASON" },
      ),
    },
    "missing-once-decided": {
      getPlan: answering(({ status, ...json }) => (status === "CREATED" ? { status, ...json } : json)),
    },
    "reason-of-another-plan": {
      getPlan: answering((json, { plans }) => {
        const declined = [...plans.values()].find(({ rejectReasonCode }) => rejectReasonCode !== undefined);
        return json.status === "APPROVED" && declined !== undefined
          ? { ...json, rejectReasonCode: declined.rejectReasonCode }
          : json;
      }),
    },
    "reason-missing": { getPlan: answering(({ rejectReasonCode: _, ...json }) => json) },
    "still-created": { getPlan: answering((json) => ({ ...json, status: "CREATED" })) },
  },
};

const INFORMATION = "planInstallmentInformation";

function transacted(change: (transaction: Fields) => Fields): StatefulFault {
  return answering((json) => within(json, "transaction", change(json.transaction as Fields)));
}

function repaid(change: (repayments: readonly Fields[]) => readonly unknown[]): StatefulFault {
  return answering((json) => ({
    ...json,
    scheduledRepayments: change(json.scheduledRepayments as Fields[]),
  }));
}

const OTHER_OUTCOME = { APPROVED: "DECLINED", DECLINED: "APPROVED", CREATED: "CREATED" } as const;

const turn = ({ plans }: InstallmentsState, planId: string): void => {
  const plan: Plan | undefined = plans.get(planId);
  if (plan !== undefined) plans.set(planId, { ...plan, status: OTHER_OUTCOME[plan.status] });
};
