/** What every rendering tells of a certificate, in words; how it looks is up to the rendering. */
import type { Verdict } from "../helpers/trials/ledger.ts";
import type { AcceptanceState, Certificate, CertifiedRequirement } from "./certificate.ts";
import { CHANGE_KINDS, type Change, type Comparison } from "./changes.ts";
import { type Group, grouped, largestFirst } from "./order.ts";
import { count, spaced } from "./text.ts";

/** In the order in which verdicts are told. */
const VERDICTS: readonly Verdict[] = ["passed", "failed", "advisory", "blocked", "not-tried"];

/** How many of the requirements have each verdict. */
export const tally = (requirements: readonly CertifiedRequirement[]) =>
  VERDICTS.map((verdict) => ({
    verdict,
    label: spaced(verdict),
    amount: requirements.filter((requirement) => requirement.verdict === verdict).length,
  }));

export const reasonOf = ({ reason }: CertifiedRequirement): string => reason ?? "no reason given";

/** Why requirements have a verdict, the most frequent reason first. */
export const byReason = (requirements: readonly CertifiedRequirement[]): Group<CertifiedRequirement>[] =>
  grouped(requirements, reasonOf).sort(largestFirst);

export const withVerdict = ({ requirements }: Certificate, verdict: Verdict): CertifiedRequirement[] =>
  requirements.filter((requirement) => requirement.verdict === verdict);

/** `accepted` says how many violations are, in words; empty where none is. */
export const acceptedWords = ({ summary }: Certificate): string => {
  const { failed, accepted = 0 } = summary;
  if (accepted === 0) return "";
  return accepted === failed ? "all accepted" : `${accepted} of ${failed} accepted`;
};

/** What the run was: `standard depth`, `seed 7`, … */
export const runNotes = ({ depth, seed, shard, summary, durationMs }: Certificate): string[] => [
  `${depth} depth`,
  `seed ${seed}`,
  ...(shard ? [`shard ${shard.index} of ${shard.total}`] : []),
  `${count(summary.exchanges)} exchanges in ${(durationMs / 1000).toFixed(1)} s`,
];

export interface Told {
  readonly title: string;
  /** Lines by what they have in common, such as `newly failing`. */
  readonly groups: readonly { readonly label: string; readonly count: number; readonly lines: string[] }[];
  readonly lines: readonly string[];
}

/**
 * Why requirements were not judged, how a run stands to what was known before, and what went wrong with it; `undefined`
 * where there is nothing to tell.
 * @param most lines of a group, and ids of a line
 */
export const toldParts = (certificate: Certificate, most: number) => {
  const { problems, comparison } = certificate;
  return {
    blocked: byReason(withVerdict(certificate, "blocked")),
    notTried: byReason(withVerdict(certificate, "not-tried")),
    problems: part("Problems of the run", problems),
    acceptList: part(`Accept list ${certificate.accepted?.file}`, acceptanceLines(certificate)),
    comparison: comparison && toldComparison(comparison, most),
    upgrade: toldUpgrade(certificate, most),
  };
};

const part = (title: string, lines: readonly string[]): Told | undefined =>
  lines.length === 0 ? undefined : { title, groups: [], lines };

/** In the order in which states are told. */
const STATES: readonly (readonly [state: AcceptanceState, says: string])[] = [
  ["stale", "was not found, though its requirement was tried: remove the entry"],
  ["expired", "no longer accepts what it names"],
  ["not-tried", "could not be looked for in this run"],
];

/** One line for each entry of the accept list that does not simply hold. */
const acceptanceLines = ({ accepted }: Certificate): string[] =>
  STATES.flatMap(([state, says]) => {
    const entries = accepted?.entries.filter((entry) => entry.state === state) ?? [];
    return entries.map(
      (one) => `${spaced(state)}: ${one.fingerprint} (${one.owner}, until ${one.expires}) ${says}`,
    );
  });

/** What the run is compared with, what changed, what else differs, and where the baseline is out of date. */
const toldComparison = (comparison: Comparison, most: number): Told => {
  const { baseline, differences, changes, notCompared, stale } = comparison;
  const groups = CHANGE_KINDS.map((kind) => {
    const ofKind = changes.filter((change) => change.kind === kind).map(changeLine);
    return { label: spaced(kind), count: ofKind.length, lines: capped(ofKind, most) };
  });
  const renew = stale.map((one) => `stale: the baseline has ${one}, which is not found any more`);
  return {
    title: `Changed since ${baseline.startedAt} (${baseline.target}, ${baseline.outcome})`,
    groups: groups.filter((group) => group.count > 0),
    lines: [
      ...(changes.length === 0 ? ["nothing"] : []),
      ...differences.map((difference) => `differs: ${difference}`),
      ...(notCompared === 0 ? [] : [`not compared: ${notCompared}, which this run was not asked about`]),
      ...capped(renew, most),
    ],
  };
};

const capped = (lines: readonly string[], most: number): string[] => [
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

/** What a upgrade of a provider's document touched, of which a run tried what it could. */
const toldUpgrade = ({ since }: Certificate, most: number): Told | undefined => {
  if (since === undefined) return undefined;
  const { old, new: fresh, changes, touched, hanging, requirements } = since;
  const row = (label: string, ids: readonly string[]): string => {
    const more = ids.length > most ? `, and ${ids.length - most} more in the certificate` : "";
    return `${ids.length} ${label}${ids.length === 0 ? "" : `: ${ids.slice(0, most).join(", ")}${more}`}`;
  };
  return part(`Upgrade from ${old.version} to ${fresh.version} (${old.file})`, [
    `changes: ${changes.breaking} breaking, ${changes.undecided} undecided, ${changes.compatible} compatible`,
    row("operations touched", touched),
    row("operations that need what only those give", hanging),
    row("new requirements", requirements.added),
    row("requirements gone", requirements.gone),
    row("requirements changed", requirements.changed),
  ]);
};
