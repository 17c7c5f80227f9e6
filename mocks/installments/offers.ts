/** Offers: the choice depends on the consumer's pan, the merchant and the transaction. */
import { atPointer as readAt } from "../../helpers/contract/pointer.ts";
import type { Answer } from "../engine/call.ts";
import { freeId } from "../engine/values/identifiers.ts";
import type { Call } from "./faults.ts";
import { keyOf, merchantKey, statusOf } from "./participations.ts";
import products from "./products.json" with { type: "json" };
import { invalid } from "./refusals.ts";
import type { InstallmentsState, MerchantKey, Offer, Transaction } from "./state.ts";

export const makeOffers = (state: InstallmentsState, call: Call): Answer => {
  const { body, faulty, differs } = call;
  if (differs("offers-need-more-data") && readAt(body, "/consumer/dateOfBirth") === undefined)
    return invalid("The request has no consumer.dateOfBirth.");
  const merchant = merchantKey(readAt(body, "/merchant"));
  const given = transactionOf(body);
  const transaction = faulty("offers-of-another-currency") ? { ...given, currency: "XTS" } : given;
  const eligible =
    (isRegistered(state, body) || faulty("consumer-ignored")) &&
    (participates(state, merchant) || faulty("merchant-ignored")) &&
    !faulty("no-offers");
  const fitting = products.filter(({ from }) => from <= given.amount || faulty("transaction-ignored"));
  const offers = (eligible ? fitting : []).map((product): Offer => {
    const offerId = freeId(
      () => state.identifiers.digits(8, "offer", state.next("offer")),
      (id) => state.offers.has(id),
    );
    const useCase = String(readAt(body, "/useCase") ?? "");
    return {
      offerId,
      useCase,
      merchant,
      transaction,
      information: informationOf(product, transaction, call),
    };
  });
  for (const offer of offers) state.offers.set(offer.offerId, offer);
  const shown = offers.map(({ offerId, information: planInstallmentInformation }) => ({
    offerId,
    planInstallmentInformation,
  }));
  return { status: 200, json: { offers: shown } };
};

const transactionOf = (body: unknown): Transaction => {
  const amount = Number(readAt(body, "/transaction/amount"));
  const currency = String(readAt(body, "/transaction/currency") ?? "");
  return { amount: Number.isFinite(amount) ? amount : 0, currency: currency.length === 3 ? currency : "USD" };
};

const isRegistered = ({ panLists }: InstallmentsState, body: unknown): boolean =>
  panLists
    .get(String(readAt(body, "/consumer/panListId")))
    ?.has(String(readAt(body, "/consumer/primaryAccountNumber"))) === true;

const participates = (state: InstallmentsState, merchant: MerchantKey): boolean =>
  state.participations.some(
    (participation) =>
      keyOf(participation.merchant) === keyOf(merchant) &&
      statusOf(state, participation) === "COMPLETED" &&
      participation.details.nonMerchantNegotiatedParticipation !== "N",
  );

/** @param product `from`: the lowest amount for which it is offered; `apr`: annual percentage rate */
const informationOf = (
  { tenure, frequency, apr }: (typeof products)[number],
  { amount, currency }: Transaction,
  { faulty }: Call,
): Offer["information"] => {
  const interest = (amount * apr * tenure) / 1_200;
  const installmentAmount = cents((faulty("offers-below-amount") ? amount / 2 : amount + interest) / tenure);
  const totalAmount = cents(installmentAmount * tenure);
  return { apr, currency, frequency, installmentAmount, installmentFee: 0, tenure, totalAmount };
};

/** Rounds up, so that the installments never add up to less than the amount. */
const cents = (amount: number): number => Math.ceil(amount * 100 - 1e-6) / 100;
