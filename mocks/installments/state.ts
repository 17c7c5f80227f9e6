/** Everything that installments remembers in one tenant. */

import type { Opening } from "../engine/service.ts";
import type { Fields } from "../engine/values/fields.ts";
import { counter, identifiersOf } from "../engine/values/identifiers.ts";
import standing from "./standing-participations.json" with { type: "json" };

export type InstallmentsState = ReturnType<typeof openState>;

/** A merchant is known by its legal name, country and acquirer. */
export interface MerchantKey {
  readonly merchantLegalName: string;
  readonly countryCode: string;
  readonly acquirerICA: string;
}

/** A merchant's participation. */
export interface Participation {
  readonly requestId: string;
  /** Milliseconds since the epoch, on the clock of the tenant. */
  readonly submittedAt: number;
  readonly merchant: MerchantKey;
  readonly mids: readonly string[];
  /** Whatever else was submitted. */
  readonly details: Fields;
}

export interface Transaction {
  readonly amount: number;
  readonly currency: string;
}

export interface InstallmentInformation {
  readonly apr: number;
  readonly currency: string;
  readonly frequency: string;
  readonly installmentAmount: number;
  readonly installmentFee: number;
  readonly tenure: number;
  readonly totalAmount: number;
}

export interface Offer {
  readonly offerId: string;
  readonly useCase: string;
  readonly merchant: MerchantKey;
  readonly transaction: Transaction;
  readonly information: InstallmentInformation;
}

export interface Plan {
  readonly planId: string;
  readonly offer: Offer;
  readonly createdAt: Date;
  readonly status: "CREATED" | "APPROVED" | "DECLINED";
  readonly rejectReasonCode?: string;
}

export const openState = ({ seed, clock, deliveries }: Opening) => ({
  identifiers: identifiersOf(seed),
  clock,
  deliveries,
  /** In the order in which they were submitted; merchants and their mids derive from them. */
  participations: [...standing] as Participation[],
  /** Pans by id of their list. */
  panLists: new Map<string, Set<string>>(),
  offers: new Map<string, Offer>(),
  plans: new Map<string, Plan>(),
  /** Where the issuer takes notifications; nobody is notified until it is known. */
  issuer: undefined as string | undefined,
  /** Counts what is made, so that each has an identifier of its own. */
  next: counter(),
});
