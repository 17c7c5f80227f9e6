/** The state of installments in one tenant. */
import type { Opening } from "../engine/service.ts";
import type { Fields } from "../engine/values/fields.ts";
import { counter, freeId, identifiersOf } from "../engine/values/identifiers.ts";
import standing from "./standing-participations.json" with { type: "json" };

export type InstallmentsState = ReturnType<typeof openState>;

/** The identity of a merchant: legal name, country and acquirer. A provider's document may require only some of them. */
export interface MerchantKey {
  readonly merchantLegalName?: string | undefined;
  readonly countryCode?: string | undefined;
  readonly acquirerICA?: string | undefined;
}

export interface Participation {
  readonly requestId: string;
  /** Milliseconds since the epoch, on the tenant's clock. */
  readonly submittedAt: number;
  readonly merchant: MerchantKey;
  readonly mids: readonly string[];
  /** All other submitted fields. */
  readonly details: Fields;
}

export interface Transaction {
  readonly amount: number;
  readonly currency: string;
}

export interface Offer {
  readonly offerId: string;
  readonly useCase: string;
  readonly merchant: MerchantKey;
  readonly transaction: Transaction;
  readonly information: {
    readonly apr: number;
    readonly currency: string;
    readonly frequency: string;
    readonly installmentAmount: number;
    readonly installmentFee: number;
    readonly tenure: number;
    readonly totalAmount: number;
  };
}

export interface Plan {
  readonly planId: string;
  readonly offer: Offer;
  readonly createdAt: Date;
  readonly status: "CREATED" | "APPROVED" | "DECLINED";
  readonly rejectReasonCode?: string;
  /** Milliseconds since the epoch, on the tenant's clock; absent before a decision. */
  readonly decidedAt?: number;
}

export const openState = ({ seed, clock, deliveries, differs }: Opening) => {
  const identifiers = identifiersOf(seed);
  const scheme = differs("basic-authentication") ? "Basic" : "Bearer";
  return {
    identifiers,
    keys: {
      authorization: `${scheme} ${identifiers.key("registered partner")}`,
      unregisteredAuthorization: `${scheme} ${identifiers.key("unregistered partner")}`,
    },
    clock,
    deliveries,
    /** In order of submission. Merchants and their mids derive from them. */
    participations: [...standing] as Participation[],
    /** Pans by id of their list. */
    panLists: new Map<string, Set<string>>(),
    offers: new Map<string, Offer>(),
    plans: new Map<string, Plan>(),
    /** `issuer`: the address for notifications. No notification is sent while it is unknown. */
    addresses: { issuer: undefined as string | undefined },
    /** Counts created resources, so that each gets its own identifier. */
    next: counter(),
  };
};

export const newRequestId = ({ participations, next }: InstallmentsState): string =>
  freeId(
    () => String(7_000_000 + next("participation request")),
    (id) => participations.some(({ requestId }) => requestId === id),
  );
