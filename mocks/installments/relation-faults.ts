/** Faults that only the comparison of answers shows: each answer looks correct by itself. */

import { atPointer as readAt } from "../../helpers/contract/pointer.ts";
import type { Answer } from "../engine/call.ts";
import {
  afterwards,
  isSuccess,
  newest,
  type StatefulFault,
  type StatefulFaultTable,
} from "../engine/deviations/handlers.ts";
import { type Fields, isObject } from "../engine/values/fields.ts";
import type { Behaviour, Call } from "./faults.ts";
import { pansOf } from "./pan-lists.ts";
import { keyOf, merchantKey } from "./participations.ts";
import type { InstallmentsState, Participation, Plan } from "./state.ts";

type Table = StatefulFaultTable<InstallmentsState, Behaviour>;
type Handled = StatefulFault<InstallmentsState, Behaviour>;

const SUBMIT = "postMerchantParticipations";
const LIST = "getMerchantParticipations";
const SEARCH = "postMerchantSearches";
const REGISTER = "postConsumerPanRegistrations";
const DEREGISTER = "postConsumerPanDeregistrations";

/** Changes the body of successful answers. */
const answering =
  (change: (json: Fields, state: InstallmentsState, call: Call) => unknown): Handled =>
  async (state, call, handle) => {
    const answer = await handle();
    return isSuccess(answer) && isObject(answer.json)
      ? { ...answer, json: change(answer.json, state, call) }
      : answer;
  };

/** Changes the items of successful lists. */
const listing =
  (change: (items: readonly Fields[], state: InstallmentsState, call: Call) => readonly unknown[]): Handled =>
  async (state, call, handle) => {
    const answer = await handle();
    if (!isSuccess(answer) || !Array.isArray(answer.json)) return answer;
    return { ...answer, json: change(answer.json as Fields[], state, call) };
  };

const within = (json: Fields, name: string, changes: Fields): Fields => ({
  ...json,
  [name]: { ...(json[name] as Fields), ...changes },
});

/** Returns the submitted merchants, without those that are there from the start. */
const submitted = ({ participations }: InstallmentsState): Participation[] =>
  participations.filter(({ submittedAt }) => submittedAt > 0);

/** Handles a call about another resource of the same kind, if there is one. */
const aboutAnother =
  (name: string, others: (state: InstallmentsState, own: string) => readonly string[]): Handled =>
  (state, call, handle) => {
    const own = String(call.path[name] ?? call.query[name] ?? "");
    const other = others(state, own).at(-1);
    if (own === "" || other === undefined) return handle();
    return handle({ path: { ...call.path, [name]: other }, query: { ...call.query, [name]: other } });
  };

const otherPlans = ({ plans }: InstallmentsState, own: string): string[] =>
  plans.has(own) ? [...plans.keys()].filter((id) => id !== own) : [];

const MERCHANT_FAULTS: Table = {
  "merchants.participations.submit": {
    "only-first-of-request": {
      [SUBMIT]: (_, call, handle) =>
        handle({ body: Array.isArray(call.body) ? call.body.slice(0, 1) : call.body }),
    },
    "next-request-replaces-last": {
      [SUBMIT]: (state, _, handle) => {
        const last = newest(submitted(state));
        if (last !== undefined) state.participations.splice(state.participations.indexOf(last), 1);
        return handle();
      },
    },
  },
  "merchants.participations.status-by-request-id": {
    "of-another-request": {
      [LIST]: aboutAnother("request_id", (state, own) =>
        submitted(state).flatMap(({ requestId }) => (requestId === own ? [] : [requestId])),
      ),
    },
    "unknown-request-lists-all": {
      [LIST]: async (_, call, handle) => {
        const answer = await handle();
        const { request_id: _id, ...query } = call.query;
        return isSuccess(answer) || call.query.request_id === undefined ? answer : handle({ query });
      },
    },
    "first-merchant-only": { [LIST]: listing((items, _, { query }) => first(items, query.request_id)) },
  },
  "merchants.participations.participation-details": {
    "of-another-merchant": {
      [LIST]: listing((items) =>
        items.map((item, index) => ({ ...item, address: items[index - 1]?.address ?? item.address })),
      ),
    },
  },
  "merchants.participations.update-existing": {
    "mids-replaced": {
      [SUBMIT]: (state, call, handle) => {
        for (const participation of sameMerchants(state, call)) put(state, participation, { mids: [] });
        return handle();
      },
    },
    "mids-ignored": {
      [SUBMIT]: (state, call, handle) =>
        handle({ body: changedItems(call, (item) => (isKnown(state, item) ? { ...item, mids: [] } : item)) }),
    },
    "flag-ignored": {
      [SUBMIT]: (state, call, handle) =>
        handle({ body: changedItems(call, (item) => ({ ...item, ...detailsOf(state, item) })) }),
    },
    "listed-twice": {
      [LIST]: listing((items, state) =>
        items.flatMap((item) => {
          const same = state.participations.filter(
            ({ merchant }) => keyOf(merchant) === keyOf(merchantKey(item)),
          );
          return same.map(() => item);
        }),
      ),
    },
  },
  "merchants.searches.returns-participation-status": {
    "always-pending": {
      [SEARCH]: listing((items) => items.map((item) => ({ ...item, status: "PENDING" }))),
    },
  },
  "merchants.mids.searches.by-merchant": {
    "first-mid-only": {
      postMerchantMidSearches: answering((json) => ({ ...json, mids: (json.mids as unknown[]).slice(0, 1) })),
    },
    "name-alone-decides": {
      postMerchantMidSearches: (state, call, handle) => {
        const named = state.participations.find(
          ({ merchant }) => merchant.merchantLegalName === readAt(call.body, "/merchantLegalName"),
        );
        return handle({ body: { ...(call.body as Fields), ...named?.merchant } });
      },
    },
  },
  "lists.counts": {
    "total-of-page": { [LIST]: counted(({ count }) => ({ total: count })) },
    "count-of-all": {
      [LIST]: counted(({ total = "" }) => ({ count: `${Number(total) + 1}` })),
    },
  },
};

function counted(
  change: (headers: Readonly<Record<string, string>>) => Record<string, string | undefined>,
): Handled {
  return async (_, call, handle) => {
    const answer = await handle({ query: { limit: "1", ...call.query } });
    return { ...answer, headers: { ...answer.headers, ...change(answer.headers ?? {}) } } as Answer;
  };
}

const first = (items: readonly Fields[], requestId: unknown): readonly Fields[] =>
  requestId === undefined ? items : items.slice(0, 1);

const changedItems = ({ body }: Call, change: (item: Fields) => Fields): unknown =>
  Array.isArray(body) ? body.map((item) => (isObject(item) ? change(item) : item)) : body;

const sameMerchants = ({ participations }: InstallmentsState, { body }: Call): Participation[] => {
  const keys = new Set((Array.isArray(body) ? body : []).map((item) => keyOf(merchantKey(item))));
  return participations.filter(({ merchant }) => keys.has(keyOf(merchant)));
};

const isKnown = ({ participations }: InstallmentsState, item: Fields): boolean =>
  participations.some(({ merchant }) => keyOf(merchant) === keyOf(merchantKey(item)));

const detailsOf = ({ participations }: InstallmentsState, item: Fields): Fields =>
  participations.find(({ merchant }) => keyOf(merchant) === keyOf(merchantKey(item)))?.details ?? {};

const put = (
  { participations }: InstallmentsState,
  old: Participation,
  changes: Partial<Participation>,
): void => void participations.splice(participations.indexOf(old), 1, { ...old, ...changes });

const PAN_FAULTS: Table = {
  "consumers.pans.registrations.create-list": {
    "same-list-for-all": {
      [REGISTER]: (state, call, handle) => {
        const [known] = state.panLists.keys();
        const isNew = readAt(call.body, "/panListId") === undefined && known !== undefined;
        return handle(isNew ? { body: { ...(call.body as Fields), panListId: known } } : {});
      },
    },
    "only-first-pan": {
      [REGISTER]: (_, call, handle) => handle({ body: withPans(call, pansOf(call.body).slice(0, 1)) }),
    },
  },
  "consumers.pans.registrations.register-to-list": {
    "pans-replaced": {
      [REGISTER]: (state, call, handle) => {
        state.panLists.get(String(readAt(call.body, "/panListId")))?.clear();
        return handle();
      },
    },
    "only-last-pan": {
      [REGISTER]: (_, call, handle) =>
        readAt(call.body, "/panListId") === undefined
          ? handle()
          : handle({ body: withPans(call, pansOf(call.body).slice(-1)) }),
    },
    "answers-about-new-list": {
      [REGISTER]: answering((json, { identifiers }, call) =>
        readAt(call.body, "/panListId") === undefined
          ? json
          : { ...json, panListId: identifiers.uuid("another pan list") },
      ),
    },
  },
  "consumers.pans.deregistrations.from-existing-list": {
    "only-first-pan-deregistered": {
      [DEREGISTER]: (_, call, handle) => handle({ body: withPans(call, pansOf(call.body).slice(0, 1)) }),
    },
    "list-emptied": {
      [DEREGISTER]: afterwards((state, call) =>
        state.panLists.get(String(readAt(call.body, "/panListId")))?.clear(),
      ),
    },
    "last-pan-kept": {
      [DEREGISTER]: afterwards((state, call) => {
        const list = state.panLists.get(String(readAt(call.body, "/panListId")));
        const last = pansOf(call.body).at(-1);
        if (list?.size === 0 && last !== undefined) list.add(last);
      }),
    },
    "unknown-list-takes-newest": {
      [DEREGISTER]: (state, call, handle) => {
        const isThere = state.panLists.has(String(readAt(call.body, "/panListId")));
        const panListId = newest(state.panLists.keys());
        return handle(isThere ? {} : { body: { ...(call.body as Fields), panListId } });
      },
    },
  },
  "sequences.pan-lists-apart": {
    "deregistered-from-every-list": {
      [DEREGISTER]: afterwards((state, call) => {
        for (const list of state.panLists.values()) for (const pan of pansOf(call.body)) list.delete(pan);
      }),
    },
  },
};

const withPans = ({ body }: Call, pans: readonly string[]): unknown => ({ ...(body as Fields), pans });

const PURCHASE_FAULTS: Table = {
  "offers.own-identifiers": {
    "same-for-all": {
      postOffers: answering((json) => {
        const offers = json.offers as Fields[];
        return { ...json, offers: offers.map((offer) => ({ ...offer, offerId: offers[0]?.offerId })) };
      }),
    },
  },
  "plans.of-known-offer": {
    "any-offer": {
      postPlans: (state, call, handle) => {
        const isThere = state.offers.has(String(readAt(call.body, "/offerId")));
        const offerId = newest(state.offers.keys());
        return handle(isThere ? {} : { body: { ...(call.body as Fields), offerId } });
      },
    },
  },
  "approvals.of-known-plan": {
    "any-plan": {
      planApproval: (state, call, handle) => {
        const isThere = state.plans.has(String(readAt(call.body, "/planId")));
        const planId = newest(state.plans.keys());
        return handle(isThere ? {} : { body: { ...(call.body as Fields), planId } });
      },
    },
  },
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
    "reason-missing": { getPlan: answering(({ rejectReasonCode: _, ...json }) => json) },
    "still-created": { getPlan: answering((json) => ({ ...json, status: "CREATED" })) },
  },
};

const INFORMATION = "planInstallmentInformation";

function transacted(change: (transaction: Fields) => Fields): Handled {
  return answering((json) => within(json, "transaction", change(json.transaction as Fields)));
}

function repaid(change: (repayments: readonly Fields[]) => readonly unknown[]): Handled {
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

export const RELATION_FAULTS: readonly Table[] = [MERCHANT_FAULTS, PAN_FAULTS, PURCHASE_FAULTS];
