/** What happened on an account in the days that a report covers, also before the days that were aggregated. */

import { cents, DAY } from "../../engine/values/units.ts";
import type { Account } from "../world/account.ts";
import { emptyLedger, fillDays, firstFrom, type Ledger, type Row, rowAt } from "../world/ledger.ts";
import type { Report } from "../world/reports.ts";
import type { World } from "../world/world.ts";

/**
 * Oldest first. Reports look further back than aggregation does, without a load of historic transactions.
 * @param from seconds since 1970
 * @param until seconds since 1970, included
 */
export const rowsBetween = (world: World, account: Account, from: number, until: number): Row[] => {
  const { ledger } = account;
  if (ledger === undefined) return [];
  const older = olderThan(world, account, ledger, Math.floor(from / DAY));
  return [older, ledger].flatMap((part) => (part === undefined ? [] : within(part, from, until)));
};

/** Of all accounts together, oldest first in each; the balance as it was when the report was asked for. */
export const everything = (world: World, { holdings, from, until }: Report) => ({
  rows: holdings.flatMap(({ account }) => rowsBetween(world, account, from, until)),
  balance: cents(holdings.reduce((sum, { balance }) => sum + balance, 0)),
});

const within = (ledger: Ledger, from: number, until: number): Row[] => {
  const first = firstFrom(ledger, from);
  const end = firstFrom(ledger, until + 1);
  return Array.from({ length: end - first }, (_, index) => rowAt(ledger, first + index));
};

/** Their ids lie beyond those that the ledger itself can give. */
const OLDER_IDS = 5_000_000;

const olderThan = (world: World, account: Account, ledger: Ledger, fromDay: number): Ledger | undefined => {
  if (fromDay >= ledger.from) return undefined;
  const { id, perDay, kind } = account;
  const older = emptyLedger(ledger.firstId + OLDER_IDS, fromDay);
  fillDays(older, { seed: `${world.seed} ${id}`, perDay, recurring: kind.deposits }, fromDay, ledger.from);
  return older;
};
