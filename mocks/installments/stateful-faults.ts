/** Stateful faults of pan lists and plans. Only a sequence of calls shows them; each single call looks correct. */
import { memoize } from "../../helpers/contract/memoize.ts";
import { atPointer as readAt } from "../../helpers/contract/pointer.ts";
import { afterwards, newest, statefulRowsOf } from "../engine/deviations/handlers.ts";
import type { Call } from "./faults.ts";
import { pansOf } from "./pan-lists.ts";
import type { StatefulFaultTable } from "./purchase-relation-faults.ts";
import { notFound } from "./refusals.ts";
import { RELATION_FAULTS } from "./relation-faults.ts";
import type { InstallmentsState, Plan } from "./state.ts";

const REGISTER = "postConsumerPanRegistrations";
const DEREGISTER = "postConsumerPanDeregistrations";
const CHOOSE = "postPlans";
const DECIDE = "planApproval";

const memory = memoize((_: InstallmentsState) => new Map<string, string[]>());

/** Returns the texts that a fault has stored under the key in one tenant. */
const remembered = (state: InstallmentsState, key: string): string[] => {
  const all = memory(state);
  const known = all.get(key) ?? [];
  all.set(key, known);
  return known;
};

const listIn = ({ panLists }: InstallmentsState, { body }: Call): Set<string> | undefined =>
  panLists.get(String(readAt(body, "/panListId")));

const planIn = ({ plans }: InstallmentsState, { body, path }: Call): Plan | undefined =>
  plans.get(String(readAt(body, "/planId") ?? path.plan_id ?? ""));

const keep = (state: InstallmentsState, plan: Plan): void => void state.plans.set(plan.planId, plan);

const PAN_LIST_STATEFUL_FAULTS: StatefulFaultTable = {
  "sequences.pan-lists-apart": {
    "registration-reaches-newest-list": {
      [REGISTER]: afterwards((state, call) => {
        const last = newest(state.panLists.values());
        for (const pan of listIn(state, call) === undefined ? [] : pansOf(call.body)) last?.add(pan);
      }),
    },
    "next-list-empties-the-one-before": {
      [REGISTER]: afterwards((state, call) => {
        if (listIn(state, call) === undefined) [...state.panLists.values()].at(-2)?.clear();
      }),
    },
    "second-deregistration-empties-list": {
      [DEREGISTER]: afterwards((state, call) => {
        const known = remembered(state, "deregistered");
        const id = String(readAt(call.body, "/panListId"));
        if (known.includes(id)) listIn(state, call)?.clear();
        known.push(id);
      }),
    },
  },
  "consumers.pans.deregistrations.from-existing-list": {
    "deregistered-pan-returns-with-next-one": {
      [DEREGISTER](state, call, handle) {
        remembered(state, String(readAt(call.body, "/panListId"))).push(...pansOf(call.body));
        return handle();
      },
      [REGISTER]: afterwards((state, call) => {
        const gone = remembered(state, String(readAt(call.body, "/panListId")));
        for (const pan of gone) listIn(state, call)?.add(pan);
      }),
    },
  },
};

const PLAN_STATEFUL_FAULTS: StatefulFaultTable = {
  "sequences.plans-apart": {
    "next-plan-takes-over-first": {
      [CHOOSE]: afterwards(({ plans }) => {
        const [first, last] = [[...plans.values()][0], newest(plans.values())];
        if (first !== undefined && last !== undefined && first !== last)
          plans.set(first.planId, { ...first, offer: last.offer });
      }),
    },
    "decision-forgotten-with-next-plan": {
      [CHOOSE]: afterwards((state) => {
        for (const plan of state.plans.values()) keep(state, { ...plan, status: "CREATED" });
      }),
    },
    "decision-reaches-newest-plan": {
      [DECIDE]: afterwards((state, call) => {
        const last = newest(state.plans.values());
        const status = planIn(state, call)?.status;
        if (last !== undefined && status !== undefined) keep(state, { ...last, status });
      }),
    },
    "declined-plan-approved-with-next-decision": {
      [DECIDE]: afterwards((state, call) => {
        const decided = planIn(state, call)?.planId;
        for (const plan of state.plans.values()) {
          if (plan.planId !== decided && plan.status === "DECLINED")
            keep(state, { ...plan, status: "APPROVED" });
        }
      }),
    },
    "third-read-approves": {
      getPlan(state, call, handle) {
        const plan = planIn(state, call);
        const reads = remembered(state, `reads of ${plan?.planId}`);
        reads.push("");
        if (plan !== undefined && reads.length === 3) keep(state, { ...plan, status: "APPROVED" });
        return handle();
      },
    },
  },
  "plans.get.bnpl-plan": {
    "plan-lost-behind-two-newer": {
      getPlan(state, call, handle) {
        const kept = [...state.plans.keys()].slice(-2);
        return kept.includes(call.path.plan_id ?? "") ? handle() : notFound("plan");
      },
    },
  },
};

export const STATEFUL_FAULTS = statefulRowsOf([
  PAN_LIST_STATEFUL_FAULTS,
  PLAN_STATEFUL_FAULTS,
  ...RELATION_FAULTS,
]);
