/** The load of transactions from longer ago than the standard aggregation reaches. */

import { DAY } from "../../../engine/values/units.ts";
import type { Call } from "../../faults.ts";
import type { Account } from "../../world/account.ts";
import { post } from "../../world/ledger.ts";
import { perWorld, type World } from "../../world/world.ts";

const MONTHS = 24;

/** Ids of the accounts that it was done for. */
const loaded = perWorld(() => new Set<string>());

/** The first load connects to the institution, a later one only when it is forced to. */
export const loadHistoric = async (
  world: World,
  call: Call,
  account: Account,
  forced: boolean,
): Promise<void> => {
  const { bent } = call;
  const again = loaded(world).has(account.id);
  loaded(world).add(account.id);
  if (!again || (forced && !bent("transactions-force-ignored"))) connect(world, account);
  if (again && bent("transactions-second-load-slow")) await slowly(world);
  if (again && bent("transactions-second-load-adds")) addAgain(world, account);
  if (bent("transactions-load-nothing")) return;
  world.accounts.loadHistoric(account, monthsOf(world, call, account));
};

const connect = (world: World, account: Account): void => {
  const before = account.attempted;
  world.accounts.aggregate(account, "now");
  account.attempted = Math.max(account.attempted, before + 1);
};

/** Counted back from the date on which the account was added. */
const monthsOf = (world: World, { bent }: Call, { created }: Account): number => {
  if (bent("transactions-load-36-months")) return MONTHS + 12;
  const passed = Math.floor((world.seconds() - created) / (30 * DAY));
  return bent("transactions-load-counted-from-today") ? MONTHS - passed : MONTHS;
};

const slowly = (world: World): Promise<void> =>
  new Promise((resolve) => {
    world.clock.at(world.clock.now().getTime() + 5_000, resolve);
  });

const addAgain = (world: World, account: Account): void => {
  const ledger = world.accounts.ledgerOf(account);
  for (const days of [200, 300, 400]) {
    const date = account.created - days * DAY;
    const dates = { transactionDate: date, postedDate: date };
    post(ledger, { ...dates, amount: -9.75, description: "CITY TRANSIT PASS" });
  }
};

/** Nothing, unless a fault shows more than the standard aggregation brings. */
export const showOlder = (world: World, { bent }: Call, account: Account): void => {
  if (bent("transactions-standard-of-12-months")) world.accounts.loadHistoric(account, 12);
  if (bent("transactions-older-without-load")) world.accounts.loadHistoric(account, MONTHS);
};
