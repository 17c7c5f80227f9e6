/** The kinds of data that a user may choose. */
import { defined } from "../../helpers/contract/json.ts";
import { existing } from "../engine/data/data-error.ts";
import { type Kind, resources, single } from "../engine/data/kinds.ts";
import {
  address,
  described,
  fields,
  filledText,
  identifying,
  integer,
  listOf,
  milliseconds,
  number,
  oneOf,
  optional,
  ownId,
  record,
  reference,
  text,
  textLike,
} from "../engine/data/parts.ts";
import { type InstallmentsState, newRequestId, type Offer } from "./state.ts";

const keys: Kind<InstallmentsState> = single({
  name: "keys",
  holds: [],
  part: record({
    authorization: optional(filledText),
    unregisteredAuthorization: optional(filledText),
  }),
  of: ({ keys: own }) => own,
  set: (state, chosen) => void Object.assign(state.keys, defined(chosen)),
});

const identity = {
  merchantLegalName: optional(filledText),
  countryCode: optional(textLike(/^[A-Z]{3}$/)),
  acquirerICA: optional(textLike(/^\d+$/)),
};

const merchants: Kind<InstallmentsState> = resources({
  name: "merchants",
  holds: ["participations"],
  description: "They replace the merchants of the sandbox.",
  row: record({
    ...identity,
    requestId: optional(filledText),
    submitted: optional(milliseconds),
    mids: optional(listOf(filledText)),
    details: optional(fields),
  }),
  all: ({ participations }) =>
    participations.map(({ requestId, submittedAt, merchant, mids, details }) => {
      const { merchantLegalName, countryCode, acquirerICA } = merchant;
      const key = { merchantLegalName, countryCode, acquirerICA };
      return { ...key, requestId, submitted: submittedAt, mids, details };
    }),
  clear: ({ participations }) => void participations.splice(0),
  add: (state, { requestId, submitted = 0, mids = [], details, ...merchant }) =>
    void state.participations.push({
      requestId: requestId ?? newRequestId(state),
      submittedAt: submitted,
      merchant: defined(merchant),
      mids,
      details: { nonMerchantNegotiatedParticipation: "Y", ...details },
    }),
});

const panLists: Kind<InstallmentsState> = resources({
  name: "panLists",
  holds: ["panLists"],
  key: "id",
  row: record({ id: identifying(filledText, "pan-list"), pans: listOf(textLike(/^\d{10,19}$/)) }),
  all: (state) => [...state.panLists].map(([id, pans]) => ({ id, pans: [...pans] })),
  add: (state, { id, pans }) => void state.panLists.set(id, new Set(pans)),
});

const offers: Kind<InstallmentsState> = resources({
  name: "offers",
  holds: ["offers"],
  key: "offerId",
  row: record({
    offerId: ownId("offer"),
    useCase: optional(text),
    merchant: record(identity),
    transaction: record({
      amount: { ...number, schema: { type: "number", exclusiveMinimum: 0 } },
      currency: textLike(/^[A-Z]{3}$/),
    }),
    information: optional(
      record({
        apr: number,
        currency: text,
        frequency: text,
        installmentAmount: number,
        installmentFee: number,
        tenure: integer({ minimum: 1 }),
        totalAmount: number,
      }),
    ),
  }),
  all: (state) => state.offers.values(),
  add: (state, { useCase = "", merchant, information, ...offer }) =>
    void state.offers.set(offer.offerId, {
      useCase,
      ...offer,
      merchant: defined(merchant),
      information: information ?? informationOf(offer),
    }),
});

/** Four payments without interest. */
const informationOf = ({
  transaction: { amount, currency },
}: Pick<Offer, "transaction">): Offer["information"] => {
  const tenure = 4;
  const installmentAmount = Math.ceil((amount / tenure) * 100) / 100;
  const totalAmount = Math.round(installmentAmount * tenure * 100) / 100;
  return { apr: 0, currency, frequency: "30DAYS", installmentAmount, installmentFee: 0, tenure, totalAmount };
};

const plans: Kind<InstallmentsState> = resources({
  name: "plans",
  holds: ["plans"],
  key: "planId",
  row: record({
    planId: ownId("plan"),
    offerId: described(reference("offer"), "The id of one of the offers."),
    created: optional(milliseconds),
    status: optional(oneOf("CREATED", "APPROVED", "DECLINED")),
    rejectReasonCode: optional(text),
    decided: optional(milliseconds),
  }),
  all: (state) =>
    [...state.plans.values()].map(({ offer: { offerId }, createdAt, decidedAt, ...plan }) => ({
      rejectReasonCode: undefined,
      ...plan,
      offerId,
      created: createdAt.getTime(),
      decided: decidedAt,
    })),
  add: (state, { planId, offerId, created, decided, status = "CREATED", rejectReasonCode }) =>
    void state.plans.set(planId, {
      planId,
      offer: existing(state.offers.get(offerId), "offerId", "offer", offerId),
      createdAt: created === undefined ? state.clock.now() : new Date(created),
      status,
      ...(rejectReasonCode !== undefined && { rejectReasonCode }),
      ...(decided !== undefined && { decidedAt: decided }),
    }),
});

const issuer: Kind<InstallmentsState> = single({
  name: "issuer",
  holds: ["addresses"],
  part: described(address, "The address for notifications."),
  of: ({ addresses }) => addresses.issuer,
  set: ({ addresses }, chosen) => {
    addresses.issuer = chosen;
  },
});

/** A plan refers to an offer above. */
export const KINDS: readonly Kind<InstallmentsState>[] = [keys, merchants, panLists, offers, plans, issuer];
