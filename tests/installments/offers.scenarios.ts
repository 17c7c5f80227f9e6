/** Offers: they depend on the consumer, the merchant and the transaction of the call. */
import { listedItems } from "../../fixtures/installments/calls.ts";
import type { Purchase, Transaction } from "../../fixtures/installments/steps.ts";
import { scenariosIn, type T } from "../../fixtures/installments/trial.ts";
import { type Exchange, isAccepted, NotTried } from "../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("Endpoints");

const ELIGIBLE = "offers.eligible-for-given-data";
const APART = "offers.own-identifiers";

const DEPENDENCES: readonly {
  readonly on: string;
  readonly requirement: string;
  readonly change: (purchase: Purchase, t: T) => Purchase;
  /**
   * Whether the number of offers for the changed purchase differs in the required way from the number for the original
   * purchase.
   */
  readonly differs: (changed: number, own: number) => boolean;
  readonly words: string;
}[] = [
  {
    on: "consumer",
    requirement: "offers.depend-on-consumer",
    change: (purchase, t) => ({
      ...purchase,
      consumer: { ...purchase.consumer, primaryAccountNumber: t.panOf(9) },
    }),
    differs: (changed) => changed === 0,
    words: "for a pan that is not on the list",
  },
  {
    on: "merchant",
    requirement: "offers.depend-on-merchant",
    change: (purchase, t) => ({ ...purchase, merchant: t.participationOf("Absent").merchant }),
    differs: (changed) => changed === 0,
    words: "for a merchant that does not participate",
  },
  {
    on: "transaction",
    requirement: "offers.depend-on-transaction",
    change: (purchase) => ({ ...purchase, transaction: { ...purchase.transaction, amount: 1 } }),
    differs: (changed, own) => changed !== own,
    words: "for an amount of 1",
  },
];

export const offerScenarios = [
  scenario("offers/eligible", {
    title: "offers match the requested transaction",
    operations: ["postOffers"],
    requirements: [ELIGIBLE, APART],
    async run(t) {
      const purchase = await t.newPurchase({ amount: 2_500 });
      const exchange = await t.askForOffers(purchase, [ELIGIBLE]);
      const offers = listedItems(exchange);
      const misfit = offers
        .map((offer) => misfitOf(offer, purchase.transaction))
        .find((text) => text !== undefined);
      // The target chooses the offers for generated data, unless it was implemented from this contract.
      t.recordIfConfirmed(ELIGIBLE, offers.length > 0 && misfit === undefined, [exchange], {
        named: misfit !== undefined,
        doubt: "no offer was made for made-up data, and the documents do not state which data is eligible",
        message: misfit ?? "no offer was made to a registered consumer of a participating merchant",
        expected: `offers for ${purchase.transaction.amount} ${purchase.transaction.currency}`,
        actual: `${offers.length} offers`,
      });
      const ids = t.identifiersIn(exchange, "offer");
      if (ids.length < 2) return t.leaveUntried(APART, "not-shown", "no answer had two offers");
      t.judgeThat(APART, new Set(ids).size === ids.length, [exchange], {
        message: "two offers of one answer have the same identifier",
        expected: "an identifier of its own for each",
        actual: ids.join(", "),
      });
    },
  }),
  ...DEPENDENCES.map(({ on, requirement, change, differs, words }) =>
    scenario(`offers/${on}`, {
      title: `offers depend on the ${on}`,
      operations: ["postOffers"],
      requirements: [requirement],
      async run(t) {
        const purchase = await t.newPurchase();
        const own = await t.askForOffers(purchase);
        const json = change(purchase, t);
        const changed = await t.answeredCall({ operationId: "postOffers", json });
        const counts = [offersIn(changed), offersIn(own)] as const;
        if (counts[1] === 0) throw new NotTried("not-shown", "no offer was made for made-up data");
        t.judgeThat(requirement, differs(...counts), [changed, own], {
          pointer: "/offers",
          message: `the same offers are made ${words}`,
          expected: "other offers, or none",
          actual: `${counts[0]} offers, as before`,
        });
      },
    }),
  ),
];

const offersIn = (exchange: Exchange): number => (isAccepted(exchange) ? listedItems(exchange).length : 0);

/** Describes a contradiction between an offer and the transaction, read under the assumed names only. */
const misfitOf = (offer: unknown, { amount, currency }: Transaction): string | undefined => {
  const { planInstallmentInformation: information } = (offer ?? {}) as {
    planInstallmentInformation?: { currency?: unknown; totalAmount?: unknown };
  };
  if (/^[A-Z]{3}$/.test(String(information?.currency)) && information?.currency !== currency) {
    return `an offer is in ${information?.currency} for a transaction in ${currency}`;
  }
  const total = information?.totalAmount;
  // Rounding may account for half a unit of the currency.
  return typeof total === "number" && total < amount - 0.5
    ? `the installments of an offer add up to ${total} for a transaction of ${amount}`
    : undefined;
};
