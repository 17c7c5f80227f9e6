/** What a run sends, told request by request: a dryRun counts it. */
import { type Exchange, statusOf } from "../exchange/exchange.ts";
import type { Trial } from "../trials/trial.ts";

/** One request that was sent. */
export interface Sent {
  readonly operationId: string;
  readonly kind: Kind;
  /** 0 without a response. */
  readonly status: number;
  /** Whether it names an account that a test may lock, such as the disposable partner. */
  readonly isDisposable: boolean;
}

/** What a request was sent for. */
export type Kind = (typeof KINDS)[number];

export const KINDS = ["valid calls", "credentials", "unknown ids", "rules", "scenarios"] as const;

/** By the ids of trials: those of a scenario are like none of them. */
const PATTERNS: readonly (readonly [Kind, RegExp])[] = [
  ["valid calls", /\/success$/],
  ["credentials", /^authentication\/|\/authentication$/],
  ["unknown ids", /\/unknown-\w+$/],
  ["rules", /\/rule\//],
];

/** @param disposable identifiers of the accounts that a test may lock */
export const sentFor = (
  trial: Trial | undefined,
  exchange: Exchange,
  disposable: readonly string[],
): Sent => ({
  operationId: exchange.operationId,
  kind: PATTERNS.find(([, pattern]) => pattern.test(trial?.id ?? ""))?.[0] ?? "scenarios",
  status: statusOf(exchange),
  isDisposable: disposable.some((account) => (exchange.request.body ?? "").includes(account)),
});
