/** The data types of an institution login and of an account linked through it. */
import accountKinds from "./account-kinds.json" with { type: "json" };
import type { Ledger } from "./ledger.ts";

export interface Login {
  readonly id: string;
  readonly customerId: string;
  institutionId: number;
  /** The kind of connection. A migration changes it to `oauth`. */
  connection: "legacy" | "oauth";
  /** Seconds since 1970. The time at which the customer granted access. */
  readonly created: number;
  /** Situations of this login only, for example `mfa`. */
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
  /** Seconds since 1970. The time of the latest aggregation, including automatic ones; see `aggregate`. */
  attempted: number;
  /** The position among the customer's accounts. */
  readonly position: number;
  /** Field values set by a situation, by name, for example `interestRate`. */
  readonly given: Record<string, unknown>;
  readonly marks: Set<string>;
  readonly perDay: number;
  ledger: Ledger | undefined;
  /** The position of its range of transaction ids, once they are reserved. */
  reserved: number | undefined;
}

/** A type of account, or the properties of the wanted account. */
export type WantedAccount =
  | string
  | {
      readonly type: string;
      readonly balance?: number;
      readonly status?: "active" | "pending";
      /** Average number of transactions per day. */
      readonly perDay?: number;
    };

export interface AccountKind {
  /** The type in the account's fields. */
  readonly type: string;
  readonly name: string;
  /** Whether money is deposited and drawn daily, for example with checking and savings. */
  readonly deposits: boolean;
  /** Average number of transactions per day. */
  readonly perDay: number;
  /** The lowest balance in dollars. */
  readonly least: number;
  readonly most: number;
}

export const KINDS: readonly AccountKind[] = accountKinds.kinds;

/** One account of each type that the document names. */
export const DOCUMENTED_TYPES: readonly string[] = accountKinds.documented;
