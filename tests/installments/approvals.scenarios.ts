/** Approvals: a plan is either approved or declined, and the plan then shows it. */
import { isDeepStrictEqual } from "node:util";
import {
  accepted,
  answerTo,
  madeUp,
  namesAreConfirmed,
  unknownLike,
} from "../../fixtures/installments/calls.ts";
import {
  type ChosenPlan,
  changedPlan,
  findListed,
  newPlan,
  newPurchase,
  participatingMerchant,
} from "../../fixtures/installments/steps.ts";
import { checkRefusal, scenariosIn } from "../../fixtures/installments/trial.ts";
import { atPointer } from "../../helpers/contract/pointer.ts";
import { contentOf, type Exchange, isAccepted } from "../../helpers/exchange/exchange.ts";
import { holdsText } from "../../helpers/flows/delivery.ts";
import { fieldsOf } from "../../helpers/sequences/model-resources.ts";
import { isNameShown } from "../../helpers/trials/kit/names.ts";
import { fieldOf } from "../../helpers/trials/kit/reading.ts";
import {
  judgeThat,
  leaveUntried,
  pass,
  record,
  recordIfConfirmed,
} from "../../helpers/trials/kit/verdicts.ts";
import { NotTried } from "../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../helpers/trials/trial.ts";
import { judgeWithout } from "./plan-contents.ts";

const scenario = scenariosIn("States and transitions");

const APPROVE = "approvals.approve";
const DECLINE = "approvals.decline";
const OUTCOMES = "approvals.outcome-approve-or-decline";
const GROUP = "credential.lender-participation-and-approvals";
const SHOWN = "approvals.plan-shows-outcome";
const KNOWN = "approvals.of-known-plan";

const REASON = "LENDER_DRIVEN_REJECTION";
const OUTCOME_WORDS = ["APPROVED", "DECLINED"] as const;

export type Outcome = (typeof OUTCOME_WORDS)[number];

const decision = (planId: string, status: string) => ({
  operationId: "planApproval",
  json: { planId, status, ...(status === "DECLINED" && { rejectReasonCode: REASON }) },
});

/**
 * Returns an approval with what only a provider's document names: the schema leaves these fields out of other decisions,
 * and the text demands them of an approval.
 */
export const approval = (
  context: TrialContext,
  { planId, purchase: { transaction } }: ChosenPlan,
  plan: Exchange,
) => {
  const { json } = decision(planId, "APPROVED");
  const total = atPointer(contentOf(plan), "/planInstallmentInformation/totalAmount");
  const known = {
    approvedAmount: typeof total === "number" ? total : transaction.amount,
    approvedCurrency: transaction.currency,
    paymentAuthorization: undefined,
  };
  const names = Object.keys(known).filter((name) => describes(context, name));
  if (names.length === 0) return { operationId: "planApproval", json };
  const made = madeUp(context, "planApproval", { plan: planId }, { with: names.map((name) => `/${name}`) });
  const more = Object.fromEntries(
    names.map((name) => [name, known[name as keyof typeof known] ?? atPointer(made, `/${name}`)]),
  );
  return { operationId: "planApproval", json: { ...json, ...more } };
};

/** Whether the contract describes a field of decisions. */
const describes = ({ contract }: TrialContext, name: string): boolean =>
  contract.rules.some(
    ({ operationId, direction, pointer }) =>
      operationId === "planApproval" && direction === "request" && pointer === `/${name}`,
  );

export interface Decided {
  readonly decided: Exchange;
  readonly before: Exchange;
  readonly after: Exchange;
}

/**
 * @param requirements the ids that a refusal violates
 * @param control an accepted decision, next to which a refusal of what the provider's document allows proves something
 */
export const decide = async (
  context: TrialContext,
  plan: ChosenPlan,
  outcome: Outcome,
  requirements: readonly string[],
  control?: Exchange,
): Promise<Decided> => {
  const { planId } = plan;
  const read = () => accepted(context, reading(planId));
  const before = await read();
  const call = outcome === "APPROVED" ? approval(context, plan, before) : decision(planId, outcome);
  const decided = await accepted(context, call, requirements, control);
  const first = await read();
  const isImmediate = !isDeepStrictEqual(fieldsOf(contentOf(first)), fieldsOf(contentOf(before)));
  const effect = isImmediate ? "at once" : "later or never";
  context.judge.observe("states and transitions", "planApproval", `the effect of a decision: ${effect}`);
  const changed = isImmediate ? first : await changedPlan(context, planId, fieldsOf(contentOf(before)));
  return { before, decided, after: changed ?? (await read()) };
};

export const reading = (planId: string) => ({ operationId: "getPlan", path: { plan_id: planId } });

export const approvalScenarios: readonly Trial[] = [
  scenario({
    id: "approvals/outcomes",
    title: "a plan is approved or declined and shows it, and a third outcome is refused",
    operations: ["planApproval", "getPlan"],
    requirements: [APPROVE, DECLINE, OUTCOMES, GROUP, SHOWN, KNOWN],
    async run(context) {
      const [first, second, third] = [await plan(context, 0), await plan(context, 1), await plan(context, 2)];
      const approved = await decide(context, first, "APPROVED", [APPROVE, GROUP]);
      const declined = await decide(context, second, "DECLINED", [DECLINE, GROUP], approved.decided);
      // A field that one decision changes has to change with the other one as well.
      judgeEffect(context, APPROVE, approved, changesOf(declined).size > 0);
      judgeEffect(context, DECLINE, declined, changesOf(approved).size > 0);
      const differ = judgeDifference(context, approved, declined);
      judgeShown(context, approved, declined);
      judgeWithout(context, SHOWN, REASON, [
        await accepted(context, reading(first.planId)),
        declined.decided,
      ]);
      await judgeUnknown(context, third, approved);
      if (differ) await judgeThird(context, third, approved);
      const listed = await findListed(context, (await participatingMerchant(context)).merchant);
      if (listed !== undefined) pass(context, GROUP, [listed.exchange, approved.decided, declined.decided]);
      await declineApproved(context, first, approved);
    },
  }),
];

/** Observes a second decision. The documents do not state what it does. */
const declineApproved = async (
  context: TrialContext,
  { planId }: ChosenPlan,
  { after }: Decided,
): Promise<void> => {
  const again = await context.send({ ...decision(planId, "DECLINED"), judged: false });
  const now = await context.send({ ...reading(planId), judged: false });
  const effect = text(now) === text(after) ? "without effect" : "and the plan changes";
  const observed = isAccepted(again) ? `accepted, ${effect}` : `${again.response?.status}`;
  context.judge.observe(
    "approve or decline again",
    "planApproval",
    `an approved plan is declined: ${observed}`,
  );
};

const plan = async (context: TrialContext, index: number): Promise<ChosenPlan> =>
  newPlan(context, await newPurchase(context, { index }));

/** Judges that a decision changes the answer to GET /plans. The documents do not show which field changes. */
const judgeEffect = (context: TrialContext, suffix: string, own: Decided, isObeyed: boolean): void =>
  recordIfConfirmed(context, suffix, hasEffect(own), [own.decided, own.after], {
    confirmed: namesAreConfirmed(context, "planApproval") || isObeyed,
    message: "a decision was accepted, but the plan did not change",
    expected: "the plan shows the decision",
    actual: "the same answer before and after",
  });

const hasEffect = ({ before, after }: Decided): boolean => text(before) !== text(after);

const text = (exchange: Exchange): string => JSON.stringify(contentOf(exchange));

/** @returns whether the two outcomes have different statuses */
const judgeDifference = (context: TrialContext, approved: Decided, declined: Decided): boolean => {
  const crossed = [
    [approved, "APPROVED", "DECLINED"] as const,
    [declined, "DECLINED", "APPROVED"] as const,
  ].find(
    ([{ before, after }, own, other]) => shows(after, other) && !shows(before, other) && !shows(after, own),
  );
  if (crossed !== undefined) {
    const [{ decided, after }, own, other] = crossed;
    judgeThat(context, OUTCOMES, false, [after, decided], {
      message: `a plan shows the outcome ${other} after the decision ${own}`,
      expected: own,
      actual: other,
    });
    return false;
  }
  const [one, two] = [statusIn(approved.after), statusIn(declined.after)];
  if (one === undefined && two === undefined && haveOtherValues(approved, declined)) return true;
  if (one !== undefined && two !== undefined && one !== two) return true;
  recordIfConfirmed(context, OUTCOMES, false, [declined.after, approved.after], {
    // A status that repeats the word of a decision shows the decision.
    confirmed: namesAreConfirmed(context, "planApproval") || (one === two && isOutcome(one)),
    message: "an approved plan and a declined one have the same status",
    expected: "two outcomes",
    actual: `${one ?? "no status"} and ${two ?? "no status"}`,
  });
  return false;
};

/** Whether any field of the plan has the word of an outcome. */
const shows = (plan: Exchange, outcome: Outcome): boolean => holdsText(contentOf(plan), outcome);

/** Judges that each plan shows its decision in its status, and a declined one its reason. */
const judgeShown = (context: TrialContext, approved: Decided, declined: Decided): void => {
  const confirmed = namesAreConfirmed(context, "getPlan");
  for (const [{ decided, after }, outcome] of [
    [approved, "APPROVED"],
    [declined, "DECLINED"],
  ] as const) {
    const status = statusIn(after);
    recordIfConfirmed(context, SHOWN, String(status).toUpperCase() === outcome, [after, decided], {
      confirmed,
      named: isOutcome(status) || isNameShown(context, after, "status"),
      pointer: "/status",
      message: `a plan does not show the decision ${outcome}`,
      expected: outcome,
      actual: String(status ?? "no status"),
    });
  }
  const reason = fieldOf(contentOf(declined.after), "rejectReasonCode");
  recordIfConfirmed(context, SHOWN, reason === REASON, [declined.after, declined.decided], {
    confirmed,
    named: /^[A-Z_]+$/.test(String(reason ?? "")),
    pointer: "/rejectReasonCode",
    message: "a declined plan does not show the reason of its decision",
    expected: REASON,
    actual: String(reason ?? "no reason"),
  });
};

const isOutcome = (status: unknown): boolean =>
  OUTCOME_WORDS.some((word) => String(status).toUpperCase() === word);

/** Whether a field that both decisions changed has a value for each outcome, under any name. */
const haveOtherValues = (approved: Decided, declined: Decided): boolean => {
  const changes = changesOf(declined);
  return [...changesOf(approved)].some(([name, value]) => changes.has(name) && changes.get(name) !== value);
};

/** Returns the fields that a decision changed, with their new values as JSON. */
const changesOf = ({ before, after }: Decided): Map<string, string> => {
  const earlier = (contentOf(before) ?? {}) as Readonly<Record<string, unknown>>;
  const changed = Object.entries(contentOf(after) ?? {})
    .map(([name, value]) => [name, JSON.stringify(value)] as const)
    .filter(([name, value]) => name in earlier && JSON.stringify(earlier[name]) !== value);
  return new Map(changed);
};

const statusIn = (exchange: Exchange): unknown =>
  ((contentOf(exchange) ?? {}) as { readonly status?: unknown }).status;

/** Judges that a third outcome is refused, because there are exactly two. */
const judgeThird = async (
  context: TrialContext,
  { planId }: ChosenPlan,
  { decided: control }: Decided,
): Promise<void> => {
  const probe = await answerTo(context, decision(planId, "POSTPONED"));
  const what = { what: "a decision that is neither approve nor decline", pointer: "/status" };
  const result = checkRefusal(what, probe, control);
  if (result === undefined) throw new NotTried("the target failed on a third outcome");
  if (result.holds || namesAreConfirmed(context, "planApproval"))
    record(context, OUTCOMES, result, [probe, control]);
  else leaveUntried(context, OUTCOMES, "a third outcome was accepted under an assumed name");
};

/** Judges that only a plan that exists can be decided. A decision that had an effect shows that its names are obeyed. */
const judgeUnknown = async (
  context: TrialContext,
  { planId }: ChosenPlan,
  decided: Decided,
): Promise<void> => {
  const unknown = unknownLike(planId);
  const probe = await answerTo(context, decision(unknown, "APPROVED"));
  const what = { what: "a decision about a plan that does not exist", pointer: "/planId" };
  const result = checkRefusal(what, probe, decided.decided);
  if (result === undefined) return;
  if (result.holds || namesAreConfirmed(context, "planApproval") || hasEffect(decided))
    record(context, KNOWN, result, [probe, decided.decided]);
  else leaveUntried(context, KNOWN, "a decision about an unknown plan was accepted under an assumed name");
};
