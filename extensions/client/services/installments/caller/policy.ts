/**
 * The checks of a caller of installments, and of the order in which a customer does things: it registers cards, asks for
 * offers, and notifies of a choice.
 */
import { instancesAt } from "../../../../../helpers/checks/rules.ts";
import { isObject } from "../../../../../helpers/contract/json.ts";
import { atPointer } from "../../../../../helpers/contract/pointer.ts";
import { checkThat, HOLDS, violation } from "../../../../../helpers/exchange/check-result.ts";
import { isAccepted } from "../../../../../helpers/exchange/exchange.ts";
import { isAbsent } from "../../../../../helpers/traffic/absent.ts";
import { Memory } from "../../../../../helpers/traffic/memory.ts";
import type { Seen } from "../../../../../helpers/traffic/seen.ts";
import {
  type CallerPolicy,
  history,
  isInOtherNames,
  isRedacted,
  isUnread,
  ofOperations,
  suspected,
} from "../../../judging/check.ts";
import { commonChecks } from "../../../judging/common-checks.ts";
import { repeatsNoCreation } from "../../../judging/patience.ts";
import { lackOf, refusedFor } from "../../../judging/refusals.ts";

const REGISTER = "postConsumerPanRegistrations";
const DEREGISTER = "postConsumerPanDeregistrations";

const textsIn = (value: unknown): string[] =>
  typeof value === "object" && value !== null
    ? Object.values(value).flatMap(textsIn)
    : typeof value === "string" && value.trim() !== "" && !isRedacted(value)
      ? [value]
      : [];

/** Whether an answer shows no offers. */
const hasNoOffers = ({ exchange, answer }: Seen): boolean =>
  isAccepted(exchange) && !isAbsent(exchange.response?.body) && instancesAt(answer, "/offers/*").length === 0;

/** A card may have been registered before the recording. Then there are offers for it. */
const registersFirst = history(
  "offers for a card that was registered in the traffic",
  ({ show, tell, atEnd }) => {
    const without = new Memory<string, Seen>(1_000);
    let isRegistered = false;
    let isKnown = false;
    const empty: Seen[] = [];
    /** The deregistrations after which a list had no card. */
    const emptied = new Memory<string, Seen>(1_000);
    atEnd(() => {
      const [first] = empty;
      if (first === undefined || isKnown || isRegistered) return;
      if (!isAccepted(first.exchange) || empty.length === FEW) show(NEVER_REGISTERED, first);
      else tell("one request for offers gave none, and no card was registered");
    });
    return (seen) => {
      const { operationId } = seen.exchange;
      const list = String(atPointer(seen.body, "/panListId") ?? atPointer(seen.answer, "/panListId"));
      if (operationId === REGISTER) emptied.delete(list);
      if (operationId === DEREGISTER && atPointer(seen.answer, "/registeredPans") === 0)
        emptied.set(list, seen);
      if (operationId === REGISTER && isAccepted(seen.exchange)) {
        isRegistered = true;
        const cards = textsIn(atPointer(seen.body, "/pans"));
        const [late] = cards.flatMap((card) => without.get(card) ?? []);
        if (late !== undefined) show(REGISTERED_LATER, late, seen);
      }
      if (operationId !== "postOffers") return;
      const end = emptied.get(String(atPointer(seen.body, "/consumer/panListId")));
      if (end !== undefined) show(DEREGISTERED, seen, end);
      const isRefused = refusedFor(seen, NO_CARD);
      if (!isRefused && !isAccepted(seen.exchange)) return;
      if (!isRefused && !hasNoOffers(seen)) {
        isKnown = true;
        if (isRegistered) show(HOLDS, seen);
      } else if (!isRegistered && textsIn(atPointer(seen.body, "/consumer")).length > 0) {
        if (empty.length < FEW) empty.push(seen);
        for (const text of textsIn(atPointer(seen.body, "/consumer"))) without.set(text, seen);
      }
    };
  },
);

const NO_CARD = lackOf("pans?|cards?|consumer|lists?|panListId");

/** So many requests without offers are not a coincidence. */
const FEW = 2;

const REGISTERED_LATER = violation({
  message: "offers were asked for before the card was registered",
  expected: "the registration of the card first",
  actual: "the registration after a request for offers that gave none",
});

/** Another client may have registered a card since. */
const DEREGISTERED = suspected({
  message: "offers were asked for with a list whose last card was deregistered",
  ...{ expected: "the registration of the card first", actual: "no registration since the deregistration" },
});

const NEVER_REGISTERED = suspected({
  message: "offers were asked for, and no card was ever registered",
  ...{ expected: "the registration of the card first", actual: "no offers, and no registration" },
});

/** Checks that a client that uses a plan has told the service about the choice. */
const notifiesChoice = history("a plan that was made from an offer", ({ show, tell, atEnd }) => {
  const offers = new Memory<string, true>(50_000);
  let isNotified = false;
  let used: Seen | undefined;
  atEnd(() => {
    if (used !== undefined && !isNotified) show(NOT_NOTIFIED, used);
    else if (offers.size > 0 && !isNotified) tell("there were offers, and none of them was chosen");
  });
  return (seen) => {
    const { exchange, answer } = seen;
    for (const { value } of instancesAt(answer, "/offers/*/offerId")) offers.set(String(value), true);
    if (exchange.operationId === "postPlans") {
      isNotified = true;
      if (isAccepted(exchange)) show(HOLDS, seen);
    }
    if (PLAN_READS.includes(exchange.operationId) && offers.has(planIn(seen))) used ??= seen;
  };
});

const planIn = ({ path, body }: Seen): string => path.plan_id ?? String(atPointer(body, "/planId") ?? "");

const PLAN_READS: readonly string[] = ["getPlan", "getPlanApprovalStatus", "planApproval"];

const NOT_NOTIFIED = violation({
  message: "an offer was used as a plan, and the service was never told that it was chosen",
  ...{ expected: "postPlans with the chosen offer", actual: "no postPlans" },
});

/** A lender gets plans from a checkout, which no answer shows. So an unknown id alone proves nothing. */
const usesGivenPlanIds = history("a plan whose id an answer gave", ({ show, tell, atEnd }) => {
  const plans = new Memory<string, true>(50_000);
  const others = new Memory<string, true>(50_000);
  const unknown: Seen[] = [];
  let isUsed = false;
  const isForeign = (seen: Seen): boolean =>
    others.has(planIn(seen)) || ![...plans.keys()].some((plan) => formOf(plan) === formOf(planIn(seen)));
  atEnd(() => {
    const wrong = unknown.find(isForeign) ?? (plans.size > 0 && !isUsed ? unknown[0] : undefined);
    if (wrong !== undefined && plans.size + others.size > 0) show(NOT_GIVEN, wrong);
    else if (unknown.length > 0) tell("plans were asked for that do not exist, as may be after some time");
  });
  return (seen) => {
    const { exchange, answer } = seen;
    for (const { value } of instancesAt(answer, "/offers/*/offerId")) others.set(String(value), true);
    const [list, plan] = [atPointer(answer, "/panListId"), atPointer(answer, "/planId")];
    if (typeof list === "string") others.set(list, true);
    if (typeof plan === "string" && isAccepted(exchange)) plans.set(plan, true);
    if (!PLAN_READS.includes(exchange.operationId)) return;
    const isGiven = plans.has(planIn(seen));
    isUsed ||= isGiven;
    if (isGiven && isAccepted(exchange)) show(HOLDS, seen);
    else if (!isGiven && refusedFor(seen, NO_PLAN) && unknown.length < MOST_UNKNOWN) unknown.push(seen);
  };
});

const NO_PLAN = lackOf("plan|planId");
const MOST_UNKNOWN = 1_000;

/** Letters of hexadecimal digits and decimal digits are alike. */
const formOf = (id: string): string => id.toLowerCase().replaceAll(/[0-9a-f]/g, "0");

const NOT_GIVEN = violation({
  message: "a plan was asked for by an id that no answer gave",
  ...{ expected: "the planId of an answer", actual: "another id, which the service refused" },
});

const deregistersFromKnownList = history("a deregistration from a list that an answer named", ({ show }) => {
  const lists = new Memory<string, true>(50_000);
  return (seen) => {
    const { exchange, answer, body } = seen;
    const given = exchange.operationId === REGISTER ? atPointer(answer, "/panListId") : undefined;
    if (given !== undefined && isAccepted(exchange)) lists.set(String(given), true);
    if (exchange.operationId !== DEREGISTER) return;
    const list = atPointer(body, "/panListId");
    const isKnown = list !== undefined && lists.has(String(list));
    if (isKnown && isAccepted(exchange)) show(HOLDS, seen);
    if (isKnown || !refusedFor(seen, NO_LIST) || isUnread(seen) || isRedacted(list)) return;
    const unknown = violation({
      pointer: "/panListId",
      message: "cards were deregistered from a list that does not exist",
      expected: "the panListId of an existing list",
      actual: list === undefined ? "no panListId" : "a list that no answer named",
    });
    show(unknown, seen);
  };
});

const searchHasCriterion = ofOperations(
  ["postMerchantSearches", "postMerchantMidSearches"],
  "a search of merchants or mids",
  (seen) => {
    const { body, exchange } = seen;
    if (isUnread(seen)) return undefined;
    const hasValue = JSON.stringify(body ?? null).includes("‹") || textsIn(body).length > 0;
    return checkThat(hasValue, {
      message: `${exchange.operationId} was called without a criterion`,
      ...{ expected: "a merchant name, a country code or an acquirer ICA", actual: "no value to search for" },
    });
  },
);

const NO_LIST = lackOf("list|panListId");

const PARTS = ["consumer", "merchant", "transaction"];

const carriesAllParts = ofOperations(["postOffers"], "a request for offers", (seen) => {
  const lacking = PARTS.filter((name) => {
    const value = atPointer(seen.body, `/${name}`);
    return !isObject(value) || Object.keys(value).length === 0;
  });
  if (lacking.length === 0) return HOLDS;
  return (isInOtherNames(seen, PARTS) ? suspected : violation)({
    pointer: `/${lacking[0]}`,
    message: "a request for offers lacks data",
    ...{ expected: PARTS.join(", "), actual: `no ${lacking.join(", no ")}` },
  });
});

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
    const without = violation({
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
    {
      "caller.pans-registered-first": registersFirst,
      "caller.choice-notified": notifiesChoice,
      "caller.given-plan-id": usesGivenPlanIds,
      "consumers.pans.deregistrations.from-existing-list": deregistersFromKnownList,
      "caller.search-has-criterion": searchHasCriterion,
      "offers.request-carries-consumer-merchant-transaction": carriesAllParts,
      "plans.select-offer": selectsOffer,
      "caller.creation-not-repeated-blindly": repeatsNoCreation,
    },
  ],
  unseen: {},
};
