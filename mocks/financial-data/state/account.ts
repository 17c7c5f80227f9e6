/** An institution login, and an account that is linked through it. */

import accountKinds from "./account-kinds.json" with { type: "json" };
import type { Ledger } from "./ledger.ts";

export interface Login {
  readonly id: string;
  readonly customerId: string;
  institutionId: number;
  /** How it is connected to its institution; a migration makes it `oauth`. */
  connection: "legacy" | "oauth";
  /** Seconds since 1970; when the customer granted the access. */
  readonly created: number;
  /** Situations that hold for this login alone, for example `mfa`. */
  readonly marks: Set<string>;
}

export interface Account {
  readonly id: string;
  readonly customerId: string;
  loginId: string;
  institutionId: number;
  readonly type: string;
  readonly kind: AccountKind;
  readonly number: string;
  readonly routingNumber: string;
  readonly name: string;
  status: "active" | "pending";
  /** In dollars. */
  balance: number;
  /** Seconds since 1970. */
  readonly created: number;
  /** Seconds since 1970 of the latest aggregation, automatic ones included; see `aggregate`. */
  attempted: number;
  /** Place among the accounts of its customer. */
  readonly position: number;
  /** What a situation gave fields of the account, by name, for example `interestRate`. */
  readonly given: Record<string, unknown>;
  readonly marks: Set<string>;
  readonly perDay: number;
  ledger: Ledger | undefined;
}

/** A type of accounts, or what an account of it is to be like. */
export type WantedAccount = string | WantedRow;

interface WantedRow {
  readonly type: string;
  readonly balance?: number;
  readonly status?: "active" | "pending";
  /** Transactions on a day, on average. */
  readonly perDay?: number;
}

export interface AccountKind {
  /** As accounts carry it. */
  readonly type: string;
  readonly name: string;
  /** Whether money is deposited and drawn day by day: checking, savings and their like. */
  readonly deposits: boolean;
  /** Transactions on a day, on average. */
  readonly perDay: number;
  /** Balance in dollars. */
  readonly least: number;
  readonly most: number;
}

/** The kinds of accounts that can be linked, a row each. */
export const KINDS: readonly AccountKind[] = accountKinds.kinds;

/** One of each type that the document names. */
export const DOCUMENTED_TYPES: readonly string[] = accountKinds.documented;
