/** The kinds of accounts that can be linked, a row each. */
import accountKinds from "./account-kinds.json" with { type: "json" };

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

export const KINDS: readonly AccountKind[] = accountKinds.kinds;

/** One of each type that the document names. */
export const DOCUMENTED_TYPES: readonly string[] = accountKinds.documented;
