/** Loads transactions that are older than the standard aggregation. */
import { DAY } from "../../../engine/values/units.ts";
import type { Call } from "../../calls.ts";
import type { Account } from "../../state/account.ts";
import { post } from "../../state/ledger.ts";
import { type State, stored } from "../../state/state.ts";

const MONTHS = 24;

/** Ids of the loaded accounts. */
export const loaded = stored("historic-loads", () => new Set<string>());

/** Loads the history. The first load connects to the institution, a later one only when it is forced. */
export const loadHistoric = async (
  state: State,
  call: Call,
  account: Account,
  forced: boolean,
): Promise<void> => {
  const { faulty } = call;
  const again = loaded(state).has(account.id);
  loaded(state).add(account.id);
  if (!again || (forced && !faulty("transactions-force-ignored"))) connect(state, account);
  if (again && faulty("transactions-second-load-slow")) await slowly(state);
  if (again && faulty("transactions-second-load-adds")) addAgain(state, account);
  if (faulty("transactions-load-nothing")) return;
  state.accounts.loadHistoric(account, monthsOf(state, call, account));
};

const connect = (state: State, account: Account): void => {
  const before = account.attempted;
  state.accounts.aggregate(account, "now");
  account.attempted = Math.max(account.attempted, before + 1);
};

/** Returns the months to load before the date on which the account was added. */
const monthsOf = (state: State, { faulty }: Call, { created }: Account): number => {
  if (faulty("transactions-load-36-months")) return MONTHS + 12;
  const passed = Math.floor((state.seconds() - created) / (30 * DAY));
  return faulty("transactions-load-counted-from-today") ? MONTHS - passed : MONTHS;
};

const slowly = (state: State): Promise<void> =>
  new Promise((resolve) => {
    state.clock.at(state.clock.now().getTime() + 5_000, resolve);
  });

const addAgain = (state: State, account: Account): void => {
  const ledger = state.accounts.ledgerOf(account);
  for (const days of [200, 300, 400]) {
    const date = account.created - days * DAY;
    const dates = { transactionDate: date, postedDate: date };
    post(ledger, { ...dates, amount: -9.75, description: "CITY TRANSIT PASS" });
  }
};

/** Loads older transactions only when a fault demands it. */
export const showOlder = (state: State, { faulty }: Call, account: Account): void => {
  if (faulty("transactions-standard-of-12-months")) state.accounts.loadHistoric(account, 12);
  if (faulty("transactions-older-without-load")) state.accounts.loadHistoric(account, MONTHS);
};
