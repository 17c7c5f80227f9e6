/** The data that a user may choose. `data.schema.json` describes the same for the user. */
import { DataError } from "../engine/data/data.ts";
import type { Fields } from "../engine/values/fields.ts";
import type { InstallmentsState, MerchantKey, Offer, Plan } from "./state.ts";

export interface Chosen {
  readonly keys?: { readonly authorization?: string; readonly unregisteredAuthorization?: string };
  readonly merchants?: readonly (MerchantKey & {
    readonly requestId?: string;
    readonly submitted?: string;
    readonly mids?: readonly string[];
    readonly details?: Fields;
  })[];
  readonly panLists?: readonly { readonly id: string; readonly pans: readonly string[] }[];
  readonly offers?: readonly (Pick<Offer, "offerId" | "merchant" | "transaction"> &
    Partial<Pick<Offer, "useCase" | "information">>)[];
  readonly plans?: readonly ChosenPlan[];
  readonly issuer?: string;
}

interface ChosenPlan extends Partial<Pick<Plan, "status" | "rejectReasonCode">> {
  readonly planId: string;
  readonly offerId: string;
  readonly created?: string;
  readonly decided?: string;
}

/** @throws DataError when ids repeat, or a plan names no offer */
export const fillState = (state: InstallmentsState, chosen: Chosen): void => {
  const { merchants, panLists = [], offers = [], plans = [], issuer } = chosen;
  if (merchants !== undefined) state.participations.splice(0, state.participations.length);
  for (const { requestId, submitted, mids = [], details = {}, ...merchant } of merchants ?? [])
    state.participations.push({
      requestId: requestId ?? String(7_000_000 + state.next("participation request")),
      submittedAt: submitted === undefined ? 0 : Date.parse(submitted),
      merchant,
      mids,
      details: { nonMerchantNegotiatedParticipation: "Y", ...details },
    });
  for (const [index, { id, pans }] of panLists.entries()) {
    if (state.panLists.has(id)) throw repeated(["panLists", index, "id"], id);
    state.panLists.set(id, new Set(pans));
  }
  for (const [index, offer] of offers.entries()) {
    const { offerId } = offer;
    if (state.offers.has(offerId)) throw repeated(["offers", index, "offerId"], offerId);
    state.offers.set(offerId, { useCase: "", information: informationOf(offer), ...offer });
  }
  for (const [index, plan] of plans.entries()) putPlan(state, plan, ["plans", index]);
  state.addresses.issuer = issuer;
};

/** Four payments without interest. */
const informationOf = ({
  transaction: { amount, currency },
}: Pick<Offer, "transaction">): Offer["information"] => {
  const tenure = 4;
  const installmentAmount = Math.ceil((amount / tenure) * 100) / 100;
  const totalAmount = Math.round(installmentAmount * tenure * 100) / 100;
  return {
    apr: 0,
    currency,
    frequency: "30DAYS",
    installmentAmount,
    installmentFee: 0,
    tenure,
    totalAmount,
  };
};

const putPlan = (state: InstallmentsState, chosen: ChosenPlan, path: readonly (string | number)[]): void => {
  const { planId, offerId, created, decided, status = "CREATED", rejectReasonCode } = chosen;
  const offer = state.offers.get(offerId);
  if (offer === undefined) throw new DataError([...path, "offerId"], `no offer has the id "${offerId}"`);
  if (state.plans.has(planId)) throw repeated([...path, "planId"], planId);
  const createdAt = created === undefined ? state.clock.now() : new Date(created);
  state.plans.set(planId, {
    planId,
    offer,
    createdAt,
    status,
    ...(rejectReasonCode !== undefined && { rejectReasonCode }),
    ...(decided !== undefined && { decidedAt: Date.parse(decided) }),
  });
};

const repeated = (path: readonly (string | number)[], id: string): DataError =>
  new DataError(path, `the id "${id}" repeats`);

/** Returns the present state in the form of `data.schema.json`, without the keys. */
export const dumpOf = ({
  participations,
  panLists,
  offers,
  plans,
  addresses: { issuer },
}: InstallmentsState): Fields => ({
  merchants: participations.map(({ requestId, submittedAt, merchant, mids, details }) => ({
    ...merchant,
    requestId,
    submitted: new Date(submittedAt).toISOString(),
    mids,
    details,
  })),
  panLists: [...panLists].map(([id, pans]) => ({ id, pans: [...pans] })),
  offers: [...offers.values()],
  plans: [...plans.values()].map(({ planId, offer, createdAt, status, rejectReasonCode, decidedAt }) => ({
    planId,
    offerId: offer.offerId,
    created: createdAt.toISOString(),
    status,
    ...(rejectReasonCode !== undefined && { rejectReasonCode }),
    ...(decidedAt !== undefined && { decided: new Date(decidedAt).toISOString() }),
  })),
  ...(issuer !== undefined && { issuer }),
});
