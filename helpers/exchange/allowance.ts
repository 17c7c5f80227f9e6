/** Counts the requests that a run may still send. All sessions of a run share one allowance, across processes. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Level } from "../contract/contract.ts";
import { getOrInsert } from "../contract/memoize.ts";
import { steadyNow } from "../contract/steady-time.ts";
import type { Permissions } from "../target/target.ts";

export interface Allowance {
  /** Reserves one billable call; false when none is left. */
  bill(): Promise<boolean>;
  /** Resolves when the next request may be sent. */
  turn(): Promise<void>;
  /** Reserves one request to a service; false when the budget of the run is used up. */
  spend(service: string): Promise<boolean>;
  /**
   * Reserves an attempt that may do harm; false when as many have done harm as may. Waits for pending attempts if
   * necessary. After true, the caller must report the end of the attempt with `attempted`.
   */
  attempt(risk: Risk): Promise<boolean>;
  /** Reports the end of an attempt. @param harm whether it did harm, or may have done so */
  attempted(risk: Risk, harm: boolean): void;
}

/**
 * What an attempt may do harm to: a failed log-in to its account, or an accepted invalid request to an operation whose
 * results nobody can remove.
 */
export type Risk =
  | { readonly account: string }
  | { readonly lasting: string /** The level of the rule that the requests break. */; readonly level: Level };

/** The allowance that the coordinator shares among the processes of a run. */
export interface SharedAllowance extends Allowance {
  /**
   * Leases billable calls to a process: a thousandth of the remaining calls, so that other processes get some too; 0
   * when none are left.
   */
  lease(): number;
  /** Returns the unused calls of a lease. */
  giveBack(calls: number): void;
  /** Whether the budget of the run is used up for all services. */
  isSpent(): boolean;
}

/** The clock of the rate limit. */
interface Clock {
  /** Returns milliseconds since any origin. */
  now(): number;
  wait(milliseconds: number): Promise<void>;
}

const wallClock: Clock = {
  now: () => performance.now(),
  wait: async (milliseconds) => {
    await sleep(milliseconds);
  },
};

/** Accounts lock on the fifth failure. The documents leave open whether a success resets the count. */
const FAILURES_ALLOWED = 4;

/** The number of accepted invalid requests of each level to an operation whose results nobody can remove. */
export const LASTING_ALLOWED = 3;

export type Limits = Pick<Permissions, "billableCalls" | "requestsPerSecond" | "budget" | "lasting"> & {
  /** The maximum number of failed log-ins for each account; four by default. */
  readonly failedLogIns?: number;
};

export const createAllowance = (limits: Limits, clock: Clock = wallClock): SharedAllowance => {
  const { billableCalls, lasting = LASTING_ALLOWED, failedLogIns = FAILURES_ALLOWED } = limits;
  const turn = pace(limits.requestsPerSecond, clock);
  const attempts = new Map<string, Attempts>();
  const attemptsOf = (risk: Risk): Attempts =>
    getOrInsert(attempts, JSON.stringify(risk), () => ({
      most: "account" in risk ? failedLogIns : lasting,
      ...{ harmful: 0, underWay: 0, waiting: [] },
    }));
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
    ...spending(limits.budget),
    async attempt(risk) {
      const known = attemptsOf(risk);
      while (known.harmful + known.underWay >= known.most && known.underWay > 0) {
        await new Promise<void>((resolve) => known.waiting.push(resolve));
      }
      if (known.harmful >= known.most) return false;
      known.underWay += 1;
      return true;
    },
    attempted(risk, harm) {
      const known = attemptsOf(risk);
      known.underWay -= 1;
      if (harm) known.harmful += 1;
      for (const wake of known.waiting.splice(0)) wake();
    },
  };
};

/** Returns the share of one shard, so that all shards together stay within the limits of one run. */
export const shareOf = (
  limits: Limits,
  shard: { readonly index: number; readonly total: number } | null,
): Limits => {
  if (shard === null) return limits;
  const { index, total } = shard;
  const part = (whole: number): number => Math.floor(whole / total) + (index <= whole % total ? 1 : 0);
  const { billableCalls, requestsPerSecond, failedLogIns = FAILURES_ALLOWED, lasting, budget } = limits;
  const { requests, shares } = budget ?? {};
  return {
    ...(budget && {
      budget: {
        ...budget,
        ...(requests !== undefined && { requests: part(requests) }),
        ...(shares && { shares: mapped(shares, part) }),
      },
    }),
    billableCalls: part(billableCalls),
    failedLogIns: part(failedLogIns),
    ...(lasting !== undefined && { lasting }),
    ...(requestsPerSecond !== undefined && { requestsPerSecond: requestsPerSecond / total }),
  };
};

const mapped = (shares: Readonly<Record<string, number>>, part: (whole: number) => number) =>
  Object.fromEntries(Object.entries(shares).map(([service, share]) => [service, part(share)]));

const spending = (budget: Permissions["budget"]): Pick<SharedAllowance, "spend" | "isSpent"> => {
  const { requests = Number.POSITIVE_INFINITY, shares = {}, until = Number.POSITIVE_INFINITY } = budget ?? {};
  const last = Object.keys(shares).at(-1);
  const sent = new Map<string, number>();
  let all = 0;
  const isSpent = (): boolean => all >= requests || steadyNow() >= until;
  const spend = async (service: string): Promise<boolean> => {
    const own = sent.get(service) ?? 0;
    const share = service === last ? requests : (shares[service] ?? requests);
    if (own >= share || isSpent()) return false;
    all += 1;
    sent.set(service, own + 1);
    return true;
  };
  return { spend, isSpent };
};

interface Attempts {
  readonly most: number;
  harmful: number;
  underWay: number;
  readonly waiting: (() => void)[];
}

/**
 * Spaces requests evenly. A server may count requests in any interval of a second, so a burst after a pause would
 * exceed the rate.
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
