/** The text that all renderings of a certificate share; each rendering chooses its layout. */
import type { Verdict } from "../../helpers/trials/ledger.ts";
import type {
  AcceptanceState,
  AdvisoryCause,
  Certificate,
  CertifiedRequirement,
} from "../certificate/certificate.ts";
import { CHANGE_KINDS, type Change, type Comparison, type Drift } from "../certificate/changes.ts";
import { type Group, grouped, largestFirst } from "../order.ts";
import { counted, percent, spaced } from "../text.ts";
import { triedIn } from "./coverage.ts";
import { plainReason } from "./plain-reason.ts";

/** In the order of the report. */
const VERDICTS: readonly Verdict[] = ["passed", "failed", "advisory", "blocked", "not-tried"];

/** Counts the requirements with each verdict. */
export const tally = (requirements: readonly CertifiedRequirement[]) =>
  VERDICTS.map((verdict) => ({
    verdict,
    label: spaced(verdict),
    amount: requirements.filter((requirement) => requirement.verdict === verdict).length,
  }));

export const reasonOf = ({ reason }: CertifiedRequirement): string => reason ?? "no reason given";

/** Groups requirements by the reason of their verdict, the most frequent reason first. */
export const byReason = (requirements: readonly CertifiedRequirement[]): Group<CertifiedRequirement>[] =>
  grouped(requirements, (one) => plainReason(reasonOf(one))).sort(largestFirst);

/** Groups blocked requirements by cause: reasons that differ only in an operation or a number have the same cause. */
const byCause = ({ operations }: Certificate, blocked: readonly CertifiedRequirement[]) => {
  const ids = new Set(operations.map(({ operationId }) => operationId));
  const causeOf = (reason: string): string =>
    reason.replaceAll(/[\w-]+/g, (word) => (ids.has(word) ? "…" : word)).replaceAll(/\d{5,}/g, "#");
  return grouped(blocked, (requirement) => causeOf(reasonOf(requirement)))
    .map(({ title, items }) => {
      const reasons = new Set(items.map(reasonOf));
      return { title: plainReason(reasons.size === 1 ? ([...reasons][0] ?? title) : title), items };
    })
    .sort(largestFirst);
};

export const withVerdict = ({ requirements }: Certificate, verdict: Verdict): CertifiedRequirement[] =>
  requirements.filter((requirement) => requirement.verdict === verdict);

/** States how many violations are accepted; empty when none is. */
export const acceptedWords = ({ summary }: Certificate): string => {
  const { failed, accepted = 0 } = summary;
  if (accepted === 0) return "";
  return accepted === failed ? "all accepted" : `${accepted} of ${failed} accepted`;
};

/** States how many requirements were shown able to fail; empty if all that were tried were. */
export const abilityWords = ({ summary }: Pick<Certificate, "summary">): string => {
  const { ableToFail = triedIn(summary) } = summary;
  if (ableToFail === triedIn(summary)) return "";
  return `${counted(ableToFail, "requirement was", "requirements were")} shown able to fail on this target`;
};

/** States what the run left on the target for good; empty when it left nothing. */
export const leftWords = ({ target, half, traffic, operations }: Certificate): string => {
  if (target.embedded || half !== "service" || traffic !== undefined) return "";
  const left = operations.flatMap(({ leaves, statuses }) => {
    const accepted = statuses.filter(({ status }) => status >= 200 && status < 300);
    const amount = accepted.reduce((sum, { observed }) => sum + observed, 0);
    return leaves === undefined || amount === 0 ? [] : [counted(amount, leaves)];
  });
  return left.length === 0 ? "" : `Left on ${target.name}: ${left.join(", ")}. No operation removes them.`;
};

/** Returns what was judged: the target, its caller, or a listener. */
export const subjectOf = ({ target, half }: Pick<Certificate, "target" | "half">): string =>
  half === "caller" ? `the caller of ${target.name}` : target.name;

/** Describes the run: `standard depth`, `seed 7`, … */
export const runNotes = ({ depth, seed, shard, summary, durationMs }: Certificate): string[] => [
  `${depth} depth`,
  `seed ${seed}`,
  ...(shard ? [`shard ${shard.index} of ${shard.total}`] : []),
  `${counted(summary.exchanges, "exchange")} in ${(durationMs / 1000).toFixed(1)} s`,
];

export interface TextPart {
  readonly title: string;
  /** Groups of lines, such as `newly failing`. */
  readonly groups: readonly { readonly label: string; readonly count: number; readonly lines: string[] }[];
  readonly lines: readonly string[];
}

/**
 * Returns the causes of blocked requirements, the comparison with earlier results, and the problems of
 * the run; `undefined` for a part without content.
 * @param most the maximum number of lines in a group, and of ids in a line
 */
export const textParts = (certificate: Certificate, most: number) => {
  const { problems, comparison } = certificate;
  return {
    blocked: byCause(certificate, withVerdict(certificate, "blocked")),
    problems: part("Problems of the run", problems),
    acceptList: part(`Accept list ${certificate.accepted?.file}`, acceptanceLines(certificate)),
    comparison: comparison && comparisonPart(comparison, most),
    upgrade: upgradePart(certificate, most),
  };
};

const part = (title: string, lines: readonly string[]): TextPart | undefined =>
  lines.length === 0 ? undefined : { title, groups: [], lines };

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
const comparisonPart = (comparison: Comparison, most: number): TextPart => {
  const { baseline, differences, changes, notCompared, stale } = comparison;
  const groups = CHANGE_KINDS.map((kind) => {
    const ofKind = changes.filter((change) => change.kind === kind).map(changeLine);
    return { label: spaced(kind), count: ofKind.length, lines: capped(ofKind, most) };
  });
  const drift = (comparison.drift ?? []).map(driftLine);
  const drifted = { label: "changes of behaviour", count: drift.length, lines: capped(drift, most) };
  const renew = stale.map((one) => `stale: the baseline has ${one}, which this run did not find`);
  return {
    title: `Changed since ${baseline.startedAt} (${baseline.target}, ${baseline.outcome})`,
    groups: [...groups, drifted].filter((group) => group.count > 0),
    lines: [
      ...(changes.length + drift.length === 0 ? ["nothing"] : []),
      ...differences.map((difference) => `differs: ${difference}`),
      ...(notCompared === 0 ? [] : [`not compared: ${notCompared}, which this run did not select`]),
      ...capped(renew, most),
    ],
  };
};

/** Observations come with their id, other changes with the operations that show them. */
const driftLine = ({ observation, operations, words, curl }: Drift): string => {
  const rest = operations.length - OPERATIONS_SHOWN;
  const shown = operations.slice(0, OPERATIONS_SHOWN).join(", ");
  const where = observation ?? `${shown}${rest > 0 ? ` and ${rest} more` : ""}`;
  return `${where}: ${words}${curl === null ? "" : ` (shown by: ${curl})`}`;
};

const OPERATIONS_SHOWN = 3;

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
const upgradePart = ({ since }: Certificate, most: number): TextPart | undefined => {
  if (since === undefined) return undefined;
  const { old: base, new: revision, changes, touched, hanging: dependent, requirements, share } = since;
  const row = (label: string, ids: readonly string[]): string => {
    const more = ids.length > most ? `, and ${ids.length - most} more in the certificate` : "";
    return `${ids.length} ${label}${ids.length === 0 ? "" : `: ${ids.slice(0, most).join(", ")}${more}`}`;
  };
  return part(`Upgrade from ${base.version} to ${revision.version} (${base.file})`, [
    `changes: ${changes.breaking} breaking, ${changes.undecided} undecided, ${changes.compatible} compatible`,
    `${share.touched.length} of ${share.all} requirements touched (${percent(share.touched.length, share.all)})`,
    row("operations changed", touched),
    row("operations that depend on changed ones, and are not tried", dependent),
    row("new requirements", requirements.added),
    row("requirements removed", requirements.gone),
    row("requirements changed", requirements.changed),
  ]);
};

/** Returns the cause as text: `schema Parcel: 8 requirements of sendParcel, trackParcel and 6 more, as in f-3`. */
export const advisoryText = ({ cause, requirements, operations, example }: AdvisoryCause): string => {
  const rest = operations.length - SHOWN_NAMES;
  const shown = `${operations.slice(0, SHOWN_NAMES).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
  const where = shown === "" ? "" : ` of ${shown}`;
  const amount =
    cause === requirements[0]
      ? where.replace(/^ of/, "")
      : ` ${counted(requirements.length, "requirement")}${where}`;
  return `${cause}:${amount}${example === undefined ? "" : `, as in ${example}`}`;
};

const SHOWN_NAMES = 3;

/** `Advisory  25 causes, 149 requirements` */
export const causesWords = (causes: readonly AdvisoryCause[]): string => {
  const requirements = causes.reduce((sum, one) => sum + one.requirements.length, 0);
  return `${counted(causes.length, "cause")}, ${counted(requirements, "requirement")}`;
};
