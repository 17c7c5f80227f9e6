/** Adds the ledger of a run up to its certificate: a verdict for every requirement. */
import type { Contract, Level, Requirement, Service } from "../helpers/contract/contract.ts";
import type { LedgerEntry, LedgerPage, Verdict } from "../helpers/trials/ledger.ts";
import type { RunInfo } from "../helpers/trials/run-info.ts";
import type { Depth } from "../helpers/trials/trial.ts";
import { countStatuses, observationsOf } from "./coverage.ts";
import { collectFindings } from "./findings.ts";
import { byText } from "./order.ts";
import { entriesByRequirement, selectedEntries, verdictOf } from "./verdicts.ts";

export type Outcome = "certified" | "violations" | "incomplete";

export interface CertifiedRequirement {
  readonly id: string;
  readonly service: Service;
  readonly level: Level;
  readonly statement: string;
  readonly source: string;
  readonly verdict: Verdict;
  /** Why `not-tried` or `blocked`. */
  readonly reason: string | null;
  readonly exchanges: number;
  /** Ids of findings. */
  readonly findings: readonly string[];
}

export interface CertifiedOperation {
  readonly service: Service;
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  /** All that took place, also those without a response. */
  readonly exchanges: number;
  readonly statuses: readonly {
    readonly status: number;
    readonly documented: boolean;
    readonly observed: number;
  }[];
}

export interface Finding {
  readonly id: string;
  readonly requirement: string;
  readonly operationId: string;
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  readonly curl: string;
  /** Command line that shows it again. */
  readonly replay: string;
}

/** What the target did where the documents are silent. */
export interface ObservedGap {
  readonly service: Service;
  readonly subject: string;
  readonly gap: string | null;
  readonly observed: readonly string[];
}

export interface Summary {
  readonly requirements: number;
  readonly passed: number;
  readonly failed: number;
  readonly advisory: number;
  readonly notTried: number;
  readonly blocked: number;
  readonly exchanges: number;
}

export interface Certificate {
  readonly format: "certificate/1";
  readonly target: RunInfo["target"];
  readonly contracts: readonly {
    readonly service: Service;
    readonly version: string;
    readonly digest: string;
    readonly provider: Contract["provider"];
  }[];
  readonly seed: number;
  readonly depth: Depth;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly outcome: Outcome;
  readonly summary: Summary;
  readonly operations: readonly CertifiedOperation[];
  readonly requirements: readonly CertifiedRequirement[];
  readonly findings: readonly Finding[];
  readonly observations: readonly ObservedGap[];
  readonly selection: RunInfo["selection"];
  readonly shard: RunInfo["shard"];
  /** What went wrong with the run itself, each a message to a person; with any the run is incomplete. */
  readonly problems: readonly string[];
}

export interface TrialFact {
  readonly trial: string;
  readonly requirements: readonly string[];
  /** `broken` ended without its ledger page or was cut short. */
  readonly state: "planned" | "finished" | "broken";
  /** Why it is broken. */
  readonly reason?: string;
}

export interface RunFacts {
  readonly trials: readonly TrialFact[];
  readonly problems: readonly string[];
  readonly durationMs: number;
}

/** The same verdicts give the same certificate, in whatever order pages and facts come. */
export const buildCertificate = (
  run: RunInfo,
  contracts: readonly Contract[],
  pages: readonly LedgerPage[],
  facts: RunFacts,
): Certificate => {
  const problems = problemsOf(contracts, pages, facts);
  const entries = selectedEntries(run, contracts, entriesByRequirement(pages, facts.trials));
  const findings = collectFindings(run, [...entries.values()].flat());
  const requirements = contracts.flatMap((contract) =>
    contract.requirements.map((requirement) =>
      certify(requirement, entries.get(requirement.id) ?? [], { run, facts, findings }),
    ),
  );
  const summary = summarise(requirements, pages);
  return {
    format: "certificate/1",
    target: run.target,
    contracts: run.contracts.map(({ service, version, digest, provider }) => ({
      service,
      version,
      digest,
      provider,
    })),
    seed: run.seed,
    depth: run.depth,
    startedAt: run.startedAt,
    durationMs: Math.round(facts.durationMs),
    outcome: outcomeOf(summary, problems),
    summary,
    operations: contracts.flatMap((contract) =>
      contract.operations.map((operation) => countStatuses(operation, pages)),
    ),
    requirements,
    findings,
    observations: contracts.flatMap((contract) => observationsOf(contract, pages)),
    selection: run.selection,
    shard: run.shard,
    problems,
  };
};

interface Whole {
  readonly run: RunInfo;
  readonly facts: RunFacts;
  readonly findings: readonly Finding[];
}

const certify = (
  requirement: Requirement,
  entries: readonly LedgerEntry[],
  { run, facts, findings }: Whole,
): CertifiedRequirement => {
  const { id, service, level, statement, source } = requirement;
  const judged = verdictOf(requirement, entries, run, facts.trials);
  return {
    id,
    service,
    level,
    statement,
    source,
    ...judged,
    exchanges: entries.reduce((sum, entry) => sum + entry.exchanges, 0),
    findings: findings.filter((finding) => finding.requirement === id).map((finding) => finding.id),
  };
};

const summarise = (requirements: readonly CertifiedRequirement[], pages: readonly LedgerPage[]): Summary => {
  const count = (verdict: Verdict): number => requirements.filter((one) => one.verdict === verdict).length;
  return {
    requirements: requirements.length,
    passed: count("passed"),
    failed: count("failed"),
    advisory: count("advisory"),
    notTried: count("not-tried"),
    blocked: count("blocked"),
    exchanges: pages.reduce((sum, page) => sum + page.exchanges, 0),
  };
};

const outcomeOf = (summary: Summary, problems: readonly string[]): Outcome => {
  if (summary.failed > 0) return "violations";
  if (summary.blocked > 0 || problems.length > 0) return "incomplete";
  return summary.passed + summary.advisory > 0 ? "certified" : "incomplete";
};

const problemsOf = (
  contracts: readonly Contract[],
  pages: readonly LedgerPage[],
  facts: RunFacts,
): string[] => {
  const known = new Set(contracts.flatMap((contract) => contract.requirements.map(({ id }) => id)));
  const problems = new Set(facts.problems);
  for (const { trial, service, entries } of pages) {
    if (!contracts.some((contract) => contract.service === service)) continue;
    for (const { requirement } of entries) {
      if (!known.has(requirement)) {
        problems.add(`Trial ${trial} judged ${requirement}, which no contract of this run states.`);
      }
    }
  }
  return [...problems].sort(byText);
};
