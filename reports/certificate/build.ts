/** Builds the certificate of a run from its ledger: a verdict for every requirement. */
import type { Contract, Operation, Requirement } from "../../helpers/contract/contract.ts";
import { defined } from "../../helpers/contract/json.ts";
import { groupBy as groupedBy, memoize } from "../../helpers/contract/memoize.ts";
import type { RequirementSet } from "../../helpers/contract/requirement-set.ts";
import { because, causeOf, sentenceOf } from "../../helpers/reasons/reason.ts";
import { leftBy } from "../../helpers/trials/created-resources.ts";
import type { LedgerEntry, TrialResult, Verdict } from "../../helpers/trials/ledger.ts";
import { isSelected, type RunInfo } from "../../helpers/trials/run-info.ts";
import { byText } from "../order.ts";
import { useOf } from "./acceptance.ts";
import { advisoryCauses } from "./advisories.ts";
import { budgetUse } from "./budget.ts";
import type {
  Certificate,
  CertifiedOperation,
  CertifiedRequirement,
  Finding,
  RunFacts,
  Summary,
  TrialFact,
} from "./certificate.ts";
import { examinationOf } from "./examined.ts";
import { collectFindings } from "./findings.ts";
import { observationsOf } from "./gaps.ts";
import { outcomeOf } from "./outcome.ts";
import { proofOf } from "./scores.ts";
import { onlyStatusOf, uniformReason } from "./uniform.ts";
import { asLater, entriesByRequirement, type Judged, selectedEntries, verdictOf } from "./verdicts.ts";

/** Builds a certificate that does not depend on the order of trialResults and facts. */
export const buildCertificate = (
  run: RunInfo,
  contracts: readonly Contract[],
  trialResults: readonly TrialResult[],
  facts: RunFacts,
): Certificate => {
  const examinations = new Map(
    contracts.map((contract) => [contract, examinationOf(run, contract, trialResults, facts)]),
  );
  const unexamined = [...examinations.values()].flatMap(({ problem }) => problem ?? []);
  const problems = problemsOf(contracts, trialResults, facts, unexamined);
  const entries = selectedEntries(run, contracts, entriesByRequirement(trialResults, facts.trials));
  const findings = collectFindings(run, [...entries.values()].flat());
  const byRequirement = groupedBy(findings, ({ requirement }) => requirement);
  const requirements = contracts.flatMap((contract) => {
    const isWhole = run.selection === null;
    const onlyStatus = run.half ? undefined : onlyStatusOf(contract.service, trialResults, isWhole);
    const doubtAbout = (requirement: Requirement): Judged | undefined => {
      if (onlyStatus !== undefined) return { verdict: "blocked", reason: uniformReason(onlyStatus) };
      const reason = examinations.get(contract)?.doubtAbout(requirement);
      return reason === undefined ? undefined : { verdict: "not-tried", reason };
    };
    const shown = { run, facts, contract, doubtAbout, findings: byRequirement };
    // Users want to see only what they selected of a large document.
    return contract.requirements
      .filter((requirement) => run.document === undefined || isSelected(run.selection, requirement))
      .map((requirement) => certify(requirement, entries.get(requirement.id) ?? [], shown));
  });
  const advisories = advisoryCauses(contracts, requirements, findings);
  const summary = summarise(run, contracts, requirements, trialResults);
  const budget = budgetUse(run, trialResults);
  return {
    format: "certificate/1",
    target: run.target,
    ...(run.document && { document: run.document }),
    contracts: run.contracts.map(({ service, version, digest, provider, document, documentDigest }) => ({
      ...{ service, version, digest, provider, ...defined({ document, documentDigest }) },
      requirementSet: contracts.find((contract) => contract.service === service)?.requirementSet ?? null,
    })),
    seed: run.seed,
    depth: run.depth,
    startedAt: run.startedAt,
    durationMs: Math.round(facts.durationMs),
    outcome: facts.brokenOff === true ? "incomplete" : outcomeOf(summary, problems),
    partial: isPartial(run),
    ...(budget && { budget }),
    summary,
    operations: contracts.flatMap((contract) =>
      contract.operations.map((operation) => countStatuses(contract, operation, trialResults)),
    ),
    requirements,
    findings,
    ...(advisories.length > 0 && { advisories }),
    observations: contracts.flatMap((contract) => observationsOf(contract, trialResults)),
    selection: run.selection,
    shard: run.shard,
    problems,
    half: run.half ?? "service",
    ...proofOf(run.half ?? "service", run.services),
    ...(facts.traffic && { traffic: facts.traffic }),
    ...(run.accepted && { accepted: useOf(run.accepted, run, requirements, findings) }),
  };
};

/** Whether the run tried less than the contracts of its services contain. */
const isPartial = ({ selection, shard, budget }: RunInfo): boolean =>
  selection !== null || (shard !== null && shard.total > 1) || budget !== undefined;

const certify = (
  requirement: Requirement,
  entries: readonly LedgerEntry[],
  {
    run,
    facts,
    findings,
    contract,
    doubtAbout,
  }: {
    readonly run: RunInfo;
    readonly facts: RunFacts;
    /** The findings of each requirement. */
    readonly findings: ReadonlyMap<string, readonly Finding[]>;
    readonly contract: Contract;
    /** Returns the verdict of a requirement of which a pass shows nothing. */
    doubtAbout(requirement: Requirement): Judged | undefined;
  },
): CertifiedRequirement => {
  const { id, service, level, statement, source } = requirement;
  const shownAs = verdictOf(requirement, entries, run, facts.trials);
  const found = (shownAs.verdict === "passed" && doubtAbout(requirement)) || shownAs;
  const judged =
    contract.requirementSet !== null && laterIn(contract.requirementSet).has(id)
      ? asLater(found, contract.requirementSet, cutIn(facts.trials).has(id))
      : found;
  const shown = findings.get(id) ?? [];
  const { verdict, reason } = judged;
  return {
    ...{ id, service, level, statement, source, verdict },
    reason: reason && sentenceOf(reason),
    ...(reason && { code: causeOf(reason).code }),
    exchanges: entries.reduce((sum, entry) => sum + entry.exchanges, 0),
    findings: shown.map((finding) => finding.id),
    ...(verdict === "failed" && isAccepted(shown) && { accepted: true }),
  };
};

/** Returns the ids of the requirements that a trial tried which did not finish. */
const cutIn = memoize(
  (trials: readonly TrialFact[]) =>
    new Set(trials.flatMap(({ requirements, state }) => (state === "finished" ? [] : requirements))),
);

const laterIn = memoize(({ later }: RequirementSet) => new Set(later));

const isAccepted = (findings: readonly Finding[]): boolean =>
  findings.length > 0 && findings.every(({ accepted }) => accepted !== undefined);

const summarise = (
  run: RunInfo,
  contracts: readonly Contract[],
  requirements: readonly CertifiedRequirement[],
  trialResults: readonly TrialResult[],
): Summary => {
  const count = (verdict: Verdict): number => requirements.filter((one) => one.verdict === verdict).length;
  const changing = new Set(contracts.flatMap(requirementsOfChanges));
  const unseenChanges = requirements.filter(
    (one) => one.verdict === "advisory" && changing.has(one.id),
  ).length;
  return {
    requirements: requirements.length,
    passed: count("passed"),
    failed: count("failed"),
    advisory: count("advisory"),
    notTried: count("not-tried"),
    blocked: count("blocked"),
    exchanges: trialResults.reduce((sum, trialResult) => sum + trialResult.exchanges, 0),
    ...(run.half === undefined && { ableToFail: count("passed") + count("failed") + count("advisory") }),
    ...(unseenChanges > 0 && { unseenChanges }),
    ...(run.accepted && { accepted: requirements.filter(({ accepted }) => accepted).length }),
  };
};

/** Returns the requirements that a read shows what a call changed or deleted. */
const requirementsOfChanges = ({ service, relations }: Contract): string[] =>
  relations.flatMap(({ kind, requirement }) =>
    kind === "given" || kind === "gone" ? [`${service}.${requirement}`] : [],
  );

const problemsOf = (
  contracts: readonly Contract[],
  trialResults: readonly TrialResult[],
  facts: RunFacts,
  unexamined: readonly string[],
): string[] => {
  const known = new Set(contracts.flatMap((contract) => contract.requirements.map(({ id }) => id)));
  const problems = new Set([...facts.problems, ...unexamined]);
  for (const { trial, requirements, state, reason } of facts.trials) {
    if (state !== "broken") continue;
    const why = sentenceOf(reason ?? because("not-finished"));
    problems.add(`Trial ${trial} (${requirements.join(", ") || "no requirement"}): ${why}.`);
  }
  for (const { trial, service, entries } of trialResults) {
    if (!contracts.some((contract) => contract.service === service)) continue;
    for (const { requirement } of entries) {
      if (!known.has(requirement)) {
        problems.add(`Trial ${trial} judged ${requirement}, which no contract of this run contains.`);
      }
    }
  }
  return [...problems].sort(byText);
};

/** Counts the statuses of an operation. Status 0 means that there was no response; it counts only as an exchange. */
const countStatuses = (
  contract: Contract,
  operation: Operation,
  trialResults: readonly TrialResult[],
): CertifiedOperation => {
  const { service, operationId, method, path, section, deprecated } = operation;
  const leaves = leftBy(contract, operation);
  const documented = new Set(Object.values(operation.responses).map((response) => response.status));
  const counts = new Map<number, number>([...documented].map((status) => [status, 0]));
  for (const { status, observed } of statusesIn(trialResults).get(`${service} ${operationId}`) ?? [])
    counts.set(status, (counts.get(status) ?? 0) + observed);
  const exchanges = [...counts.values()].reduce((sum, times) => sum + times, 0);
  const statuses = [...counts].filter(([status]) => status !== 0).sort(([a], [b]) => a - b);
  return {
    ...{ service, operationId, method, path, section, deprecated, exchanges },
    ...(leaves !== undefined && { leaves }),
    statuses: statuses.map(([status, observed]) => ({
      status,
      documented: documented.has(status),
      observed,
    })),
  };
};

/** Returns the statuses that the trials observed, by service and operationId. */
const statusesIn = memoize((trialResults: readonly TrialResult[]) =>
  groupedBy(
    trialResults.flatMap(({ service, operations }) => operations.map((row) => ({ service, ...row }))),
    ({ service, operationId }) => `${service} ${operationId}`,
  ),
);
