/** Approvals: a plan is either approved or declined, and its checkout then has a status and a callback URL. */
import { isDeepStrictEqual } from "node:util";
import { accepted, answerTo, namesAreConfirmed } from "../../fixtures/installments/calls.ts";
import {
  type ChosenPlan,
  changedPlan,
  findListed,
  newPlan,
  newPurchase,
  participatingMerchant,
} from "../../fixtures/installments/steps.ts";
import { checkRefusal, scenariosIn } from "../../fixtures/installments/trial.ts";
import { contentOf, type Exchange, isAccepted } from "../../helpers/exchange/exchange.ts";
import { readUntil } from "../../helpers/flows/read-until.ts";
import { fieldsOf } from "../../helpers/sequences/model-resources.ts";
import { fieldOf } from "../../helpers/trials/kit/reading.ts";
import { leaveUntried, pass, record, recordIfConfirmed } from "../../helpers/trials/kit/verdicts.ts";
import { NotTried } from "../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../helpers/trials/trial.ts";

const scenario = scenariosIn("States and transitions");

const APPROVE = "approvals.approve";
const DECLINE = "approvals.decline";
const OUTCOMES = "approvals.outcome-approve-or-decline";
const STATUS = "approvals.get.checkout-status";
const CALLBACK = "approvals.get.callback-url";
const GROUP = "credential.lender-participation-and-approvals";

const OUTCOME_WORDS = ["APPROVED", "DECLINED"] as const;

export type Outcome = (typeof OUTCOME_WORDS)[number];

const decision = (planId: string, status: string) => ({
  operationId: "planApproval",
  json: { planId, status, ...(status === "DECLINED" && { rejectReasonCode: "LENDER_DRIVEN_REJECTION" }) },
});

export interface Decided {
  readonly decided: Exchange;
  readonly before: Exchange;
  readonly after: Exchange;
}

/** @param requirements the ids that a refusal violates */
export const decide = async (
  context: TrialContext,
  { planId }: ChosenPlan,
  outcome: Outcome,
  requirements: readonly string[],
): Promise<Decided> => {
  const read = () => accepted(context, reading(planId));
  const before = await read();
  const decided = await accepted(context, decision(planId, outcome), requirements);
  const first = await read();
  const isImmediate = !isDeepStrictEqual(fieldsOf(contentOf(first)), fieldsOf(contentOf(before)));
  const effect = isImmediate ? "at once" : "later or never";
  context.judge.observe("states and transitions", "planApproval", `the effect of a decision: ${effect}`);
  const changed = isImmediate ? first : await changedPlan(context, planId, fieldsOf(contentOf(before)));
  return { before, decided, after: changed ?? (await read()) };
};

const reading = (planId: string) => ({ operationId: "getPlan", path: { plan_id: planId } });

export const approvalScenarios: readonly Trial[] = [
  scenario({
    id: "approvals/outcomes",
    title: "a plan is approved or declined, and a third outcome is refused",
    operations: ["planApproval", "getPlan"],
    requirements: [APPROVE, DECLINE, OUTCOMES, GROUP],
    async run(context) {
      const [first, second, third] = [await plan(context, 0), await plan(context, 1), await plan(context, 2)];
      const approved = await decide(context, first, "APPROVED", [APPROVE, GROUP]);
      judgeEffect(context, APPROVE, approved);
      const declined = await decide(context, second, "DECLINED", [DECLINE, GROUP]);
      judgeEffect(context, DECLINE, declined);
      const differ = judgeDifference(context, approved, declined);
      if (differ) await judgeThird(context, third, approved.decided);
      const listed = await findListed(context, (await participatingMerchant(context)).merchant);
      if (listed !== undefined) pass(context, GROUP, [listed.exchange, approved.decided, declined.decided]);
      await declineApproved(context, first, approved);
    },
  }),

  scenario({
    id: "approvals/checkout",
    title: "an approved plan has a checkout status and a callback URL",
    section: "Endpoints",
    operations: ["planApproval", "getPlanApprovalStatus"],
    requirements: [STATUS, CALLBACK],
    async run(context) {
      const { planId } = await plan(context, 0);
      await accepted(context, decision(planId, "APPROVED"));
      const status = { operationId: "getPlanApprovalStatus", path: { plan_id: planId } };
      const checkout = await readUntil(
        context,
        () => accepted(context, status, [STATUS, CALLBACK]),
        (exchange) => callbackIn(exchange) !== undefined,
      );
      judgeCheckout(context, checkout);
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
const judgeEffect = (context: TrialContext, suffix: string, { before, decided, after }: Decided): void =>
  recordIfConfirmed(context, suffix, text(before) !== text(after), [decided, after], {
    confirmed: namesAreConfirmed(context, "planApproval"),
    message: "a decision was accepted, but the plan did not change",
    expected: "the plan shows the decision",
    actual: "the same answer before and after",
  });

const text = (exchange: Exchange): string => JSON.stringify(contentOf(exchange));

/** @returns whether the two outcomes have different statuses */
const judgeDifference = (context: TrialContext, approved: Decided, declined: Decided): boolean => {
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
  control: Exchange,
): Promise<void> => {
  const probe = await answerTo(context, decision(planId, "POSTPONED"));
  const what = { what: "a decision that is neither approve nor decline", pointer: "/status" };
  const result = checkRefusal(what, probe, control);
  if (result === undefined) throw new NotTried("the target failed on a third outcome");
  if (result.holds || namesAreConfirmed(context, "planApproval"))
    record(context, OUTCOMES, result, [probe, control]);
  else leaveUntried(context, OUTCOMES, "a third outcome was accepted under an assumed name");
};

const callbackIn = (exchange: Exchange): string | undefined => urlIn(contentOf(exchange));

/** Returns the first absolute URL in the answer, in any field. */
const urlIn = (json: unknown): string | undefined => {
  if (typeof json === "string") return /^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(json) ? json : undefined;
  if (typeof json !== "object" || json === null) return undefined;
  return Object.values(json)
    .map(urlIn)
    .find((url) => url !== undefined);
};

const judgeCheckout = (context: TrialContext, exchange: Exchange): void => {
  const confirmed = namesAreConfirmed(context, "getPlanApprovalStatus");
  const status = fieldOf(contentOf(exchange), "status", "checkoutStatus", "state", "checkoutState");
  recordIfConfirmed(context, STATUS, typeof status === "string" && status !== "", [exchange], {
    confirmed,
    message: "the answer about an approved plan has no status of the checkout",
    expected: "a status",
    actual: text(exchange),
  });
  recordIfConfirmed(context, CALLBACK, callbackIn(exchange) !== undefined, [exchange], {
    confirmed,
    message: "the answer about an approved plan has no callback URL",
    expected: "an address of the payment service provider",
    actual: text(exchange),
  });
};
