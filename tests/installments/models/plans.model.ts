/** Plans: each stays as it was chosen until it is approved or declined; other plans do not affect it. */
import { id } from "../../../fixtures/installments/ids.ts";
import type { Purchase } from "../../../fixtures/installments/steps.ts";
import type { T } from "../../../fixtures/installments/trial.ts";
import { movedNames } from "../../../helpers/contract/json.ts";
import { contentOf, type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import type { Action, Assertion, Command, Model, Query } from "../../../helpers/sequences/model.ts";
import {
  alive,
  change,
  type ModelResource,
  newModelResource,
} from "../../../helpers/sequences/model-resources.ts";
import {
  emptyResourceModel,
  queryResource,
  type ResourceModel,
} from "../../../helpers/sequences/resource-model.ts";
import { NotTried } from "../../../helpers/trials/kit/language.ts";
import { sequenceTrial } from "./sequences.ts";

interface State extends ResourceModel {
  /** The decisions by plan_id, with the answer that showed the plan before. */
  readonly decisions: { [plan: string]: { outcome: keyof typeof DECIDED; before: unknown } };
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
    deciding("approve a plan", "APPROVED"),
    deciding("decline a plan", "DECLINED"),
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

const deciding = (name: string, outcome: keyof typeof DECIDED): Command<State> => ({
  name,
  when: (state) => alive(state.resources, "plan").length > 1 && undecided(state).length > 0,
  call: (state, { pick }) => {
    const open = undecided(state);
    // Does not choose the newest plan, so that a decision that reaches the wrong plan is visible.
    const { ids, shown } = pick(open.length > 1 ? open.slice(0, -1) : open);
    const planId = ids.plan ?? "";
    const json = { planId, status: outcome, ...(outcome === "DECLINED" && REASON) };
    return {
      call: { operationId: "planApproval", json },
      expect: ({ resources, decisions }: State, exchange: Exchange) => {
        accepted(exchange);
        decisions[planId] = { outcome, before: shown };
        for (const resource of resources) if (resource.ids.plan === planId) change(resource, {}, true);
      },
    };
  },
});

/** Reads a decided plan again if it has not changed: a decision may take effect later. */
const patient = (t: T, resource: ModelResource, query: Query<State>): Query<State> => ({
  ...query,
  call: async () => {
    const { kind, changed, ids, shown, moves = {} } = resource;
    const action = await query.call();
    if (!("call" in action) || kind !== "plan" || changed.length === 0 || shown === undefined) return action;
    return {
      ...action,
      expect: async (state: State, exchange: Exchange, note: Assertion) => {
        const moving = Object.keys(moves).filter((name) => moves[name]);
        const isChanged = movedNames(shown, contentOf(exchange), moving).length > 0;
        const later = isChanged ? undefined : await t.changedPlan(ids.plan ?? "", shown, moving);
        await action.expect(state, later ?? exchange, note);
      },
    };
  },
});

const queriesFor = (resource: ModelResource): Query<State> => {
  const call = {
    operationId: READERS[resource.kind as keyof typeof READERS],
    path: { plan_id: resource.ids.plan ?? "" },
  };
  return queryResource<State>(
    resource,
    async () => call,
    { readable: READABLE, untouched: APART },
    ({ state, resource: { ids, kind, shown, moves = {} }, exchange }, note) => {
      const decision = state.decisions[ids.plan ?? ""];
      if (decision === undefined || kind !== "plan" || !isAccepted(exchange)) return;
      const hasMoved = movedNames(decision.before, shown).some((name) => moves[name] !== true);
      note(DECIDED[decision.outcome], hasMoved, {
        message: `${resource.name} was decided, but did not change`,
        expected: `a plan that shows it is ${decision.outcome.toLowerCase()}`,
        actual: "the same answer as before the decision",
        named: true,
      });
    },
  );
};

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
