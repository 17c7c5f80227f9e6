/** Chooses the verdict of a requirement: the strongest of its trials, or the reason why there is none. */
import type { Contract, Requirement } from "../../helpers/contract/contract.ts";
import { groupBy, memoize } from "../../helpers/contract/memoize.ts";
import type { RequirementSet } from "../../helpers/contract/requirement-set.ts";
import { because, type Reason, sentenceOf } from "../../helpers/reasons/reason.ts";
import {
  type LedgerEntry,
  OBLIGES,
  STRENGTH,
  type TrialResult,
  type Verdict,
} from "../../helpers/trials/ledger.ts";
import { isSelected, type RunInfo } from "../../helpers/trials/run-info.ts";
import { groupByTitle, largestFirst } from "../order.ts";
import type { TrialFact } from "./certificate.ts";

/**
 * Groups ledger entries. An unfinished trial blocks all its requirements; only a failure takes precedence over that.
 */
export const entriesByRequirement = (
  trialResults: readonly TrialResult[],
  trials: readonly TrialFact[],
): ReadonlyMap<string, readonly LedgerEntry[]> => {
  const blocked = trials
    .filter(({ state }) => state !== "finished")
    .flatMap(({ requirements, reason = because("not-finished") }) =>
      requirements.map(
        (requirement): LedgerEntry => ({ requirement, verdict: "blocked", reason, exchanges: 0 }),
      ),
    );
  const entries = [...trialResults.flatMap((trialResult) => trialResult.entries), ...blocked];
  return groupBy(entries, ({ requirement }) => requirement);
};

/** Returns the entries of the selected requirements. Verdicts on other requirements do not count. */
export const selectedEntries = (
  run: RunInfo,
  contracts: readonly Contract[],
  entries: ReadonlyMap<string, readonly LedgerEntry[]>,
): ReadonlyMap<string, readonly LedgerEntry[]> => {
  const selected = contracts.flatMap(({ requirements }) =>
    requirements.filter((requirement) => isSelected(run.selection, requirement)),
  );
  return new Map(selected.map(({ id }) => [id, entries.get(id) ?? []]));
};

/** The verdict of a requirement. The reason is set for `not-tried`, `blocked`, and an `advisory` in place of `failed`. */
export interface Judged {
  readonly verdict: Verdict;
  readonly reason: Reason | null;
}

export const verdictOf = (
  requirement: Requirement,
  entries: readonly LedgerEntry[],
  run: RunInfo,
  trials: readonly TrialFact[],
): Judged => (entries.length > 0 ? strongest(entries) : unjudged(requirement, run, trials));

/**
 * Limits the verdict of a requirement that was added after the set was frozen to `advisory`.
 * @param isCut whether a trial of it did not finish: the result is unknown, so the requirement stays blocked
 */
export const asLater = ({ verdict, reason }: Judged, { version }: RequirementSet, isCut: boolean): Judged => {
  const added = because("added-later", version);
  if (verdict === "blocked" && !isCut)
    return {
      verdict: "not-tried",
      reason: reason && because("added-and-blocked", version, reason),
    };
  if (verdict === "failed" || verdict === "advisory") return { verdict: "advisory", reason: added };
  return { verdict, reason };
};

const strongest = (entries: readonly LedgerEntry[]): Judged => {
  const strength = Math.max(...entries.map((entry) => STRENGTH.indexOf(entry.verdict)));
  const verdict = STRENGTH[strength] as Verdict;
  const reasons = entries.flatMap((entry) => (entry.verdict === verdict && entry.reason) || []);
  return { verdict, reason: verdict === "not-tried" || verdict === "blocked" ? mostFrequent(reasons) : null };
};

const mostFrequent = (reasons: readonly Reason[]): Reason => {
  const [first] = groupByTitle(reasons, sentenceOf).sort(largestFirst);
  return first?.items[0] ?? because("no-verdict");
};

const unjudged = (requirement: Requirement, run: RunInfo, trials: readonly TrialFact[]): Judged => {
  const notTried = reasonNotToTry(requirement, run, trials);
  if (notTried !== undefined) return { verdict: "not-tried", reason: notTried };
  return {
    verdict: "blocked",
    reason: because(triedBy(trials).has(requirement.id) ? "no-verdict" : "no-trial"),
  };
};

const reasonNotToTry = (
  requirement: Requirement,
  run: RunInfo,
  trials: readonly TrialFact[],
): Reason | undefined => {
  if (requirement.subject !== "service") return OBLIGES[requirement.subject];
  if (requirement.observable === "not-observable") return because("not-observable");
  const untested = run.untested[requirement.service];
  if (untested !== undefined) return untested;
  if (!isSelected(run.selection, requirement)) return because("not-selected");
  const isPart = (run.shard?.total ?? 1) > 1;
  return isPart && !triedBy(trials).has(requirement.id) ? because("other-shard") : undefined;
};

/** Returns the ids of the requirements that the trials try. */
const triedBy = memoize(
  (trials: readonly TrialFact[]) => new Set(trials.flatMap(({ requirements }) => requirements)),
);
