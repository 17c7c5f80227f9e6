/** Describes each request of a run, so that a dry run can count the requests. */
import { type Exchange, statusOf } from "../exchange/exchange.ts";
import type { Trial } from "../trials/trial.ts";

/** One request that was sent, or that a permission kept back. */
export interface Sent {
  readonly operationId: string;
  readonly kind: Kind;
  /** The status; 0 without a response. */
  readonly status: number;
  /** Whether the request names an account that a test may lock, for example the disposable partner. */
  readonly isDisposable: boolean;
  /** Whether the request needs ALLOW_DESTRUCTIVE. */
  readonly isDestructive: boolean;
  /** Whether the permissions of the target do not allow the request. */
  readonly isKeptBack: boolean;
}

/** The purpose of a request. */
export type Kind = (typeof KINDS)[number];

export const KINDS = ["valid calls", "credentials", "unknown ids", "rules", "scenarios"] as const;

/** The patterns of trial ids. Ids of scenarios match none of them. */
const PATTERNS: readonly (readonly [Kind, RegExp])[] = [
  ["valid calls", /\/success$/],
  ["credentials", /^authentication\/|\/authentication$/],
  ["unknown ids", /\/unknown-\w+$/],
  ["rules", /\/rule\//],
];

/** Returns the description of a request. @param disposable identifiers of the accounts that a test may lock */
export const sentFor = (
  trial: Trial | undefined,
  exchange: Exchange,
  disposable: readonly string[],
): Sent => ({
  operationId: exchange.operationId,
  kind: PATTERNS.find(([, pattern]) => pattern.test(trial?.id ?? ""))?.[0] ?? "scenarios",
  status: statusOf(exchange),
  isDisposable: disposable.some((account) => (exchange.request.body ?? "").includes(account)),
  isDestructive: exchange.isDestructive === true,
  isKeptBack: exchange.failure?.kind === "not-allowed",
});
