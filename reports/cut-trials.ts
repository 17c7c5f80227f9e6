/** Trials that did not come to their end: what they were to show is not known. */
import { crashReason } from "../helpers/trials/crash.ts";
import type { LedgerPage } from "../helpers/trials/ledger.ts";
import type { RunFacts, TrialFact } from "./certificate.ts";

/** Where the trial of a page crashed, what it tries is blocked on its page already. */
const crashed = (pages: readonly LedgerPage[]): TrialFact[] =>
  pages
    .filter(({ crash }) => crash !== undefined)
    .map(({ trial, service, entries }) => {
      const blocked = entries.filter(({ verdict }) => verdict === "blocked");
      const requirements = [...new Set(blocked.map(({ requirement }) => requirement))];
      return { trial, requirements, state: "broken", reason: crashReason(service, trial) };
    });

export interface CutTrials {
  /** Ids of the requirements that they try. */
  readonly requirements: ReadonlySet<string>;
  /** Messages about those that broke off by themselves. */
  readonly problems: readonly string[];
}

export const cutTrials = (pages: readonly LedgerPage[], { trials }: RunFacts): CutTrials => {
  const cut = [...trials.filter(({ state }) => state !== "finished"), ...crashed(pages)];
  const broken = cut.filter(({ state }) => state === "broken");
  return {
    requirements: new Set(cut.flatMap(({ requirements }) => requirements)),
    problems: broken.map(
      ({ trial, requirements, reason }) =>
        `Trial ${trial} (${requirements.join(", ") || "of no requirement"}) broke off: ${reason}.`,
    ),
  };
};
