/** Everything that installments remembers in one tenant. */

import type { Clock } from "../engine/clock.ts";
import type { Deliveries } from "../engine/deliveries/deliveries.ts";
import type { Opening } from "../engine/service.ts";
import { counter, type Identifiers, identifiersOf } from "../engine/values/identifiers.ts";
import type { MerchantKey, Participation } from "./participation.ts";
import { STANDING_PARTICIPATIONS } from "./standing-participations.ts";

export interface InstallmentsState {
  readonly identifiers: Identifiers;
  readonly clock: Clock;
  readonly deliveries: Deliveries;
  /** In the order in which they were submitted; merchants and their mids derive from them. */
  readonly participations: Participation[];
  /** Pans by id of their list. */
  readonly panLists: Map<string, Set<string>>;
  readonly offers: Map<string, Offer>;
  readonly plans: Map<string, Plan>;
  /** Where the issuer takes notifications; nobody is notified until it is known. */
  issuer: string | undefined;
  /** Counts what is made, so that each has an identifier of its own. */
  next(kind: string): number;
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

export const openState = ({ seed, clock, deliveries }: Opening): InstallmentsState => {
  return {
    identifiers: identifiersOf(seed),
    clock,
    deliveries,
    participations: [...STANDING_PARTICIPATIONS],
    panLists: new Map(),
    offers: new Map(),
    plans: new Map(),
    issuer: undefined,
    next: counter(),
  };
};
