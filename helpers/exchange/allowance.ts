/** What a run may still send: its permissions, counted. The sessions of a run share one, in whatever process they are. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Permissions } from "../target/target.ts";

export interface Allowance {
  /** Takes one billable call; false when none is left. */
  bill(): Promise<boolean>;
  /** Comes back when the next request may be sent. */
  turn(): Promise<void>;
  /**
   * Takes a log-in to an account; false when one more failure could lock it. Waits for those under way, whose end decides.
   * Whoever got true has to tell the end with `loggedIn`.
   */
  logIn(account: string): Promise<boolean>;
  /** @param failed also where it is not known */
  loggedIn(account: string, failed: boolean): void;
}

/** What the processes of a run take from, through somebody who asks for them. */
export interface SharedAllowance extends Allowance {
  /** Takes billable calls for a while: a thousandth of what is left, so that nobody keeps many from others; 0 when none is. */
  lease(): number;
  /** Gives back those of a lease that were not made. */
  giveBack(calls: number): void;
}

/** The time by which the rate is kept. */
interface Clock {
  /** Milliseconds, from any origin. */
  now(): number;
  wait(milliseconds: number): Promise<void>;
}

const wallClock: Clock = {
  now: () => performance.now(),
  wait: async (milliseconds) => {
    await sleep(milliseconds);
  },
};

/** Accounts that lock do so on the fifth failure, and it is open whether a success starts the count anew. */
const FAILURES_ALLOWED = 4;

export type Limits = Pick<Permissions, "billableCalls" | "requestsPerSecond"> & {
  /** Failed log-ins on one account; four unless said otherwise. */
  readonly failedLogIns?: number;
};

export const createAllowance = (limits: Limits, clock: Clock = wallClock): SharedAllowance => {
  const { billableCalls, failedLogIns = FAILURES_ALLOWED } = limits;
  const turn = pace(limits.requestsPerSecond, clock);
  const accounts = new Map<string, Account>();
  const accountOf = (name: string): Account => {
    const known = accounts.get(name) ?? { failures: 0, underWay: 0, waiting: [] };
    accounts.set(name, known);
    return known;
  };
  let left = billableCalls;
  const take = (calls: number): number => {
    const taken = Math.min(calls, left);
    left -= taken;
    return taken;
  };
  return {
    bill: async () => take(1) === 1,
    lease: () => take(Math.max(1, Math.floor(left / 1000))),
    giveBack(calls) {
      left += calls;
    },
    turn,
    async logIn(name) {
      const account = accountOf(name);
      while (account.failures + account.underWay >= failedLogIns && account.underWay > 0) {
        await new Promise<void>((resolve) => account.waiting.push(resolve));
      }
      if (account.failures >= failedLogIns) return false;
      account.underWay += 1;
      return true;
    },
    loggedIn(name, failed) {
      const account = accountOf(name);
      account.underWay -= 1;
      if (failed) account.failures += 1;
      for (const wake of account.waiting.splice(0)) wake();
    },
  };
};

/** The part of one shard, so that all shards together keep to what one run may do. */
export const shareOf = (
  limits: Limits,
  shard: { readonly index: number; readonly total: number } | null,
): Limits => {
  if (shard === null) return limits;
  const { index, total } = shard;
  const part = (whole: number): number => Math.floor(whole / total) + (index <= whole % total ? 1 : 0);
  const { billableCalls, requestsPerSecond, failedLogIns = FAILURES_ALLOWED } = limits;
  return {
    billableCalls: part(billableCalls),
    failedLogIns: part(failedLogIns),
    ...(requestsPerSecond !== undefined && { requestsPerSecond: requestsPerSecond / total }),
  };
};

interface Account {
  failures: number;
  underWay: number;
  readonly waiting: (() => void)[];
}

/**
 * Spaces requests evenly: a server may count over any second it likes, so a burst after a quiet time would
 * exceed the rate as well.
 */
const pace = (perSecond: number | undefined, clock: Clock): Allowance["turn"] => {
  if (perSecond === undefined) return async () => {};
  let free = Number.NEGATIVE_INFINITY;
  return async () => {
    const now = clock.now();
    const start = Math.max(now, free);
    free = start + 1000 / perSecond;
    if (start > now) await clock.wait(start - now);
  };
};
