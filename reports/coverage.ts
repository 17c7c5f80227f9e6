/** How much of the contracts a run tried, and what limited it. Every rendering takes these numbers from here. */
import type { Certificate, Summary } from "./certificate.ts";
import { count, counted } from "./text.ts";

type Tried = Pick<Summary, "passed" | "failed" | "advisory">;

/** Returns the number of requirements that were tried: those with a verdict about the target. */
export const triedIn = ({ passed, failed, advisory }: Tried): number => passed + failed + advisory;

/** `tried 762 of 1,602 (48 %)`; the share is rounded down, so that only a complete run has 100 %. */
export const coverageWords = ({ summary }: Pick<Certificate, "summary">): string => {
  const [tried, all] = [triedIn(summary), summary.requirements];
  return `tried ${count(tried)} of ${count(all)} (${all === 0 ? 0 : Math.floor((100 * tried) / all)} %)`;
};

/** Returns what limited the run, for example `--operation`; empty for a whole run. */
const limitsOn = ({
  selection,
  shard,
  since,
  budget,
}: Pick<Certificate, "selection" | "shard" | "since" | "budget">): string[] => [
  ...(since ? ["--since"] : []),
  ...(selection?.operations && !since ? ["--operation"] : []),
  ...(selection?.requirements && !since ? ["--requirement"] : []),
  ...(budget?.requests === undefined ? [] : ["--max-requests"]),
  ...(budget?.seconds === undefined ? [] : ["--max-time"]),
  ...(shard && shard.total > 1 ? [`shard ${shard.index} of ${shard.total}`] : []),
];

/** `partial (--operation)`; empty for a whole run. */
export const partialWords = (certificate: Certificate): string => {
  if (!certificate.partial) return "";
  const limits = limitsOn(certificate);
  return limits.length === 0 ? "partial" : `partial (${limits.join(", ")})`;
};

/** States in one line what a budget left out. */
export const budgetLines = ({ budget }: Pick<Certificate, "budget">): string[] =>
  budget === undefined
    ? []
    : [
        `budget: ${counted(budget.trialsLeftOut, "trial")} left out; the run misses about ${budget.faultsLeftOut} % of the faults of the sandbox`,
      ];
