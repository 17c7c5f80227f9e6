/** Shows a finding again by the trial that found it: it logs in, and creates what it needs. */
import { fingerprintOf } from "../../helpers/accept/fingerprint.ts";
import type { Exchange, RecordedExchange } from "../../helpers/exchange/exchange.ts";
import { sentenceOf } from "../../helpers/reasons/reason.ts";
import type { Failure } from "../../helpers/trials/failure.ts";
import type { LedgerEntry } from "../../helpers/trials/ledger.ts";
import type { Trial } from "../../helpers/trials/trial.ts";
import type { Finding } from "../../reports/certificate/certificate.ts";
import { print } from "../../reports/print.ts";
import { exchangeText } from "../../reports/render/finding-text.ts";
import { inReplaySession, type ReplayOptions } from "./replay-session.ts";

export type TrialReplay =
  | { readonly end: "broken"; readonly failure: Failure; readonly isSame: boolean }
  | { readonly end: "holds" }
  | { readonly end: "unknown"; readonly problem: string };

/** @param trials all trials of the service */
export const replayTrial = async (
  finding: Pick<Finding, "requirement" | "trial" | "fingerprint">,
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
  const sent: Exchange[] = [];
  const onExchange = (exchange: Exchange): void => {
    if (exchange.failure?.kind !== "not-allowed") sent.push(exchange);
  };
  return inReplaySession({ ...options, onExchange }, async (session) => {
    const entries: LedgerEntry[] = [];
    for (const trial of chosen) {
      const earlier = sent.length;
      const result = await session.run(trial);
      entries.push(...result.entries.filter(({ requirement }) => requirement === finding.requirement));
      const shown = shownBy(entries, finding);
      const rows = sent.slice(earlier).map(session.record);
      printRows(rows, earlier, shown?.failure.exchanges.map(({ id }) => id) ?? []);
      if (shown !== undefined) return shown;
    }
    const problem = entries.find(({ verdict }) => verdict === "blocked" || verdict === "not-tried");
    const passed = entries.some(({ verdict }) => verdict === "passed");
    return passed || problem === undefined
      ? { end: "holds" }
      : { end: "unknown", problem: `It could not be tried: ${problem.reason && sentenceOf(problem.reason)}` };
  });
};

/** Returns the same violation, or another one of the requirement if that is all. */
const shownBy = (
  entries: readonly LedgerEntry[],
  { requirement, fingerprint }: Pick<Finding, "requirement" | "fingerprint">,
): (TrialReplay & { readonly end: "broken" }) | undefined => {
  const failures = entries.flatMap(({ failure }) => failure ?? []);
  const same = failures.find((failure) => fingerprintOf(requirement, failure) === fingerprint);
  const failure = same ?? failures[0];
  return failure && { end: "broken", failure, isSame: same !== undefined };
};

/**
 * Prints each request with its status, and marks those that prove the finding.
 * @param earlier the number of requests of earlier trials
 * @param proof the ids of the exchange that shows the violation, and of what it is compared with
 */
const printRows = (rows: readonly RecordedExchange[], earlier: number, proof: readonly string[]): void => {
  for (const [at, row] of rows.entries()) {
    const [mark, role] = MARKS[Math.min(proof.indexOf(row.id), 1)] ?? ["  ", ""];
    print(`${mark}${earlier + at + 1}. ${row.operationId}: ${exchangeText(row)}${role}\n`);
  }
};

const MARKS: Readonly<Record<number, readonly [mark: string, role: string]>> = {
  0: ["✗ ", ", which shows the finding"],
  1: ["→ ", ", with which it is compared"],
};
