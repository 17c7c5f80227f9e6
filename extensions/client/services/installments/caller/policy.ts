/** The checks of a caller of installments. */
import { instancesAt } from "../../../../../helpers/checks/rules.ts";
import { isObject } from "../../../../../helpers/contract/json.ts";
import { atPointer } from "../../../../../helpers/contract/pointer.ts";
import { HOLDS } from "../../../../../helpers/exchange/check-result.ts";
import { isAccepted } from "../../../../../helpers/exchange/exchange.ts";
import { isAbsent } from "../../../../../helpers/traffic/absent.ts";
import { Memory } from "../../../../../helpers/traffic/memory.ts";
import type { Seen } from "../../../../../helpers/traffic/seen.ts";
import { broken, type CallerPolicy, history, isInOtherNames, suspected } from "../../../judging/check.ts";
import { commonChecks } from "../../../judging/common-checks.ts";
import { repeatsNoCreation } from "../../../judging/patience.ts";
import { lackOf, refusedFor } from "../../../judging/refusals.ts";
import { FLOW_CHECKS } from "./flow.ts";

const PARTS = ["consumer", "merchant", "transaction"];

/** Checks that a client tells the service which of its offers was chosen. */
const selectsOffer = history("an answer with offers, and a plan for one of them", ({ show }) => {
  const offers = new Memory<string, { chosen?: Seen }>(50_000);
  /** Whether the recording lacks an answer, so that an unknown offer may be an offer of the service. */
  let isUnknown = false;
  return (seen) => {
    const { exchange, answer, body } = seen;
    if (exchange.operationId === "postOffers") {
      isUnknown ||= isAbsent(exchange.response?.body);
      for (const { value } of instancesAt(answer, "/offers/*/offerId")) offers.set(String(value), {});
    }
    if (exchange.operationId !== "postPlans") return;
    const offerId = atPointer(body, "/offerId");
    const offer = offers.get(String(offerId));
    if (offer !== undefined && isAccepted(exchange)) {
      const { chosen } = offer;
      if (chosen !== undefined && seen.start - chosen.end < MINUTE) show(CHOSEN_TWICE, seen, chosen);
      else show(HOLDS, seen);
      offer.chosen = seen;
    }
    if (offer !== undefined) return;
    if (!refusedFor(seen, NO_OFFER) || offers.size === 0 || (isUnknown && offerId !== undefined)) return;
    const without = broken({
      pointer: "/offerId",
      message: "a plan was asked for without one of the offers of the service",
      expected: "the offerId of an offer",
      actual: offerId === undefined ? "no offerId" : "an offerId that no answer contained",
    });
    show(without, seen);
  };
});

const NO_OFFER = lackOf("offer|offerId");
const MINUTE = 60_000;

/** A cardholder may choose one offer for two purchases, but asks for offers again. */
const CHOSEN_TWICE = suspected({
  pointer: "/offerId",
  message: "the service was told twice within a minute that one offer was chosen",
  expected: "one request for one choice",
  actual: "two requests that the service accepted, after one request for offers",
});

/** A cardholder enters a card number, and a person the words of a search. */
const ENTERED = ["postConsumerPanRegistrations", "postMerchantSearches", "postMerchantMidSearches"];

export const callerPolicy: CallerPolicy = {
  service: "installments",
  checks: [
    commonChecks("installments", ({ operationId }) => ENTERED.includes(operationId)),
    FLOW_CHECKS,
    {
      "offers.request-carries-consumer-merchant-transaction": {
        operations: ["postOffers"],
        occasion: "a request for offers",
        check(seen) {
          const lacking = PARTS.filter((name) => {
            const value = atPointer(seen.body, `/${name}`);
            return !isObject(value) || Object.keys(value).length === 0;
          });
          if (lacking.length === 0) return HOLDS;
          return (isInOtherNames(seen, PARTS) ? suspected : broken)({
            pointer: `/${lacking[0]}`,
            message: "a request for offers lacks data",
            ...{ expected: PARTS.join(", "), actual: `no ${lacking.join(", no ")}` },
          });
        },
      },
      "plans.select-offer": selectsOffer,
      "caller.creation-not-repeated-blindly": repeatsNoCreation,
    },
  ],
  unseen: {},
};
