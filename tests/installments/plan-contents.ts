/** What a plan shows of its purchase, its offer and its repayments, judged under the assumed names. */
import { checkRepayments, REPAYMENTS, TERMS } from "../../fixtures/installments/answers.ts";
import { listedItems } from "../../fixtures/installments/calls.ts";
import type { ChosenPlan } from "../../fixtures/installments/steps.ts";
import type { T } from "../../fixtures/installments/trial.ts";
import { atPointer } from "../../helpers/contract/pointer.ts";
import { contentOf, type Exchange } from "../../helpers/exchange/exchange.ts";
import { holdsText, holdsValue } from "../../helpers/flows/delivery.ts";

export const PURCHASE = "plans.shows-purchase";

/** What an offer promises of its plan. */
const PROMISED = ["currency", "tenure", "installmentAmount", "totalAmount"];

/** Judges each fact of the purchase and of the chosen offer that the plan shows under the assumed names. */
export const judgePurchase = (t: T, plan: ChosenPlan, exchange: Exchange): void => {
  const json = contentOf(exchange);
  const { transaction, merchant } = plan.purchase;
  const offer = listedItems(plan.offers).find((item) => holdsValue(item, plan.offerId));
  const facts = [
    ["/transaction/amount", transaction.amount] as const,
    ["/transaction/currency", transaction.currency] as const,
    ["/merchant/country", merchant.countryCode] as const,
    ...PROMISED.map((name) => [`/${TERMS}/${name}`, atPointer(offer, `/${TERMS}/${name}`)] as const),
  ].filter(([pointer, value]) => isComparable(atPointer(json, pointer), value));
  if (facts.length === 0) {
    t.leaveUntried(PURCHASE, "name-assumed", "the plan shows no fact under an assumed name");
    return;
  }
  const wrong = facts.find(([pointer, value]) => atPointer(json, pointer) !== value);
  const [pointer, value] = wrong ?? ["", ""];
  t.judgeThat(PURCHASE, wrong === undefined, [exchange, plan.offers], {
    pointer,
    message: "a plan shows something else than was asked for or offered",
    expected: JSON.stringify(value),
    actual: JSON.stringify(atPointer(json, pointer)),
  });
};

/** Whether both are numbers, or texts of one length: an amount or a code may have another form. */
const isComparable = (one: unknown, other: unknown): boolean =>
  (typeof one === "number" && typeof other === "number") ||
  (typeof one === "string" && typeof other === "string" && one.length === other.length);

/** Judges the number, the order and the sum of the repayments of a plan, if it shows them under the assumed names. */
export const judgeRepayments = (t: T, exchange: Exchange): void => {
  const result = checkRepayments(exchange);
  if (result === undefined)
    t.leaveUntried(REPAYMENTS, "name-assumed", "the plan shows no repayments under the assumed names");
  t.record(REPAYMENTS, result, [exchange]);
};

/** Judges that an approved plan does not show the reason for which another one was declined. */
export const judgeWithout = (
  t: T,
  requirement: string,
  reason: string,
  [plan, declined]: readonly [Exchange, Exchange],
): void =>
  t.recordIfConfirmed(requirement, !holdsText(contentOf(plan), reason), [plan, declined], {
    confirmed: t.namesAreConfirmed("getPlan"),
    named: true,
    message: "an approved plan shows the reason for which another plan was declined",
    expected: "no such reason",
    actual: reason,
  });
