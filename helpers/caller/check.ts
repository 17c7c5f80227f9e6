/** Checks of a caller: each reads the exchanges of one client, and shows whether one requirement is met. */
import type { CheckResult } from "../checks/check.ts";
import { HOLDS, violation } from "../checks/check.ts";
import type { Service } from "../contract/contract.ts";
import { LEFT_OUT } from "../traffic/absent.ts";
import type { Ending, Seen } from "../traffic/seen.ts";

interface Row {
  /** Id of the requirement, without its service. */
  readonly requirement: string;
  /** The situation in which traffic shows the requirement, for the reason of `not-tried`. */
  readonly occasion: string;
}

/** A check of one request alone. */
export interface RequestCheck extends Row {
  /** Ids of the operations whose requests it reads; all requests if absent. */
  readonly operations?: readonly string[];
  /** Returns `undefined` when the request shows nothing about the requirement. */
  judge(seen: Seen): Judgement | undefined;
}

/** A check of behaviour over time. */
export interface HistoryCheck extends Row {
  /** Starts to watch one client. */
  watch(): Watch;
}

export interface Watch {
  /** Receives each exchange of the client when it ends, in this order. */
  see(seen: Seen): readonly Shown[];
  end?(ending: Ending): readonly Shown[];
}

export type CallerCheck = RequestCheck | HistoryCheck;

export interface Judgement {
  readonly result: CheckResult;
  /** The traffic suggests the violation but cannot prove it, so it is an advisory. */
  readonly suspected?: true;
}

/** A judgement with the exchanges that show it, the judged exchange first. */
export interface Shown extends Judgement {
  readonly exchanges: readonly Seen[];
}

/** The caller checks of one service. */
export interface CallerPolicy {
  readonly service: Service;
  readonly checks: readonly CallerCheck[];
  /** Requirements, without the service, that traffic never shows, each with the reason. */
  readonly unseen: Readonly<Record<string, string>>;
}

export const isRequestCheck = (check: CallerCheck): check is RequestCheck => "judge" in check;

type Details = Parameters<typeof violation>[0];

export const NOTHING: readonly Shown[] = [];

export const met: Judgement = { result: HOLDS };

export const broken = (details: Details): Judgement => ({ result: violation(details) });

export const suspected = (details: Details): Judgement => ({ result: violation(details), suspected: true });

/** @param holds whether the requirement is met; `details` describe the violation */
export const judgement = (holds: boolean, details: Details): Judgement => (holds ? met : broken(details));

export const shows = (judged: Judgement, ...exchanges: readonly Seen[]): readonly Shown[] => [
  { ...judged, exchanges },
];

/** Whether a recording does not show whether a request had a header. */
export const isLeftOut = ({ exchange }: Seen, header: string): boolean =>
  exchange.request.headers[header] === LEFT_OUT;

/** Whether a value of a log is redacted, so that a check can't read it. */
export const isRedacted = (value: unknown): boolean => typeof value === "string" && value.includes("‹");
