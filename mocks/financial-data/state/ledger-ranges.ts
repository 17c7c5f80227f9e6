/** The ids of transactions: a range for each account, and those that the user chose. */
import { hashOf } from "../../engine/values/random.ts";
import { dayOf } from "../../engine/values/units.ts";
import type { Account } from "./account.ts";
import { emptyLedger, type Ledger } from "./ledger.ts";

const STANDARD_DAYS = 180;
/** The range of transaction ids reserved for each account. */
const LEDGER_IDS = 10_000_000;

export const ledgerRanges = (seed: number) => {
  const byLedger: Account[] = [];
  /** The accounts of transactions whose ids the user chose. */
  const chosenIds = new Map<number, Account>();
  const firstId = 1_000_000_000_000 + (hashOf(`${seed} transaction`) % 1_000_000) * LEDGER_IDS;
  /** Reserves transaction ids when an account is added, so that they do not depend on the order of later reads. */
  const reserve = (account: Account): number => (account.reserved ??= byLedger.push(account) - 1);
  return {
    byLedger,
    chosenIds,
    reserve,
    /** Reserves the range that the user chose. @returns whether no other account has it */
    reserveAt: (account: Account, range: number): boolean => {
      const isFree = byLedger[range] === undefined;
      if (isFree) byLedger[range] = account;
      account.reserved = range;
      return isFree;
    },
    /** Returns a ledger without transactions. It starts 180 days before the account was added. */
    emptied: (account: Account): Ledger =>
      emptyLedger(firstId + reserve(account) * LEDGER_IDS, dayOf(account.created) - STANDARD_DAYS),
    hasTransaction: (id: number): boolean => chosenIds.has(id),
    /** Returns the account that owns the transaction id. */
    ofTransaction: (id: number) => chosenIds.get(id) ?? byLedger[Math.floor((id - firstId) / LEDGER_IDS)],
  };
};
