/** Plans: each stays as it was chosen until it is approved or declined; other plans do not affect it. */
import { id } from "../../../fixtures/installments/ids.ts";
import type { Purchase } from "../../../fixtures/installments/steps.ts";
import type { T } from "../../../fixtures/installments/trial.ts";
import { movedNames } from "../../../helpers/contract/json.ts";
import { contentOf, type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import type { Action, Assertion, Command, Model, Query } from "../../../helpers/sequences/model.ts";
import {
  alive,
  byName,
  change,
  judgeRead,
  type ModelResource,
  newModelResource,
} from "../../../helpers/sequences/model-resources.ts";
import {
  emptyResourceModel,
  queryResource,
  type ResourceModel,
} from "../../../helpers/sequences/resource-model.ts";
import { type Call, NotTried } from "../../../helpers/trials/kit/language.ts";
import { sequenceTrial } from "./sequences.ts";

interface State extends ResourceModel {
  readonly decisions: { [plan: string]: Decision };
}

interface Decision {
  readonly outcome: keyof typeof DECIDED;
  /** The plan before the decision. */
  readonly before: unknown;
  /** Names of fields that changed without a decision. */
  readonly moving: readonly string[];
}

const READABLE = id("plans.get.bnpl-plan");
const APART = id("sequences.plans-apart");
const DECIDED = { APPROVED: id("approvals.approve"), DECLINED: id("approvals.decline") } as const;
const REASON = { rejectReasonCode: "LENDER_DRIVEN_REJECTION" };
const MOST = 5;

/** The operations that read a plan by its plan_id. */
const READERS = { plan: "getPlan", approval: "getPlanApprovalStatus" } as const;
const modelOf = (t: T, purchase: Purchase): Model<State> => ({
  start: () => ({ ...emptyResourceModel(), decisions: {} }),
  commands: [
    {
      name: "choose a plan",
      when: ({ resources }) => alive(resources, "plan").length < MOST,
      call: ({ resources }) => choosing(t, purchase, alive(resources, "plan").length),
    },
    deciding(t, "approve a plan", "APPROVED"),
    deciding(t, "decline a plan", "DECLINED"),
  ],
  queries: ({ resources }) => resources.map((resource) => patient(t, resource, queriesFor(resource))),
  leave: () => [],
});

/** Requests offers and chooses the first one. */
const choosing = (t: T, purchase: Purchase, number: number): Action<State> => {
  const transaction = { ...purchase.transaction, amount: 250.25 + number };
  let offerId = "";
  return {
    call: { operationId: "postOffers", json: { ...purchase, transaction } },
    expect: (_: State, exchange: Exchange) => {
      offerId = t.identifierIn(accepted(exchange), "offer");
    },
    next: async () => ({
      call: { operationId: "postPlans", json: { offerId, useCase: purchase.useCase } },
      expect: ({ resources }: State, exchange: Exchange) => {
        const plan = t.identifierIn(accepted(exchange), "plan");
        for (const kind of Object.keys(READERS)) resources.push(newModelResource(kind, number + 1, { plan }));
      },
    }),
  };
};

/** @throws NotTried when a generated payload was refused */
const accepted = (exchange: Exchange): Exchange => {
  if (isAccepted(exchange)) return exchange;
  throw new NotTried("refused", exchange.operationId, "the made-up payload", statusOf(exchange));
};

/** Returns the undecided plans, because the documents do not state whether a plan can be decided again. */
const undecided = ({ resources, decisions }: State): ModelResource[] =>
  alive(resources, "plan").filter(
    ({ ids, shown }) => shown !== undefined && !((ids.plan ?? "") in decisions),
  );

/** Reads the plan twice, because fields that change by themselves show no decision, and decides it. */
const deciding = (t: T, name: string, outcome: keyof typeof DECIDED): Command<State> => ({
  name,
  when: (state) => alive(state.resources, "plan").length > 1 && undecided(state).length > 0,
  call: (state, { pick }) => {
    const open = undecided(state);
    // Does not choose the newest plan, so that a decision that reaches the wrong plan is visible.
    const plan = pick(open.length > 1 ? open.slice(0, -1) : open);
    const planId = plan.ids.plan ?? "";
    const json = { planId, status: outcome, ...(outcome === "DECLINED" && REASON) };
    const reads: unknown[] = [];
    const reading = (next: () => Promise<Action<State>>): Action<State> => ({
      call: callFor(plan),
      expect: (state: State, exchange: Exchange, note: Assertion) => {
        judgeRead(byName(state.resources, plan.name), accepted(exchange), { untouched: APART }, note);
        reads.push(contentOf(exchange));
      },
      next,
    });
    const decision: Action<State> = {
      call: { operationId: "planApproval", json },
      expect: ({ resources, decisions }: State, exchange: Exchange) => {
        accepted(exchange);
        const before = reads.at(-1);
        decisions[planId] = { outcome, before, moving: movedNames(reads[0], before) };
        for (const resource of resources) if (resource.ids.plan === planId) change(resource, {}, true);
      },
    };
    return reading(async () => {
      await t.clock.pass(LONGEST_SECOND);
      return reading(async () => decision);
    });
  },
});

/** Longer than the second to which a server may cut a time. */
const LONGEST_SECOND = 1.1;

/** Reads a decided plan again if it has not changed: a decision may take effect later. */
const patient = (t: T, { kind, changed, ids, shown }: ModelResource, query: Query<State>): Query<State> => ({
  ...query,
  call: async () => {
    const action = await query.call();
    if (!("call" in action) || kind !== "plan" || changed.length === 0 || shown === undefined) return action;
    return {
      ...action,
      expect: async (state: State, exchange: Exchange, note: Assertion) => {
        const decision = state.decisions[ids.plan ?? ""];
        const isDue = decision !== undefined && !hasMoved(decision, contentOf(exchange));
        const later = isDue
          ? await t.changedPlan(ids.plan ?? "", decision.before, decision.moving)
          : undefined;
        await action.expect(state, later ?? exchange, note);
      },
    };
  },
});

const hasMoved = ({ before, moving }: Decision, now: unknown): boolean =>
  movedNames(before, now, moving).length > 0;

const callFor = ({ kind, ids }: ModelResource): Call => ({
  operationId: READERS[kind as keyof typeof READERS],
  path: { plan_id: ids.plan ?? "" },
});

const queriesFor = (resource: ModelResource): Query<State> =>
  queryResource<State>(
    resource,
    async () => callFor(resource),
    { readable: READABLE, untouched: APART },
    ({ state, resource: { ids, kind }, exchange }, note) => {
      const decision = state.decisions[ids.plan ?? ""];
      if (decision === undefined || kind !== "plan" || !isAccepted(exchange)) return;
      note(DECIDED[decision.outcome], hasMoved(decision, contentOf(exchange)), {
        message: `${resource.name} was decided, but did not change`,
        expected: `a plan that shows it is ${decision.outcome.toLowerCase()}`,
        actual: "the same answer as before the decision",
        named: true,
      });
    },
  );

export const planSequences = sequenceTrial<State>(
  {
    name: "plans",
    title: "plans stay as they were chosen or decided",
    section: "Endpoints",
    operations: ["postOffers", "postPlans", "getPlan", "planApproval", "getPlanApprovalStatus"],
    requirements: [READABLE, APART, ...Object.values(DECIDED)],
  },
  async (t, walk) => walk({ model: modelOf(t, await t.newPurchase()), steps: 16 }),
);
