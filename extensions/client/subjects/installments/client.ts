/** A right client of installments. A wrong one changes one of its habits. */
import { COMMON, jsonSending, sendRobustly, sendUntilAccepted } from "../habits.ts";
import { type Answered, jsonIn, type Sending, type Setting } from "../setting.ts";

export type Body = Record<string, unknown>;

export const RIGHT = {
  ...COMMON,
  /** Changes the body of a request. @param path path of the operation */
  body: (body: Body, _path: string): Body => body,
  /** Chooses the offer. */
  choose: ([first = ""]: readonly string[]) => first,
};

export type Habits = typeof RIGHT;

export const MERCHANT = {
  merchantLegalName: "Harbour Lamps Trading",
  countryCode: "USA",
  acquirerICA: "001234",
};
export const PAN = "5555341244441115";

/** Returns a function that sends one request. Its `look` reads what a request without an answer created. */
export const callerOf =
  (setting: Setting, habits: Habits = RIGHT) =>
  (method: string, path: string, body?: Body, look?: () => Promise<unknown>): Promise<Answered> => {
    const { environment } = setting;
    const url = `${environment.INSTALLMENTS_BASE_URL}${path}`;
    const headers = { authorization: environment.INSTALLMENTS_AUTHORIZATION ?? "" };
    const sending = async (): Promise<Sending> =>
      habits.request(jsonSending({ method, url, headers }, body && habits.body(body, path)));
    return sendUntilAccepted(habits, () => sendRobustly(setting, sending, habits.retrying, look));
  };

export type Call = ReturnType<typeof callerOf>;

/** Returns the data of a purchase. */
export const purchaseOf = (panListId: unknown, primaryAccountNumber = PAN): Body => ({
  useCase: "DURING_PURCHASE",
  consumer: { panListId, primaryAccountNumber },
  merchant: MERCHANT,
  transaction: { amount: 250.25, currency: "USD" },
});

/** Registers a card. Returns the id of its list. */
export const registered = async (call: Call): Promise<unknown> =>
  jsonIn(await call("POST", "/consumers/pans/registrations", { pans: [PAN] })).panListId;

/** Asks for offers. Returns their ids. */
export const askOffers = async (call: Call, purchase: Body): Promise<readonly string[]> => {
  const { offers = [] } = jsonIn(await call("POST", "/offers", purchase));
  return (offers as { readonly offerId: string }[]).map(({ offerId }) => offerId);
};

export const runClient = async (setting: Setting, habits: Habits = RIGHT): Promise<void> => {
  const call = callerOf(setting, habits);
  const purchase = purchaseOf(await registered(call));
  for (const useCase of ["DURING_PURCHASE", "POST_PURCHASE"]) {
    const offerId = habits.choose(await askOffers(call, { ...purchase, useCase }));
    const look = () => call("GET", "/merchants/participations");
    const { planId } = jsonIn(await call("POST", "/plans", { offerId, useCase }, look));
    if (typeof planId === "string") await call("GET", `/plans/${planId}`);
  }
};
