/** What a plan shows of its purchase, its offer and its repayments, judged under the assumed names. */

import { itemsOf } from "../../fixtures/installments/calls.ts";
import type { ChosenPlan } from "../../fixtures/installments/steps.ts";
import { atPointer } from "../../helpers/contract/pointer.ts";
import { contentOf, type Exchange } from "../../helpers/exchange/exchange.ts";
import { holdsValue } from "../../helpers/flows/delivery.ts";
import { judgeThat, leaveUntried } from "../../helpers/trials/kit/verdicts.ts";
import type { TrialContext } from "../../helpers/trials/trial.ts";

export const PURCHASE = "plans.shows-purchase";
export const REPAYMENTS = "plans.repayments-fit-terms";

const TERMS = "planInstallmentInformation";

/** What an offer promises of its plan. */
const PROMISED = ["currency", "tenure", "installmentAmount", "totalAmount"];

/** Judges each fact of the purchase and of the chosen offer that the plan shows under the assumed names. */
export const judgePurchase = (context: TrialContext, plan: ChosenPlan, exchange: Exchange): void => {
  const json = contentOf(exchange);
  const { transaction, merchant } = plan.purchase;
  const offer = itemsOf(plan.offers).find((item) => holdsValue(item, plan.offerId));
  const facts = [
    ["/transaction/amount", transaction.amount] as const,
    ["/transaction/currency", transaction.currency] as const,
    ["/merchant/country", merchant.countryCode] as const,
    ...PROMISED.map((name) => [`/${TERMS}/${name}`, atPointer(offer, `/${TERMS}/${name}`)] as const),
  ].filter(([pointer, value]) => isComparable(atPointer(json, pointer), value));
  if (facts.length === 0) {
    leaveUntried(context, PURCHASE, "the plan shows no fact under an assumed name");
    return;
  }
  const wrong = facts.find(([pointer, value]) => atPointer(json, pointer) !== value);
  const [pointer, value] = wrong ?? ["", ""];
  judgeThat(context, PURCHASE, wrong === undefined, [exchange, plan.offers], {
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
export const judgeRepayments = (context: TrialContext, exchange: Exchange): void => {
  const json = contentOf(exchange);
  const repayments = atPointer(json, "/scheduledRepayments");
  if (!isRepaid(repayments)) {
    leaveUntried(context, REPAYMENTS, "the plan shows no repayments under the assumed names");
    return;
  }
  const problem = repaymentProblem(repayments, (atPointer(json, `/${TERMS}`) ?? {}) as Terms);
  judgeThat(context, REPAYMENTS, problem === undefined, [exchange], {
    pointer: "/scheduledRepayments",
    message: problem ?? "",
    expected: "one for each installment, in order, and together the total amount",
    actual: JSON.stringify(repayments),
  });
};

interface Repayment {
  readonly installmentNumber: number;
  readonly dueDate: string;
  readonly amount: number;
}

interface Terms {
  readonly tenure?: unknown;
  readonly totalAmount?: unknown;
  readonly installmentFee?: unknown;
}

const isRepaid = (value: unknown): value is readonly Repayment[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every(
    (one: Partial<Repayment> | null) =>
      typeof one?.installmentNumber === "number" &&
      typeof one.amount === "number" &&
      !Number.isNaN(Date.parse(String(one.dueDate))),
  );

const repaymentProblem = (
  repayments: readonly Repayment[],
  { tenure, totalAmount, installmentFee = 0 }: Terms,
): string | undefined => {
  const ordered = [...repayments].sort((one, other) => one.installmentNumber - other.installmentNumber);
  const numbers = ordered.map(({ installmentNumber }) => installmentNumber);
  const due = ordered.map(({ dueDate }) => Date.parse(dueDate));
  if (typeof tenure === "number" && repayments.length !== tenure)
    return `a plan of ${tenure} installments has ${repayments.length} repayments`;
  if (numbers.some((number, index) => number !== index + 1))
    return `the repayments are numbered ${numbers.join(", ")}`;
  if (due.some((date, index) => index > 0 && date <= (due[index - 1] ?? 0)))
    return "a repayment is not due after the one before";
  if (typeof totalAmount !== "number") return undefined;
  const sum = repayments.reduce((total, { amount }) => total + amount, 0);
  // Each repayment may be rounded, and may leave out its fee.
  const tolerance = repayments.length * (0.01 + Number(installmentFee)) + 0.001;
  return Math.abs(sum - totalAmount) > tolerance
    ? `the repayments add up to ${sum.toFixed(2)} for a total of ${totalAmount}`
    : undefined;
};
