/** Offers: eligible for the consumer, the merchant and the transaction that the call carries. */

import { itemsOf } from "../../fixtures/installments/calls.ts";
import { id } from "../../fixtures/installments/ids.ts";
import {
  askForOffers,
  newPurchase,
  type Purchase,
  panOf,
  participationOf,
  type Transaction,
} from "../../fixtures/installments/steps.ts";
import { answered, conclude, scenario } from "../../fixtures/installments/trial.ts";
import { type CheckResult, HOLDS, violation } from "../../helpers/checks/check.ts";
import { type Exchange, isAccepted } from "../../helpers/exchange/exchange.ts";
import type { Trial, TrialContext } from "../../helpers/trials/trial.ts";

const ELIGIBLE = "offers.eligible-for-given-data";

interface Dependence {
  readonly on: string;
  readonly change: (purchase: Purchase, context: TrialContext) => Purchase;
  /** Whether the offers of the change are as they should be, next to those of the purchase itself. */
  readonly differs: (changed: number, own: number) => boolean;
  readonly words: string;
}

const DEPENDENCES: readonly Dependence[] = [
  {
    on: "consumer",
    change: (purchase, context) => ({
      ...purchase,
      consumer: { ...purchase.consumer, primaryAccountNumber: panOf(context, 9) },
    }),
    differs: (changed) => changed === 0,
    words: "for a pan that is not on the list",
  },
  {
    on: "merchant",
    change: (purchase, context) => ({ ...purchase, merchant: participationOf(context, "Absent").merchant }),
    differs: (changed) => changed === 0,
    words: "for a merchant that does not participate",
  },
  {
    on: "transaction",
    change: (purchase) => ({ ...purchase, transaction: { ...purchase.transaction, amount: 1 } }),
    differs: (changed, own) => changed !== own,
    words: "for an amount of 1",
  },
];

export const offerScenarios: readonly Trial[] = [
  scenario(
    {
      id: "offers/eligible",
      title: "offers fit the transaction that they are asked for",
      section: "Endpoints",
      operations: ["postOffers"],
      requirements: [ELIGIBLE],
    },
    async (context) => {
      const purchase = await newPurchase(context, { amount: 2_500 });
      const exchange = await askForOffers(context, purchase, [id(ELIGIBLE)]);
      const offers = itemsOf(exchange.response?.json);
      const misfit = offers
        .map((offer) => misfitOf(offer, purchase.transaction))
        .find((text) => text !== undefined);
      conclude(
        context,
        ELIGIBLE,
        {
          holds: offers.length > 0 && misfit === undefined,
          // What is offered for made-up data is the target's business, unless it was written from this contract.
          certain: context.capabilities.has("new-implementation"),
          finding: {
            message: misfit ?? "no offer was made to a registered consumer of a participating merchant",
            expected: `offers for ${purchase.transaction.amount} ${purchase.transaction.currency}`,
            actual: `${offers.length} offers`,
          },
        },
        [exchange],
      );
    },
  ),
  ...DEPENDENCES.map((dependence) =>
    scenario(
      {
        id: `offers/${dependence.on}`,
        title: `offers depend on the ${dependence.on}`,
        section: "Endpoints",
        operations: ["postOffers"],
        requirements: [`offers.depend-on-${dependence.on}`],
      },
      async (context) => {
        const purchase = await newPurchase(context);
        const own = await askForOffers(context, purchase);
        const json = dependence.change(purchase, context);
        const changed = answered(await context.send({ operationId: "postOffers", json }));
        if (offersIn(own) === 0) {
          context.judge.notTried(
            id(`offers.depend-on-${dependence.on}`),
            "no offer was made for made-up data",
          );
          return;
        }
        context.judge.record(
          id(`offers.depend-on-${dependence.on}`),
          compare(dependence, offersIn(changed), offersIn(own)),
          [changed, own],
        );
      },
    ),
  ),
];

const offersIn = (exchange: Exchange): number =>
  isAccepted(exchange) ? itemsOf(exchange.response?.json).length : 0;

const compare = ({ differs, words }: Dependence, changed: number, own: number): CheckResult =>
  differs(changed, own)
    ? HOLDS
    : violation({
        pointer: "/offers",
        message: `the same offers are made ${words}`,
        expected: "other offers, or none",
        actual: `${changed} offers, as before`,
      });

/** What in an offer contradicts the transaction; only what it says under the assumed names counts. */
const misfitOf = (offer: unknown, { amount, currency }: Transaction): string | undefined => {
  const { planInstallmentInformation: information } = (offer ?? {}) as {
    planInstallmentInformation?: { currency?: unknown; totalAmount?: unknown };
  };
  if (typeof information?.currency === "string" && information.currency !== currency) {
    return `an offer is in ${information.currency} for a transaction in ${currency}`;
  }
  const total = information?.totalAmount;
  // Half a unit of the currency is left to rounding.
  return typeof total === "number" && total < amount - 0.5
    ? `the installments of an offer add up to ${total} for a transaction of ${amount}`
    : undefined;
};
