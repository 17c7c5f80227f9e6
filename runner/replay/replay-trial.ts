/** Shows a finding again by the trial that found it: it logs in, and creates what it needs. */
import { fingerprintOf } from "../../helpers/accept/fingerprint.ts";
import type { Contract } from "../../helpers/contract/contract.ts";
import { type Exchange, statusOf } from "../../helpers/exchange/exchange.ts";
import type { Failure } from "../../helpers/trials/failure.ts";
import type { LedgerEntry } from "../../helpers/trials/ledger.ts";
import type { Trial } from "../../helpers/trials/trial.ts";
import type { Finding } from "../../reports/certificate.ts";
import { cut } from "../../reports/text.ts";
import { inReplaySession, type ReplayOptions } from "./replay-session.ts";

export type TrialReplay =
  | { readonly end: "broken"; readonly failure: Failure; readonly isSame: boolean }
  | { readonly end: "holds" }
  | { readonly end: "unknown"; readonly problem: string };

/** @param trials all trials of the service */
export const replayTrial = async (
  finding: Finding,
  trials: readonly Trial[],
  options: ReplayOptions,
): Promise<TrialReplay> => {
  const chosen = trials.filter((trial) =>
    finding.trial === undefined
      ? trial.requirements.includes(finding.requirement)
      : trial.id === finding.trial,
  );
  if (chosen.length === 0)
    return { end: "unknown", problem: "This version of the product has no trial that shows it." };
  const [contract] = options.contracts;
  return inReplaySession({ ...options, onExchange: printer(contract) }, async (session) => {
    const entries: LedgerEntry[] = [];
    for (const trial of chosen) {
      const result = await session.run(trial);
      entries.push(...result.entries.filter(({ requirement }) => requirement === finding.requirement));
      const shown = shownBy(entries, finding);
      if (shown !== undefined) return shown;
    }
    const problem = entries.find(({ verdict }) => verdict === "blocked" || verdict === "not-tried");
    const passed = entries.some(({ verdict }) => verdict === "passed");
    return passed || problem === undefined
      ? { end: "holds" }
      : { end: "unknown", problem: `It could not be tried: ${problem.reason}` };
  });
};

/** Returns the same violation, or another one of the requirement if that is all. */
const shownBy = (
  entries: readonly LedgerEntry[],
  { requirement, fingerprint }: Finding,
): TrialReplay | undefined => {
  const failures = entries.flatMap(({ failure }) => failure ?? []);
  const same = failures.find((failure) => fingerprintOf(requirement, failure) === fingerprint);
  const failure = same ?? failures[0];
  return failure && { end: "broken", failure, isSame: same !== undefined };
};

/** Prints each call as it ends, with its status. */
const printer = (contract: Contract | undefined): ((exchange: Exchange) => void) => {
  let number = 0;
  return (exchange) => {
    if (exchange.failure?.kind === "not-allowed") return;
    number += 1;
    const path = contract?.operations.find(({ operationId }) => operationId === exchange.operationId)?.path;
    const line = `${exchange.request.method} ${cut(path ?? "", LONGEST_PATH)} (${exchange.operationId})`;
    process.stdout.write(`${number}. ${line}: ${statusOf(exchange) || "no answer"}\n`);
  };
};

const LONGEST_PATH = 120;
