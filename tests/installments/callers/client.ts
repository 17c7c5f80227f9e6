/** A right client of installments. A wrong one changes one of its habits. */
import { COMMON, type CommonHabits, sendRobustly, sendUntilAccepted } from "../../callers/habits.ts";
import { type Answered, jsonIn, type Sending, type Setting } from "../../callers/setting.ts";

type Body = Record<string, unknown>;

export interface Habits extends CommonHabits {
  /** Changes the body of a request. @param path path of the operation */
  readonly body: (body: Body, path: string) => Body;
  /** Chooses the offer. */
  readonly choose: (offers: readonly string[]) => string;
}

export const RIGHT: Habits = {
  ...COMMON,
  body: (body) => body,
  choose: ([first = ""]) => first,
};

const MERCHANT = { merchantLegalName: "Harbour Lamps Trading", countryCode: "USA", acquirerICA: "001234" };
const PAN = "5555341244441115";

export const runClient = async (setting: Setting, habits: Habits = RIGHT): Promise<void> => {
  const call = (
    method: string,
    path: string,
    body?: Body,
    look?: () => Promise<unknown>,
  ): Promise<Answered> => send(setting, habits, { method, path, body }, look);
  const { panListId } = jsonIn(await call("POST", "/consumers/pans/registrations", { pans: [PAN] }));
  const purchase = {
    useCase: "DURING_PURCHASE",
    consumer: { panListId, primaryAccountNumber: PAN },
    merchant: MERCHANT,
    transaction: { amount: 250.25, currency: "USD" },
  };
  for (const useCase of ["DURING_PURCHASE", "POST_PURCHASE"]) {
    const offers = jsonIn(await call("POST", "/offers", { ...purchase, useCase })).offers ?? [];
    const ids = (offers as { offerId: string }[]).map(({ offerId }) => offerId);
    const chosen = { offerId: habits.choose(ids), useCase };
    const look = () => call("GET", "/merchants/participations");
    const { planId } = jsonIn(await call("POST", "/plans", chosen, look));
    if (typeof planId === "string") await call("GET", `/plans/${planId}`);
  }
};

const send = (
  setting: Setting,
  habits: Habits,
  { method, path, body }: { readonly method: string; readonly path: string; readonly body: Body | undefined },
  look: (() => Promise<unknown>) | undefined,
): Promise<Answered> => {
  const { environment } = setting;
  const sending = async (): Promise<Sending> =>
    habits.request({
      method,
      url: `${environment.INSTALLMENTS_BASE_URL}${path}`,
      headers: {
        authorization: environment.INSTALLMENTS_AUTHORIZATION ?? "",
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(habits.body(body, path)) }),
    });
  return sendUntilAccepted(habits, () => sendRobustly(setting, sending, habits.retrying, look));
};
