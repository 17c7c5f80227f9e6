/** Checkouts: an approved plan has a status of its checkout and a callback URL. */
import type { ChosenPlan } from "../../fixtures/installments/steps.ts";
import { scenariosIn, type T } from "../../fixtures/installments/trial.ts";
import { contentOf, type Exchange, isAccepted } from "../../helpers/exchange/exchange.ts";
import { fieldOf, valuesIn } from "../../helpers/trials/kit/language.ts";
import { approval, reading } from "./approvals.scenarios.ts";

const scenario = scenariosIn("Endpoints");

const STATUS = "approvals.get.checkout-status";
const CALLBACK = "approvals.get.callback-url";
const SELECTS = "path-parameter.plan_id";

export const checkoutScenarios = [
  scenario("approvals/checkout", {
    title: "an approved plan has a checkout status and a callback URL of its own",
    operations: ["planApproval", "getPlanApprovalStatus"],
    requirements: [STATUS, CALLBACK, SELECTS],
    async run(t) {
      const [chosen, undecided] = [
        await t.newPlan(await t.newPurchase()),
        await t.newPlan(await t.newPurchase({ index: 1 })),
      ];
      const shown = await t.acceptedCall(reading(chosen.planId));
      await t.acceptedCall(approval(t, chosen, shown));
      // A server may have links in every answer.
      const others = urlsIn(contentOf(await t.answeredCall(checkoutOf(undecided))));
      const checkout = await t.readUntil(
        () => t.acceptedCall(checkoutOf(chosen), [STATUS, CALLBACK]),
        (exchange) => urlsIn(contentOf(exchange)).some((url) => !others.includes(url)),
      );
      judgeCheckout(t, checkout);
      judgeOwnCheckout(t, chosen, checkout, await t.answeredCall(checkoutOf(undecided)));
      await t.acceptedCall(approval(t, undecided, await t.acceptedCall(reading(undecided.planId))));
      await judgeOwnUrl(t, [chosen, checkout], undecided, others);
    },
  }),
];

/**
 * Judges that the URLs of two approved plans name no plan but their own. Plans may have one URL in common, which then names
 * none of them.
 * @param links the URLs that a plan without a decision has too
 */
const judgeOwnUrl = async (
  t: T,
  [first, shown]: readonly [ChosenPlan, Exchange],
  second: ChosenPlan,
  links: readonly string[],
): Promise<void> => {
  const urlsOf = (exchange: Exchange) => urlsIn(contentOf(exchange)).filter((one) => !links.includes(one));
  const last = await t.readUntil(
    () => t.acceptedCall(checkoutOf(second), [CALLBACK]),
    (exchange) => urlsOf(exchange).some((url) => !names(url, first.planId)),
  );
  for (const [exchange, own, other] of [
    [shown, first, second],
    [last, second, first],
  ] as const) {
    const foreign = urlsOf(exchange).find((url) => names(url, other.planId) && !names(url, own.planId));
    if (urlsOf(exchange).length > 0)
      t.judgeThat(CALLBACK, foreign === undefined, [exchange, exchange === last ? shown : last], {
        message: "the callback URL of a plan names another plan",
        expected: `an address for the plan ${own.planId}`,
        actual: foreign ?? "",
      });
  }
};

/** Whether a part of a URL is the identifier, which is too long to be there by chance. */
const names = (url: string, id: string): boolean => id.length > 5 && url.split(/[/?#&=:;,]/).includes(id);

const checkoutOf = ({ planId }: ChosenPlan) => ({
  operationId: "getPlanApprovalStatus",
  path: { plan_id: planId },
});

const text = (exchange: Exchange): string => JSON.stringify(contentOf(exchange));

const hasCallback = (exchange: Exchange): boolean => urlsIn(contentOf(exchange)).length > 0;

/** Returns the absolute URLs in an answer, in any field. */
const urlsIn = (json: unknown): string[] =>
  valuesIn(json).filter((value) => /^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(value));

const judgeCheckout = (t: T, exchange: Exchange): void => {
  const confirmed = t.namesAreConfirmed("getPlanApprovalStatus");
  const status = fieldOf(contentOf(exchange), "status", "checkoutStatus", "state", "checkoutState");
  t.recordIfConfirmed(STATUS, typeof status === "string" && status !== "", [exchange], {
    confirmed,
    message: "the answer about an approved plan has no status of the checkout",
    expected: "a status",
    actual: text(exchange),
  });
  t.recordIfConfirmed(CALLBACK, hasCallback(exchange), [exchange], {
    doubt: "an approved plan has no callback URL yet, and the documents do not state when it has one",
    message: "the answer about an approved plan has no callback URL",
    expected: "an address of the payment service provider",
    actual: text(exchange),
  });
};

/** Judges that a plan without a decision does not have the checkout of an approved one. */
const judgeOwnCheckout = (t: T, { planId }: ChosenPlan, approved: Exchange, undecided: Exchange): void => {
  const isShown = isAccepted(undecided) && hasCallback(approved);
  if (isAccepted(undecided) && !isShown) {
    t.leaveUntried(SELECTS, t.unconfirmed("the checkout of an approved plan has no callback URL"));
    return;
  }
  const isSame = isShown && text(undecided) === text(approved);
  t.recordIfConfirmed(SELECTS, !isSame, [undecided, approved], {
    confirmed: t.namesAreConfirmed("getPlanApprovalStatus") || text(undecided).includes(planId),
    pointer: "plan_id",
    message: "a plan without a decision has the checkout of an approved plan",
    expected: "the checkout of the plan in the path",
    actual: text(undecided),
  });
};
