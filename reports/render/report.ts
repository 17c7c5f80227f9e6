/** The report of a certificate: its sections, findings and counts. Each format chooses only their layout. */
import type { AcceptanceState } from "../../helpers/accept/acceptance.ts";
import { groupBy } from "../../helpers/contract/memoize.ts";
import type { AdvisoryCause, Certificate } from "../certificate/certificate.ts";
import { CHANGE_KINDS, type Change, type Comparison, type Drift } from "../certificate/changes.ts";
import { count, counted, countedTogether, percent, spaced } from "../text.ts";
import { findingsByCause } from "./causes.ts";
import { absentWords, budgetLines, coverageWords, ofTarget, partialWords, triedIn } from "./coverage.ts";
import { failures, someOf } from "./finding-text.ts";
import { byCause, unlockings, withVerdict } from "./reasons.ts";

export interface Section {
  readonly title: string;
  /** What the groups add up to; absent in a section of lines. */
  readonly total?: string;
  /** Such as `newly failing`. A group without lines has an amount only. */
  readonly groups: readonly {
    readonly label: string;
    readonly count: number;
    readonly lines: readonly string[];
  }[];
  readonly lines: readonly string[];
}

/**
 * Returns the report. A section without content is `undefined`.
 * @param most the maximum number of lines in a group, and of ids in a line
 */
export const reportOf = (given: Certificate, most: number) => {
  const certificate = ofTarget(given);
  const { advisories = [], problems, accepted, comparison, since } = certificate;
  const shown = findingsByCause(certificate, failures(certificate));
  const byRequirement = groupBy(certificate.findings, ({ requirement }) => requirement);
  const advised = advisories.map(({ requirements }) =>
    requirements.flatMap((one) => byRequirement.get(one) ?? []),
  );
  return {
    certificate,
    ...wordsOf(certificate),
    absent: absentWords(given),
    findings: shown.map(({ first }) => first),
    /** The first finding of each cause of advisories. */
    advisories: advised.flatMap(([first]) => first ?? []),
    deviations: causesWords(advisories),
    /** The findings with the same cause, by the first finding of each cause. */
    others: new Map([
      ...shown.map(({ first, others }) => [first, others] as const),
      ...advised.flatMap(([first, ...others]) => (first ? [[first, others] as const] : [])),
    ]),
    sections: {
      problems: section("Problems of the run", problems),
      blocked: reasons("Blocked", byCause(certificate, withVerdict(certificate, "blocked"))),
      notTried: reasons("Not tried", unlockings(certificate)),
      acceptList: section(`Accept list ${accepted?.file}`, acceptanceLines(certificate)),
      comparison: comparison && comparisonSection(comparison, most),
      upgrade: since && upgradeSection(since, most),
    },
  };
};

export type Report = ReturnType<typeof reportOf>;

export const section = (
  title: string,
  lines: Section["lines"],
  groups: Section["groups"] = [],
  total?: string,
): Section | undefined =>
  lines.length + groups.length === 0
    ? undefined
    : { title, groups, lines, ...(total !== undefined && { total }) };

const reasons = (title: string, groups: ReturnType<typeof unlockings>): Section | undefined =>
  section(
    title,
    [],
    groups.map((one) => ({ label: one.title, count: one.items.length, lines: [] })),
    count(groups.reduce((sum, { items }) => sum + items.length, 0)),
  );

/** What the head of a report tells, each in a sentence or a few words; empty if there is nothing to tell. */
const wordsOf = (certificate: Certificate) => ({
  subject: subjectOf(certificate),
  headline: headlineOf(certificate),
  sentence: sentenceOf(certificate),
  coverage: coverageWords(certificate),
  left: leftWords(certificate),
  budget: budgetLines(certificate),
  notes: runNotes(certificate),
});

/** `violations, 1 of 3 accepted, partial (--operation)`: the outcome, with what limits it. */
export const headlineOf = (certificate: Certificate): string =>
  [certificate.outcome, acceptedWords(certificate), partialWords(certificate)].filter(Boolean).join(", ");

/** States how many violations are accepted. */
const acceptedWords = ({ summary }: Certificate): string => {
  const { failed, accepted = 0 } = summary;
  if (accepted === 0) return "";
  return accepted === failed ? "all accepted" : `${accepted} of ${failed} accepted`;
};

/** Returns the result in the sentence that people sign: only what passed is satisfied. */
const sentenceOf = (certificate: Certificate): string => {
  const { passed, failed, advisory, blocked, notTried, unseenChanges = 0 } = certificate.summary;
  const tried = triedIn(certificate.summary);
  const promises = counted(tried, "requirement that was tried", "requirements that were tried");
  const all = tried === 1 ? "the" : "all";
  const kept = `satisfies ${passed === tried ? all : `${passed === 0 ? "none" : count(passed)} of the`} ${promises}`;
  const broken = failed === 0 ? "" : `violates ${count(failed)} and `;
  const deviating = advisory === 0 ? "" : `, and deviates from ${counted(advisory, "assumption")}`;
  const subject = subjectOf(certificate);
  return [
    tried === 0
      ? `No requirement of ${subject} could be judged.`
      : `${subject.replace(/^the /, "The ")} ${broken}${kept}${deviating}.`,
    ...(unseenChanges === 0 ? [] : [`${counted(unseenChanges, "change")} had no visible effect.`]),
    ...(blocked === 0 ? [] : [`${count(blocked)} should have been judged, but could not be.`]),
    ...(notTried === 0 ? [] : [`${count(notTried)} ${notTried === 1 ? "was" : "were"} not tried.`]),
  ].join(" ");
};

/** States what the run left on the target for good. What trials share is not counted for one of them. */
const leftWords = ({ target, half, traffic, operations }: Certificate): string => {
  if (target.embedded || half !== "service" || traffic !== undefined) return "";
  const left = operations.flatMap(({ leaves, statuses }): [number, string][] => {
    const accepted = statuses.filter(({ status }) => status >= 200 && status < 300);
    const amount = accepted.reduce((sum, { observed }) => sum + observed, 0);
    return leaves === undefined || amount === 0 ? [] : [[amount, leaves]];
  });
  return left.length === 0
    ? ""
    : `Left on ${target.name}: at least ${countedTogether(left)}. No operation removes them.`;
};

/** Returns what was judged: the target, its caller, or a listener. */
const subjectOf = ({ target, half }: Certificate): string =>
  half === "caller" ? `the caller of ${target.name}` : target.name;

/** Describes the run: `standard depth`, `seed 7`, … */
const runNotes = ({ depth, seed, shard, summary, durationMs }: Certificate): string[] => [
  `${depth} depth`,
  `seed ${seed}`,
  ...(shard ? [`shard ${shard.index} of ${shard.total}`] : []),
  `${counted(summary.exchanges, "exchange")} in ${(durationMs / 1000).toFixed(1)} s`,
];

/** `25 causes, 149 requirements` */
const causesWords = (causes: readonly AdvisoryCause[]): string => {
  const requirements = causes.reduce((sum, one) => sum + one.requirements.length, 0);
  return `${counted(causes.length, "cause")}, ${counted(requirements, "requirement")}`;
};

/** In the order of the report. */
const STATES: readonly (readonly [state: AcceptanceState, says: string])[] = [
  ["stale", "was not found, though its requirement was tried: remove the entry"],
  ["expired", "no longer accepts what it names"],
  ["not-tried", "could not be checked in this run"],
];

/** Returns one line for each accept list entry that does not accept a violation. */
const acceptanceLines = ({ accepted }: Certificate): string[] =>
  STATES.flatMap(([state, says]) => {
    const entries = accepted?.entries.filter((entry) => entry.state === state) ?? [];
    return entries.map(
      (one) => `${spaced(state)}: ${one.fingerprint} (${one.owner}, until ${one.expires}) ${says}`,
    );
  });

/** Returns the baseline, the changes since, other differences, and the stale entries of the baseline. */
const comparisonSection = (comparison: Comparison, most: number): Section => {
  const { baseline, differences, changes, notCompared, stale, drift = [] } = comparison;
  const group = (label: string, lines: readonly string[]) => ({
    ...{ label, count: lines.length, lines: capped(lines, most) },
  });
  const groups = CHANGE_KINDS.map((kind) =>
    group(spaced(kind), changes.filter((change) => change.kind === kind).map(changeLine)),
  );
  const renew = stale.map((one) => `stale: the baseline has ${one}, which this run did not find`);
  return {
    title: `Changed since ${baseline.startedAt} (${baseline.target}, ${baseline.outcome})`,
    groups: [...groups, group("changes of behaviour", drift.map(driftLine))].filter(
      ({ lines }) => lines.length > 0,
    ),
    lines: [
      ...(changes.length + drift.length === 0 ? ["nothing"] : []),
      ...differences.map((difference) => `differs: ${difference}`),
      ...(notCompared === 0 ? [] : [`not compared: ${notCompared}, which this run did not select`]),
      ...capped(renew, most),
    ],
  };
};

/** Observations come with their id, other changes with the operations that show them. */
const driftLine = ({ observation, operations, words, curl }: Drift): string =>
  `${observation ?? someOf(operations)}: ${words}${curl === null ? "" : ` (shown by: ${curl})`}`;

export const capped = (lines: readonly string[], most: number): string[] => [
  ...lines.slice(0, most),
  ...(lines.length > most ? [moreThan(lines, most)] : []),
];

export const moreThan = ({ length }: readonly unknown[], shown: number): string =>
  `… and ${length - shown} more in the certificate`;

const changeLine = ({ requirement, kind, before, now, reason, regression }: Change): string => {
  const notes = [
    kind === "failing-otherwise"
      ? "shows a violation that the baseline does not have"
      : before !== null && `was ${before}`,
    kind === "added" && now,
    reason,
    now === "failed" && !regression && "accepted",
  ].filter(Boolean);
  return notes.length === 0 ? requirement : `${requirement}: ${notes.join(", ")}`;
};

/** Returns the operations and requirements that an upgrade of a provider's document affects. */
const upgradeSection = (since: NonNullable<Certificate["since"]>, most: number): Section => {
  const { old: base, new: revision, changes, touched, hanging: dependent, requirements, share } = since;
  const row = (label: string, ids: readonly string[]): string => {
    const more = ids.length > most ? `, and ${ids.length - most} more in the certificate` : "";
    return `${ids.length} ${label}${ids.length === 0 ? "" : `: ${ids.slice(0, most).join(", ")}${more}`}`;
  };
  return {
    title: `Upgrade from ${base.version} to ${revision.version} (${base.file})`,
    groups: [],
    lines: [
      `changes: ${changes.breaking} breaking, ${changes.undecided} undecided, ${changes.compatible} compatible`,
      `${share.touched.length} of ${share.all} requirements touched (${percent(share.touched.length, share.all)})`,
      row("operations changed", touched),
      row("operations that depend on changed ones, and are not tried", dependent),
      row("new requirements", requirements.added),
      row("requirements removed", requirements.gone),
      row("requirements changed", requirements.changed),
    ],
  };
};
