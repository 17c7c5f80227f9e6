/** Separate plans: each stays as it was chosen or decided while others are chosen and decided. */
import type { ChosenPlan } from "../../fixtures/installments/steps.ts";
import { scenariosIn, type T } from "../../fixtures/installments/trial.ts";
import { movedNames, steadyText } from "../../helpers/contract/json.ts";
import { memberNames } from "../../helpers/contract/schemas/schema-visitor.ts";
import { contentOf, type Exchange, isAccepted } from "../../helpers/exchange/exchange.ts";
import { approval, decision, type Outcome } from "./approvals.scenarios.ts";

const READABLE = "plans.get.bnpl-plan";
const APART = "sequences.plans-apart";
const READERS = ["getPlan", "getPlanApprovalStatus"] as const;

/** What a read of a plan showed last, and the names of fields of which nobody knows what changes them. */
interface Look {
  readonly plan: ChosenPlan;
  readonly read: () => Promise<Exchange>;
  readonly before: Exchange;
  readonly moving: readonly string[];
}

export const separatePlanScenarios = [
  scenariosIn("Endpoints")("plans/apart", {
    title: "plans stay as they were chosen or decided",
    operations: ["postOffers", "postPlans", "planApproval", ...READERS],
    requirements: [READABLE, APART],
    async run(t) {
      const purchase = await t.newPurchase();
      let looks: readonly Look[] = [];
      const settle = async (plan: ChosenPlan, cause: Exchange): Promise<void> => {
        const others = looks.filter((look) => look.plan !== plan);
        for (const look of others) await judgeSame(t, look, cause);
        looks = [...others, ...(await looksAt(t, plan, cause))];
      };
      const choose = async (amount: number): Promise<ChosenPlan> => {
        const plan = await t.newPlan({ ...purchase, transaction: { ...purchase.transaction, amount } });
        await settle(plan, plan.exchange);
        return plan;
      };
      const decide = async (plan: ChosenPlan, outcome: Outcome): Promise<void> => {
        const look = looks.find((one) => one.plan === plan);
        if (look === undefined) return;
        const { before, moving } = look;
        const approved = outcome === "APPROVED" ? approval(t, plan, before) : undefined;
        const cause = await t.acceptedCall(approved ?? decision(plan.planId, outcome));
        // The documents do not state when a decision takes effect.
        await t.changedPlan(plan.planId, contentOf(before), moving);
        await settle(plan, cause);
      };
      const [first, second] = [await choose(250.25), await choose(251.25)];
      const third = await choose(252.25);
      await decide(first, "APPROVED");
      await decide(second, "DECLINED");
      await choose(253.25);
      await decide(third, "APPROVED");
    },
  }),
];

/** Reads the plan twice, and judges that it can be read. */
const looksAt = async (t: T, plan: ChosenPlan, cause: Exchange): Promise<readonly Look[]> => {
  const reads = READERS.map(
    (operationId) => () => t.answeredCall({ operationId, path: { plan_id: plan.planId } }),
  );
  const earlier: Exchange[] = [];
  for (const read of reads) earlier.push(await t.readUntil(read, isAccepted));
  await t.clock.pass(LONGEST_SECOND);
  const looks: Look[] = [];
  for (const [index, read] of reads.entries()) {
    const before = await read();
    judgeRead(t, before, cause);
    const moving = [...movedNames(contentOf(earlier[index]), contentOf(before)), ...unnamedIn(t, before)];
    if (isAccepted(before)) looks.push({ plan, read, before, moving });
  }
  return looks;
};

/** Longer than the second to which a server may cut a time. */
const LONGEST_SECOND = 1.1;

/** Returns the names in an answer that the contract does not state. */
const unnamedIn = (t: T, exchange: Exchange): readonly string[] => {
  const { responses } = t.operationOf(exchange.operationId);
  const schemas = Object.values(responses).flatMap(({ content }) => Object.values(content));
  const known = schemas.flatMap((schema) => memberNames(t.contract.schemas, schema));
  return movedNames(undefined, contentOf(exchange)).filter((name) => !known.includes(name));
};

const judgeRead = (t: T, read: Exchange, cause: Exchange): void =>
  t.judgeThat(READABLE, isAccepted(read), [read, cause], {
    message: `${read.operationId} does not show a plan that was chosen`,
    expected: "the plan",
  });

const judgeSame = async (t: T, { read, before, moving }: Look, cause: Exchange): Promise<void> => {
  const steady = (one: Exchange) => steadyText(contentOf(one), moving);
  const now = await t.readUntil(read, (one) => isAccepted(one) && steady(one) === steady(before));
  judgeRead(t, now, cause);
  const [name] = movedNames(contentOf(before), contentOf(now), moving);
  if (isAccepted(now))
    t.judgeThat(APART, steady(now) === steady(before), [now, cause, before], {
      pointer: `/${name}`,
      message: `${now.operationId} shows another ${name} after a call that does not concern the plan`,
      expected: "the plan as it was",
      actual: "another value",
    });
};
