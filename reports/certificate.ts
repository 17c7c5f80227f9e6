/** Adds the ledger of a run up to its certificate: a verdict for every requirement. */
import type { Acceptance } from "../helpers/accept/acceptance.ts";
import type { Contract, Level, Requirement, Service } from "../helpers/contract/contract.ts";
import type { Bump } from "../helpers/diff/bump.ts";
import type {
  LedgerEntry,
  LedgerPage,
  RecordedExchange,
  RecordedStep,
  Verdict,
} from "../helpers/trials/ledger.ts";
import type { RunInfo } from "../helpers/trials/run-info.ts";
import type { Depth } from "../helpers/trials/trial.ts";
import { type AcceptListUse, useOf } from "./acceptance.ts";
import type { Comparison } from "./comparison.ts";
import { countStatuses, observationsOf } from "./coverage.ts";
import { collectFindings } from "./findings.ts";
import type { Total } from "./mutation.ts";
import { proofOf } from "./mutation-file.ts";
import { byText } from "./order.ts";
import { asLater, entriesByRequirement, selectedEntries, verdictOf } from "./verdicts.ts";

export type Outcome = "certified" | "violations" | "incomplete";

export interface CertifiedRequirement {
  readonly id: string;
  readonly service: Service;
  readonly level: Level;
  readonly statement: string;
  readonly source: string;
  readonly verdict: Verdict;
  /** Why `not-tried` or `blocked`, or why no more than `advisory`. */
  readonly reason: string | null;
  readonly exchanges: number;
  /** Ids of findings. */
  readonly findings: readonly string[];
  /** It failed, and everything that shows so is accepted by the user. */
  readonly accepted?: true;
}

export interface CertifiedOperation {
  readonly service: Service;
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  /** Section of its document that describes it. */
  readonly section: string;
  readonly deprecated: boolean;
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
  /** Where in the request or response, as a JSON pointer or a header name; empty for the whole. */
  readonly pointer: string;
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  /** Redacted: the one that shows it, then its twin if there is one. */
  readonly exchanges: readonly RecordedExchange[];
  /** The steps that lead there, where one exchange alone shows nothing. */
  readonly sequence?: readonly RecordedStep[];
  readonly curl: string;
  /** Command line that shows it again. */
  readonly replay: string;
  /** The same in every run that finds the same; several findings never share one. */
  readonly fingerprint: string;
  /** Who accepts it, where the user's accept list does: it stays a violation, but decides nothing. */
  readonly accepted?: Omit<Acceptance, "fingerprint">;
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
  /** How many of the failed ones are accepted; there with an accept list only. */
  readonly accepted?: number;
}

export interface Certificate {
  readonly format: "certificate/1";
  readonly target: RunInfo["target"];
  readonly contracts: readonly {
    readonly service: Service;
    readonly version: string;
    readonly digest: string;
    readonly provider: Contract["provider"];
    /** The frozen set that it was judged by; `null` where its version has none. */
    readonly requirementSet?: Contract["requirementSet"];
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
  /** What became of the entries of the user's accept list. */
  readonly accepted?: AcceptListUse;
  /** What the checks were proved against: faults, each of which they had to find; `null` where they were not. */
  readonly mutation?: Total | null;
  /** What changed since the baseline that the user gave. */
  readonly comparison?: Comparison;
  /** The bump of a provider's document of which the run tried what is touched. */
  readonly since?: Bump;
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
  /** Until it has come to its end, and if it never does, a run is incomplete, whatever it has found. */
  readonly brokenOff?: boolean;
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
      certify(requirement, entries.get(requirement.id) ?? [], { run, facts, findings, contract }),
    ),
  );
  const summary = summarise(run, requirements, pages);
  return {
    format: "certificate/1",
    target: run.target,
    contracts: run.contracts.map(({ service, version, digest, provider }) => ({
      service,
      version,
      digest,
      provider,
      requirementSet: contracts.find((contract) => contract.service === service)?.requirementSet ?? null,
    })),
    seed: run.seed,
    depth: run.depth,
    startedAt: run.startedAt,
    durationMs: Math.round(facts.durationMs),
    outcome: facts.brokenOff === true ? "incomplete" : outcomeOf(summary, problems),
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
    mutation: proofOf(run.services),
    ...(run.accepted && { accepted: useOf(run.accepted, run, requirements, findings) }),
  };
};

interface Whole {
  readonly run: RunInfo;
  readonly facts: RunFacts;
  readonly findings: readonly Finding[];
  readonly contract: Contract;
}

const certify = (
  requirement: Requirement,
  entries: readonly LedgerEntry[],
  { run, facts, findings, contract }: Whole,
): CertifiedRequirement => {
  const { id, service, level, statement, source } = requirement;
  const found = verdictOf(requirement, entries, run, facts.trials);
  const judged = contract.requirementSet?.later.includes(id)
    ? asLater(found, contract.requirementSet)
    : found;
  const shown = findings.filter((finding) => finding.requirement === id);
  return {
    id,
    service,
    level,
    statement,
    source,
    ...judged,
    exchanges: entries.reduce((sum, entry) => sum + entry.exchanges, 0),
    findings: shown.map((finding) => finding.id),
    ...(judged.verdict === "failed" && isAccepted(shown) && { accepted: true }),
  };
};

const isAccepted = (findings: readonly Finding[]): boolean =>
  findings.length > 0 && findings.every(({ accepted }) => accepted !== undefined);

const summarise = (
  run: RunInfo,
  requirements: readonly CertifiedRequirement[],
  pages: readonly LedgerPage[],
): Summary => {
  const count = (verdict: Verdict): number => requirements.filter((one) => one.verdict === verdict).length;
  return {
    requirements: requirements.length,
    passed: count("passed"),
    failed: count("failed"),
    advisory: count("advisory"),
    notTried: count("not-tried"),
    blocked: count("blocked"),
    exchanges: pages.reduce((sum, page) => sum + page.exchanges, 0),
    ...(run.accepted && { accepted: requirements.filter(({ accepted }) => accepted).length }),
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
