/** What the trials of installments have in common. */
import { type CheckResult, violation } from "../../helpers/checks/check.ts";
import { checkRefused } from "../../helpers/checks/refusal.ts";
import type { Exchange } from "../../helpers/exchange/exchange.ts";
import { NotTried, TargetLost, type Trial, type TrialContext } from "../../helpers/trials/trial.ts";
import { observe } from "./observe.ts";

interface Row {
  readonly id: string;
  readonly title: string;
  readonly section: string;
  readonly operations: readonly string[];
  /** Ids without the service in front. */
  readonly requirements: readonly string[];
}

const SERVICE = "installments";

/** `approvals.approve` -> `installments.approvals.approve`. */
export const id = (suffix: string): string => `${SERVICE}.${suffix}`;

export const scenario = (row: Row, run: (context: TrialContext) => Promise<void>): Trial => ({
  ...row,
  service: SERVICE,
  requirements: row.requirements.map(id),
  hazards: [],
  run,
  observe,
});

/**
 * No status is shown: any client error is a refusal.
 * @returns `undefined` when the probe was refused but its twin was too: nothing is shown
 */
export const checkRefusal = (
  what: { readonly what: string; readonly pointer: string; readonly keyword?: string },
  probe: Exchange,
  twin: Exchange,
): CheckResult | undefined => {
  const result = checkRefused(what, probe, twin, REFUSALS);
  return result?.holds === false ? { ...result, expected: "a client error" } : result;
};

const REFUSALS: readonly number[] = Array.from({ length: 100 }, (_, index) => 400 + index);

interface Finding {
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
}

/**
 * What only a target that uses the assumed names can be blamed for.
 * @param certain whether it does
 */
export const conclude = (
  { judge }: TrialContext,
  suffix: string,
  {
    holds,
    certain,
    finding,
  }: { readonly holds: boolean; readonly certain: boolean; readonly finding: Finding },
  exchanges: readonly Exchange[],
): void => {
  if (holds) judge.passed(id(suffix), exchanges);
  else if (certain) judge.record(id(suffix), violation({ pointer: "", ...finding }), exchanges);
  else {
    judge.notTried(
      id(suffix),
      `${finding.message}, which may only mean that its names are not the assumed ones: give its document with --contract installments=FILE`,
    );
  }
};

/** @returns `undefined` where something is missing that nobody is to blame for */
export const ifPossible = async <Value>(make: () => Promise<Value>): Promise<Value | NotTried> => {
  try {
    return await make();
  } catch (error) {
    if (error instanceof NotTried) return error;
    throw error;
  }
};

/** @throws TargetLost when there is no answer at all */
export const answered = (exchange: Exchange): Exchange => {
  if (exchange.failure !== undefined) throw new TargetLost(exchange.failure.message);
  return exchange;
};
