/** The clients of installments that differ in what they do, and in which order. */
import { header } from "../habits.ts";
import { type Answered, jsonIn, type RightClient, type WrongClient } from "../setting.ts";
import {
  type Body,
  type Call,
  callerOf,
  type Habits,
  MERCHANT,
  PAN,
  purchaseOf,
  RIGHT,
  registered,
} from "./client.ts";

type Flow = (call: Call) => Promise<unknown>;

const rightFlow = (name: string, flow: Flow): RightClient => ({
  name,
  exercises: [],
  run: async (setting) => void (await flow(callerOf(setting))),
});

const wrongFlow = (
  name: string,
  requirement: string,
  flow: Flow,
  habits: Partial<Habits> = {},
): WrongClient => ({
  name,
  requirement,
  run: async (setting) => void (await flow(callerOf(setting, { ...RIGHT, ...habits }))),
});

const offersIn = (answered: Answered): readonly string[] =>
  ((jsonIn(answered).offers ?? []) as { readonly offerId: string }[]).map(({ offerId }) => offerId);

const askOffers = async (call: Call, purchase: Body): Promise<readonly string[]> =>
  offersIn(await call("POST", "/offers", purchase));

/** A purchase from the registration of the card to its plan. */
const buy: Flow = async (call) => {
  const [offerId] = await askOffers(call, purchaseOf(await registered(call)));
  const plan = await call("POST", "/plans", { offerId, useCase: "DURING_PURCHASE" });
  const { planId } = jsonIn(plan);
  await call("GET", `/plans/${planId}`);
  return planId;
};

const SEARCHES = "/merchants/searches";
const MIDS = "/merchants/mids/searches";
const DEREGISTER = "/consumers/pans/deregistrations";
const LIST = "5d1f0c7e-8a2b-4c3d-9e4f-1a2b3c4d5e6f";
/** The form of an id that the sandbox gives. */
const GONE = "7c9e6679-7425-40de-944b-e07fc1f90ae7";

export const rightFlows: readonly RightClient[] = [
  rightFlow("a plan that has gone", async (call) => {
    await buy(call);
    await call("GET", `/plans/${GONE}`);
  }),
  rightFlow("a plan of a lender that has gone, and nothing else", async (call) => {
    await call("GET", "/merchants/participations");
    await call("GET", `/approvals/${GONE}`);
  }),
  rightFlow("a list of last year that has gone, and a new one", async (call) => {
    await call("POST", "/consumers/pans/registrations", { panListId: LIST, pans: [PAN] });
    await buy(call);
  }),
  rightFlow("a search without results, and a search with one", async (call) => {
    await call("POST", SEARCHES, { merchantLegalName: "Nobody & Sons" });
    await call("POST", SEARCHES, { merchantLegalName: MERCHANT.merchantLegalName });
    await call("POST", MIDS, MERCHANT);
  }),
  rightFlow("searches by country and by acquirer", async (call) => {
    await call("POST", SEARCHES, { countryCode: "USA" });
    await call("POST", SEARCHES, { acquirerICA: MERCHANT.acquirerICA });
  }),
  rightFlow("a deregistration, twice", async (call) => {
    const panListId = await registered(call);
    for (let time = 0; time < 2; time += 1) await call("POST", DEREGISTER, { panListId, pans: [PAN] });
  }),
  rightFlow("a card that is registered again after its deregistration", async (call) => {
    const panListId = await registered(call);
    await call("POST", DEREGISTER, { panListId, pans: [PAN] });
    await call("POST", "/consumers/pans/registrations", { panListId, pans: [PAN] });
    await askOffers(call, purchaseOf(panListId));
  }),
  rightFlow("a second purchase by the same offer, which is asked for again", async (call) => {
    const purchase = purchaseOf(await registered(call));
    for (let time = 0; time < 2; time += 1) {
      const [offerId] = await askOffers(call, purchase);
      await call("POST", "/plans", { offerId, useCase: "DURING_PURCHASE" });
    }
  }),
  rightFlow("a search for a merchant named Null", (call) =>
    call("POST", SEARCHES, { merchantLegalName: "null" }),
  ),
  rightFlow("a card of yesterday without offers", (call) => askOffers(call, purchaseOf(LIST))),
  rightFlow("offers that nobody chooses", async (call) => {
    const purchase = purchaseOf(await registered(call));
    await askOffers(call, purchase);
    await askOffers(call, { ...purchase, useCase: "POST_PURCHASE" });
  }),
  rightFlow("a second consumer whose card is registered after the first one got no offers", async (call) => {
    await askOffers(call, { ...purchaseOf(LIST, "4111111111111111") });
    await buy(call);
  }),
];

/** Uses an offer as if it were a plan. */
const useOffer =
  (use: (call: Call, offerId: string) => Promise<unknown>): Flow =>
  async (call) => {
    const [offerId = ""] = await askOffers(call, purchaseOf(await registered(call)));
    await use(call, offerId);
  };

export const wrongFlows: readonly WrongClient[] = [
  wrongFlow("a card that is registered after the offers", "caller.pans-registered-first", async (call) => {
    await askOffers(call, purchaseOf(LIST));
    await askOffers(call, purchaseOf(await registered(call)));
  }),
  wrongFlow("offers for cards that are never registered", "caller.pans-registered-first", async (call) => {
    await askOffers(call, purchaseOf(LIST));
    await askOffers(call, purchaseOf(LIST, "4111111111111111"));
  }),
  wrongFlow("a list of its own invention", "caller.pans-registered-first", async (call) => {
    for (const panListId of ["list-1", "list-2"]) await askOffers(call, purchaseOf(panListId));
  }),
  wrongFlow(
    "an offer that is read as a plan",
    "caller.choice-notified",
    useOffer((call, offerId) => call("GET", `/plans/${offerId}`)),
  ),
  wrongFlow(
    "an approval of an offer",
    "caller.choice-notified",
    useOffer((call, offerId) => call("POST", "/approvals", { planId: offerId, status: "APPROVED" })),
  ),
  wrongFlow(
    "the checkout of an offer",
    "caller.choice-notified",
    useOffer((call, offerId) => call("GET", `/approvals/${offerId}`)),
  ),
  wrongFlow("a plan with an id of its own", "caller.given-plan-id", async (call) => {
    await buy(call);
    await call("GET", "/plans/plan-1");
  }),
  wrongFlow("the offer of a plan in place of the plan", "caller.given-plan-id", async (call) => {
    const [offerId] = await askOffers(call, purchaseOf(await registered(call)));
    await call("POST", "/plans", { offerId, useCase: "DURING_PURCHASE" });
    await call("GET", `/plans/${offerId}`);
  }),
  wrongFlow("a pan list in place of a plan", "caller.given-plan-id", async (call) => {
    const panListId = await registered(call);
    await askOffers(call, purchaseOf(panListId));
    await call("GET", `/approvals/${panListId}`);
  }),
  wrongFlow("another plan than the one that it was given", "caller.given-plan-id", async (call) => {
    const [offerId] = await askOffers(call, purchaseOf(await registered(call)));
    await call("POST", "/plans", { offerId, useCase: "DURING_PURCHASE" });
    await call("GET", `/plans/${GONE}`);
  }),
  wrongFlow("a search without a criterion", "caller.search-has-criterion", (call) =>
    call("POST", SEARCHES, {}),
  ),
  wrongFlow("a search with an empty name", "caller.search-has-criterion", (call) =>
    call("POST", SEARCHES, { merchantLegalName: "", countryCode: " " }),
  ),
  wrongFlow("the mids of no merchant", "caller.search-has-criterion", (call) => call("POST", MIDS, {})),
  wrongFlow(
    "a deregistration from an unknown list",
    "consumers.pans.deregistrations.from-existing-list",
    async (call) => {
      await registered(call);
      await call("POST", DEREGISTER, { panListId: LIST, pans: [PAN] });
    },
  ),
  wrongFlow(
    "a deregistration without a list",
    "consumers.pans.deregistrations.from-existing-list",
    async (call) => {
      await registered(call);
      await call("POST", DEREGISTER, { pans: [PAN] });
    },
  ),
  wrongFlow("offers without an amount, again and again", "caller.requests-accepted", async (call) => {
    const purchase = purchaseOf(await registered(call));
    for (const amount of ["10", "20", "30"])
      await askOffers(call, { ...purchase, transaction: { amount, currency: "USD" } });
  }),
  wrongFlow(
    "a plan of a use case that does not exist, at the end",
    "caller.requests-accepted",
    async (call) => {
      const [offerId] = await askOffers(call, purchaseOf(await registered(call)));
      await call("POST", "/plans", { offerId, useCase: "LATER" });
    },
  ),
  wrongFlow(
    "participations of a partner who is not registered",
    "caller.requests-accepted",
    (call) => call("POST", "/merchants/participations", [] as unknown as Body),
    { request: header("authorization", "Bearer nobody") },
  ),
  wrongFlow("the card number in the URL", "caller.no-secret-in-url", async (call) => {
    await buy(call);
    await call("GET", `/merchants/participations?primaryAccountNumber=${PAN}`);
  }),
  wrongFlow("the card number in a header", "caller.secrets-in-their-places", buy, {
    request: header("x-pan", PAN),
  }),
  wrongFlow("the card number in the choice of an offer", "caller.secrets-in-their-places", async (call) => {
    const [offerId] = await askOffers(call, purchaseOf(await registered(call)));
    await call("POST", "/plans", { offerId, useCase: "DURING_PURCHASE", cardNumber: PAN });
  }),
  wrongFlow("the security code of a card", "caller.secrets-in-their-places", (call) =>
    call("POST", "/consumers/pans/registrations", { pans: [PAN], cvc: "123" }),
  ),
  wrongFlow("a notification to the service", "caller.documented-operations", async (call) => {
    const planId = await buy(call);
    await call("POST", "/notifications", { planId });
  }),
  wrongFlow("the request id undefined", "caller.documented-operations", (call) =>
    call("GET", "/merchants/participations?request_id=undefined"),
  ),
  wrongFlow("a choice that is sent by a double click", "plans.select-offer", async (call) => {
    const [offerId] = await askOffers(call, purchaseOf(await registered(call)));
    for (let time = 0; time < 2; time += 1)
      await call("POST", "/plans", { offerId, useCase: "DURING_PURCHASE" });
  }),
  wrongFlow(
    "offers for a card that is no longer registered",
    "caller.pans-registered-first",
    async (call) => {
      const panListId = await registered(call);
      await call("POST", DEREGISTER, { panListId, pans: [PAN] });
      await askOffers(call, purchaseOf(panListId));
    },
  ),
];
