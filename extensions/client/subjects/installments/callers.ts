/** The clients of installments that prove the caller checks. */
import { clientsBy, hasty, header, type Scene, STRICT, TWICE, url, wrongBy } from "../habits.ts";
import { type Answered, jsonIn, type RightClient, sendInChunks, type WrongClient } from "../setting.ts";
import {
  askOffers,
  type Body,
  type Call,
  callerOf,
  MERCHANT,
  PAN,
  purchaseOf,
  RIGHT,
  registered,
  runClient,
} from "./client.ts";

const client = wrongBy(runClient, RIGHT);
const { right: rightFlow, wrong: wrongFlow } = clientsBy(callerOf, RIGHT);

/** Asks for offers, and chooses the first one. @param more other members of the choice */
const choose = async (call: Call, purchase: Body, more: Body = {}): Promise<Answered> => {
  const [offerId] = await askOffers(call, purchase);
  return call("POST", "/plans", { offerId, useCase: "DURING_PURCHASE", ...more });
};

/** Chooses an offer for a card that is registered first. */
const chooseRegistered = async (call: Call, more?: Body): Promise<Answered> =>
  choose(call, purchaseOf(await registered(call)), more);

/** A purchase from the registration of the card to its plan. */
const buy: Scene<Call> = async (call) => {
  const { planId } = jsonIn(await chooseRegistered(call));
  await call("GET", `/plans/${planId}`);
  return planId;
};

const SEARCHES = "/merchants/searches";
const MIDS = "/merchants/mids/searches";
const DEREGISTER = "/consumers/pans/deregistrations";
const LIST = "5d1f0c7e-8a2b-4c3d-9e4f-1a2b3c4d5e6f";
/** The form of an id that the sandbox gives. */
const GONE = "7c9e6679-7425-40de-944b-e07fc1f90ae7";

const rightFlows: readonly RightClient[] = [
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
    for (let time = 0; time < 2; time += 1) await choose(call, purchase);
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

const REGISTERED = "caller.pans-registered-first";
const GIVEN = "caller.given-plan-id";
const CRITERION = "caller.search-has-criterion";
const EXISTING = "consumers.pans.deregistrations.from-existing-list";
const ACCEPTED = "caller.requests-accepted";
const PLACES = "caller.secrets-in-their-places";
const DOCUMENTED = "caller.documented-operations";

/** A client that uses an offer as if it were a plan. */
const usingOffer = (name: string, use: (call: Call, offerId: string) => Promise<unknown>): WrongClient =>
  wrongFlow(name, "caller.choice-notified", async (call) => {
    const [offerId = ""] = await askOffers(call, purchaseOf(await registered(call)));
    await use(call, offerId);
  });

const wrongFlows: readonly WrongClient[] = [
  wrongFlow("a card that is registered after the offers", REGISTERED, async (call) => {
    await askOffers(call, purchaseOf(LIST));
    await askOffers(call, purchaseOf(await registered(call)));
  }),
  wrongFlow("offers for cards that are never registered", REGISTERED, async (call) => {
    await askOffers(call, purchaseOf(LIST));
    await askOffers(call, purchaseOf(LIST, "4111111111111111"));
  }),
  wrongFlow("a list of its own invention", REGISTERED, async (call) => {
    for (const panListId of ["list-1", "list-2"]) await askOffers(call, purchaseOf(panListId));
  }),
  usingOffer("an offer that is read as a plan", (call, offerId) => call("GET", `/plans/${offerId}`)),
  usingOffer("an approval of an offer", (call, planId) =>
    call("POST", "/approvals", { planId, status: "APPROVED" }),
  ),
  usingOffer("the checkout of an offer", (call, offerId) => call("GET", `/approvals/${offerId}`)),
  wrongFlow("a plan with an id of its own", GIVEN, async (call) => {
    await buy(call);
    await call("GET", "/plans/plan-1");
  }),
  wrongFlow("the offer of a plan in place of the plan", GIVEN, async (call) => {
    const [offerId] = await askOffers(call, purchaseOf(await registered(call)));
    await call("POST", "/plans", { offerId, useCase: "DURING_PURCHASE" });
    await call("GET", `/plans/${offerId}`);
  }),
  wrongFlow("a pan list in place of a plan", GIVEN, async (call) => {
    const panListId = await registered(call);
    await askOffers(call, purchaseOf(panListId));
    await call("GET", `/approvals/${panListId}`);
  }),
  wrongFlow("another plan than the one that it was given", GIVEN, async (call) => {
    await chooseRegistered(call);
    await call("GET", `/plans/${GONE}`);
  }),
  wrongFlow("a search without a criterion", CRITERION, (call) => call("POST", SEARCHES, {})),
  wrongFlow("a search with an empty name", CRITERION, (call) =>
    call("POST", SEARCHES, { merchantLegalName: "", countryCode: " " }),
  ),
  wrongFlow("the mids of no merchant", CRITERION, (call) => call("POST", MIDS, {})),
  wrongFlow("a deregistration from an unknown list", EXISTING, async (call) => {
    await registered(call);
    await call("POST", DEREGISTER, { panListId: LIST, pans: [PAN] });
  }),
  wrongFlow("a deregistration without a list", EXISTING, async (call) => {
    await registered(call);
    await call("POST", DEREGISTER, { pans: [PAN] });
  }),
  wrongFlow("offers without an amount, again and again", ACCEPTED, async (call) => {
    const purchase = purchaseOf(await registered(call));
    for (const amount of ["10", "20", "30"])
      await askOffers(call, { ...purchase, transaction: { amount, currency: "USD" } });
  }),
  wrongFlow("a plan of a use case that does not exist, at the end", ACCEPTED, (call) =>
    chooseRegistered(call, { useCase: "LATER" }),
  ),
  wrongFlow(
    "participations of a partner who is not registered",
    ACCEPTED,
    (call) => call("POST", "/merchants/participations", [] as unknown as Body),
    [],
    { request: header("authorization", "Bearer nobody") },
  ),
  wrongFlow("the card number in the URL", "caller.no-secret-in-url", async (call) => {
    await buy(call);
    await call("GET", `/merchants/participations?primaryAccountNumber=${PAN}`);
  }),
  wrongFlow("the card number in a header", PLACES, buy, [], { request: header("x-pan", PAN) }),
  wrongFlow("the card number in the choice of an offer", PLACES, (call) =>
    chooseRegistered(call, { cardNumber: PAN }),
  ),
  wrongFlow("the security code of a card", PLACES, (call) =>
    call("POST", "/consumers/pans/registrations", { pans: [PAN], cvc: "123" }),
  ),
  wrongFlow("a notification to the service", DOCUMENTED, async (call) => {
    const planId = await buy(call);
    await call("POST", "/notifications", { planId });
  }),
  wrongFlow("the request id undefined", DOCUMENTED, (call) =>
    call("GET", "/merchants/participations?request_id=undefined"),
  ),
  wrongFlow("a choice that is sent by a double click", "plans.select-offer", async (call) => {
    const [offerId] = await askOffers(call, purchaseOf(await registered(call)));
    for (let time = 0; time < 2; time += 1)
      await call("POST", "/plans", { offerId, useCase: "DURING_PURCHASE" });
  }),
  wrongFlow("offers for a card that is no longer registered", REGISTERED, async (call) => {
    const panListId = await registered(call);
    await call("POST", DEREGISTER, { panListId, pans: [PAN] });
    await askOffers(call, purchaseOf(panListId));
  }),
];

export const right: readonly RightClient[] = [
  { name: "fetch", run: (setting) => runClient(setting), getsThrough: 4 },
  { name: "bodies in chunks", run: (setting) => runClient({ ...setting, send: sendInChunks }) },
  {
    name: "the last offer",
    run: (setting) => runClient(setting, { ...RIGHT, choose: (offers) => offers.at(-1) ?? "" }),
  },
  ...rightFlows,
];

const withPart = (name: string, part: string, value: unknown): WrongClient =>
  client(name, "offers.request-carries-consumer-merchant-transaction", {
    body: (body, path) => (path === "/offers" ? { ...body, [part]: value } : body),
  });

const withoutPart = (part: string): WrongClient => withPart(`offers without ${part}`, part, undefined);

export const wrong: readonly WrongClient[] = [
  withoutPart("consumer"),
  withoutPart("merchant"),
  withoutPart("transaction"),
  withPart("null as transaction", "transaction", null),
  withPart("a merchant without data", "merchant", {}),
  client("an offer of its own", "plans.select-offer", { choose: () => "99999999" }),
  client("no offer", "plans.select-offer", {
    body: (body, path) => (path === "/plans" ? { useCase: "DURING_PURCHASE" } : body),
  }),
  client("an unknown use case", "postOffers.request.shape", {
    body: (body, path) => (path === "/offers" ? { ...body, useCase: "LATER" } : body),
  }),
  client("an unknown path", "caller.documented-operations", {
    request: url((asked) => asked.replace("/offers", "/offer")),
  }),
  client("the key in the URL", "caller.no-secret-in-url", {
    request: url((asked, { authorization }) => `${asked}?access_token=${authorization}`),
  }),
  client("a quick repetition after 429", "caller.retry-after-kept", hasty(0.1), ["rate-limited"]),
  client("a plan asked for twice", "caller.creation-not-repeated-blindly", TWICE, ["creation-lost"]),
  client("unknown fields refused", "caller.additions-accepted", STRICT, ["additions"]),
  ...wrongFlows,
];
