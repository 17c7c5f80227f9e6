/** The time that each operation takes, from the times of the requests of a run. */
import type { Contract } from "../helpers/contract/contract.ts";
import { grouped } from "../helpers/contract/once.ts";
import { createMatcher } from "../helpers/traffic/match.ts";
import type { Seen } from "./replay.ts";
import { median } from "./tools.ts";

export interface OperationTime {
  readonly operation: string;
  readonly requests: number;
  /** Milliseconds of the median request. */
  readonly own: number;
  readonly bare: number;
}

export interface RequestTime {
  readonly seen: Seen;
  readonly operation: string;
  /** Milliseconds. */
  readonly own: number;
  readonly bare: number;
}

/** Leaves out requests to the admin interface, and requests that match no operation. */
export const requestTimes = (
  contracts: readonly Contract[],
  requests: readonly Seen[],
  own: readonly number[],
  bare: readonly number[],
): readonly RequestTime[] => {
  const operationOf = finder(contracts);
  return requests.flatMap((seen, index) => {
    const operation = operationOf(seen);
    return operation === undefined ? [] : [{ seen, operation, own: own[index] ?? 0, bare: bare[index] ?? 0 }];
  });
};

/** Returns the operations, the slowest in comparison first. */
export const operationTimes = (times: readonly RequestTime[]): readonly OperationTime[] =>
  [...grouped(times, ({ operation }) => operation)]
    .map(([operation, of]) => ({
      operation,
      requests: of.length,
      own: median(of.map((one) => one.own)),
      bare: median(of.map((one) => one.bare)),
    }))
    .sort((one, other) => other.own / other.bare - one.own / one.bare);

const finder = (contracts: readonly Contract[]) => {
  const origin = "http://sandbox.example.com";
  const bases = contracts.map(({ service, basePath }) => [service, `${origin}${basePath || `/${service}`}`]);
  const match = createMatcher(contracts, Object.fromEntries(bases));
  return ({ method, path }: Seen): string | undefined =>
    match(method, new URL(`${origin}${path.replace(/^\/t\/[^/]+/, "")}`))?.operation?.operationId;
};

export const DECRYPTS = "decrypts";
const CALLS = "calls a listener";

/** Operations that also do something that the bare route does not: they call a listener, or decrypt a card. */
const EXCLUDED: Readonly<Record<string, string>> = {
  putCard: DECRYPTS,
  createWebhookSubscription: CALLS,
  SubscribeToTxPushNotifications: CALLS,
  updateWebhookSubscription: CALLS,
  postPlans: CALLS,
};

/** @returns why the operation has no goal, or `undefined` */
export const excluded = (operation: string): string | undefined => EXCLUDED[operation];
