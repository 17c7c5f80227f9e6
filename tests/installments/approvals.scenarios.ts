/** Approvals: a plan is either approved or declined, and the plan then shows it. */
import { unknownLike } from "../../fixtures/installments/calls.ts";
import type { ChosenPlan } from "../../fixtures/installments/steps.ts";
import { checkRefusal, scenariosIn, type T } from "../../fixtures/installments/trial.ts";
import { type Json, movedNames } from "../../helpers/contract/json.ts";
import { requestRulesOf } from "../../helpers/contract/lookups.ts";
import { atPointer } from "../../helpers/contract/pointer.ts";
import { contentOf, type Exchange, isAccepted } from "../../helpers/exchange/exchange.ts";
import { holdsText } from "../../helpers/flows/delivery.ts";
import { fieldOf, NotTried } from "../../helpers/trials/kit/language.ts";
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

export const decision = (planId: string, status: string) => ({
  operationId: "planApproval",
  json: { planId, status, ...(status === "DECLINED" && { rejectReasonCode: REASON }) },
});

/**
 * Returns an approval with what only a provider's document names: the schema leaves these fields out of other decisions,
 * and the text demands them of an approval.
 */
export const approval = (t: T, { planId, purchase: { transaction } }: ChosenPlan, plan: Exchange) => {
  const { json } = decision(planId, "APPROVED");
  const total = atPointer(contentOf(plan), "/planInstallmentInformation/totalAmount");
  const known = {
    approvedAmount: typeof total === "number" ? total : transaction.amount,
    approvedCurrency: transaction.currency,
    paymentAuthorization: undefined,
  };
  const names = Object.keys(known).filter((name) => describes(t, name));
  if (names.length === 0) return { operationId: "planApproval", json };
  const made = t.madeUp("planApproval", { plan: planId }, { with: names.map((name) => `/${name}`) });
  const more = Object.fromEntries(
    names.map((name) => [name, known[name as keyof typeof known] ?? atPointer(made, `/${name}`)]),
  );
  return { operationId: "planApproval", json: { ...json, ...more } };
};

/** Whether the contract describes a field of decisions. */
const describes = ({ contract }: T, name: string): boolean =>
  requestRulesOf(contract, "planApproval").some(({ pointer }) => pointer === `/${name}`);

export interface Decided {
  readonly decided: Exchange;
  readonly before: Exchange;
  readonly after: Exchange;
  /** Names of fields that changed without a decision. */
  readonly moving: readonly string[];
}

/**
 * @param requirements the ids that a refusal violates
 * @param control an accepted decision, next to which a refusal of what the provider's document allows proves something
 */
export const decide = async (
  t: T,
  plan: ChosenPlan,
  outcome: Outcome,
  requirements: readonly string[],
  control?: Exchange,
): Promise<Decided> => {
  const { planId } = plan;
  const read = () => t.acceptedCall(reading(planId));
  const earlier = await read();
  await t.clock.pass(1.1);
  const before = await read();
  const moving = movedNames(contentOf(earlier), contentOf(before));
  const call = outcome === "APPROVED" ? approval(t, plan, before) : decision(planId, outcome);
  const decided = await t.acceptedCall(call, requirements, control);
  const first = await read();
  const isImmediate = hasEffect({ before, after: first, moving });
  const effect = isImmediate ? "at once" : "later or never";
  t.judge.observe("states and transitions", "planApproval", `the effect of a decision: ${effect}`);
  const changed = isImmediate ? first : await t.changedPlan(planId, contentOf(before), moving);
  return { before, decided, after: changed ?? (await read()), moving };
};

export const reading = (planId: string) => ({ operationId: "getPlan", path: { plan_id: planId } });

export const approvalScenarios = [
  scenario("approvals/outcomes", {
    title: "a plan is approved or declined and shows it, and a third outcome is refused",
    operations: ["planApproval", "getPlan"],
    requirements: [APPROVE, DECLINE, OUTCOMES, GROUP, SHOWN, KNOWN],
    async run(t) {
      const [first, second, third] = [await plan(t, 0), await plan(t, 1), await plan(t, 2)];
      const approved = await decide(t, first, "APPROVED", [APPROVE, GROUP]);
      const declined = await decide(t, second, "DECLINED", [DECLINE, GROUP], approved.decided);
      // A field that one decision changes has to change with the other one as well.
      judgeEffect(t, APPROVE, approved, changesOf(declined).size > 0);
      judgeEffect(t, DECLINE, declined, changesOf(approved).size > 0);
      const differ = judgeDifference(t, approved, declined);
      judgeShown(t, approved, declined);
      judgeWithout(t, SHOWN, REASON, [await t.acceptedCall(reading(first.planId)), declined.decided]);
      await judgeUnknown(t, third, approved);
      if (differ) await judgeThird(t, third, approved);
      const listed = await t.findListed((await t.participatingMerchant()).merchant);
      if (listed !== undefined) t.pass(GROUP, [listed.exchange, approved.decided, declined.decided]);
      await declineApproved(t, first, approved);
    },
  }),
];

/** Observes a second decision. The documents do not state what it does. */
const declineApproved = async (t: T, { planId }: ChosenPlan, { after, moving }: Decided): Promise<void> => {
  const again = await t.send({ ...decision(planId, "DECLINED"), judged: false });
  const now = await t.send({ ...reading(planId), judged: false });
  const effect = hasEffect({ before: after, after: now, moving }) ? "and the plan changes" : "without effect";
  const observed = isAccepted(again) ? `accepted, ${effect}` : `${again.response?.status}`;
  t.judge.observe("approve or decline again", "planApproval", `an approved plan is declined: ${observed}`);
};

const plan = async (t: T, index: number): Promise<ChosenPlan> => t.newPlan(await t.newPurchase({ index }));

/** Judges that a decision changes the answer to GET /plans. The documents do not show which field changes. */
const judgeEffect = (t: T, suffix: string, own: Decided, isObeyed: boolean): void =>
  t.recordIfConfirmed(suffix, hasEffect(own), [own.decided, own.after], {
    confirmed: t.namesAreConfirmed("planApproval") || isObeyed,
    message: "a decision was accepted, but the plan did not change",
    expected: "the plan shows the decision",
    actual: "the same answer before and after",
  });

const hasEffect = ({ before, after, moving }: Omit<Decided, "decided">): boolean =>
  movedNames(contentOf(before), contentOf(after), moving).length > 0;

/** @returns whether the two outcomes have different statuses */
const judgeDifference = (t: T, approved: Decided, declined: Decided): boolean => {
  const crossed = [
    [approved, "APPROVED", "DECLINED"] as const,
    [declined, "DECLINED", "APPROVED"] as const,
  ].find(
    ([{ before, after }, own, other]) => shows(after, other) && !shows(before, other) && !shows(after, own),
  );
  if (crossed !== undefined) {
    const [{ decided, after }, own, other] = crossed;
    t.judgeThat(OUTCOMES, false, [after, decided], {
      message: `a plan shows the outcome ${other} after the decision ${own}`,
      expected: own,
      actual: other,
    });
    return false;
  }
  const [one, two] = [statusIn(approved.after), statusIn(declined.after)];
  if (one === undefined && two === undefined && haveOtherValues(approved, declined)) return true;
  if (one !== undefined && two !== undefined && one !== two) return true;
  t.recordIfConfirmed(OUTCOMES, false, [declined.after, approved.after], {
    // A status that repeats the word of a decision shows the decision.
    confirmed: t.namesAreConfirmed("planApproval") || (one === two && isOutcome(one)),
    message: "an approved plan and a declined one have the same status",
    expected: "two outcomes",
    actual: `${one ?? "no status"} and ${two ?? "no status"}`,
  });
  return false;
};

/** Whether any field of the plan has the word of an outcome. */
const shows = (plan: Exchange, outcome: Outcome): boolean => holdsText(contentOf(plan), outcome);

/** Judges that each plan shows its decision in its status, and a declined one its reason. */
const judgeShown = (t: T, approved: Decided, declined: Decided): void => {
  const confirmed = t.namesAreConfirmed("getPlan");
  for (const [{ decided, after }, outcome] of [
    [approved, "APPROVED"],
    [declined, "DECLINED"],
  ] as const) {
    const status = statusIn(after);
    t.recordIfConfirmed(SHOWN, String(status).toUpperCase() === outcome, [after, decided], {
      confirmed,
      named: isOutcome(status) || t.isNameShown(after, "status"),
      pointer: "/status",
      message: `a plan does not show the decision ${outcome}`,
      expected: outcome,
      actual: String(status ?? "no status"),
    });
  }
  const reason = fieldOf(contentOf(declined.after), "rejectReasonCode");
  t.recordIfConfirmed(SHOWN, reason === REASON, [declined.after, declined.decided], {
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
const changesOf = ({ before, after, moving }: Decided): Map<string, string> => {
  const [earlier, later] = [before, after].map((read) => (contentOf(read) ?? {}) as Json) as [Json, Json];
  const changed = movedNames(earlier, later, moving).filter((name) => name in earlier && name in later);
  return new Map(changed.map((name) => [name, JSON.stringify(later[name])]));
};

const statusIn = (exchange: Exchange): unknown => ((contentOf(exchange) ?? {}) as Json).status;

/** Judges that a third outcome is refused, because there are exactly two. */
const judgeThird = async (t: T, { planId }: ChosenPlan, { decided: control }: Decided): Promise<void> => {
  const probe = await t.answeredCall(decision(planId, "POSTPONED"));
  const what = { what: "a decision that is neither approve nor decline", pointer: "/status" };
  const result = checkRefusal(what, probe, control);
  if (result === undefined) throw new NotTried("not-arranged", "the target failed on a third outcome");
  if (result.holds || t.namesAreConfirmed("planApproval")) t.record(OUTCOMES, result, [probe, control]);
  else t.leaveUntried(OUTCOMES, "name-assumed", "a third outcome was accepted under an assumed name");
};

/** Judges that only a plan that exists can be decided. A decision that had an effect shows that its names are obeyed. */
const judgeUnknown = async (t: T, { planId }: ChosenPlan, decided: Decided): Promise<void> => {
  const unknown = unknownLike(planId);
  const probe = await t.answeredCall(decision(unknown, "APPROVED"));
  const what = { what: "a decision about a plan that does not exist", pointer: "/planId" };
  const result = checkRefusal(what, probe, decided.decided);
  if (result === undefined) return;
  if (result.holds || t.namesAreConfirmed("planApproval") || hasEffect(decided))
    t.record(KNOWN, result, [probe, decided.decided]);
  else t.leaveUntried(KNOWN, "name-assumed", "an unknown plan was accepted under an assumed name");
};
