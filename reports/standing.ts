/** Says in lines how a run stands to what was known before: to the user's accept list, and to the baseline. */
import type { AcceptanceState, Certificate } from "./certificate.ts";
import type { Change, ChangeKind, Comparison } from "./changes.ts";

/** `accepted` says how many violations are, in words; empty where none is. */
export const acceptedWords = ({ summary }: Certificate): string => {
  const { failed, accepted = 0 } = summary;
  if (accepted === 0) return "";
  return accepted === failed ? "all accepted" : `${accepted} of ${failed} accepted`;
};

const STATES: readonly { readonly state: AcceptanceState; readonly says: string }[] = [
  { state: "stale", says: "was not found, though its requirement was tried: remove the entry" },
  { state: "expired", says: "no longer accepts what it names" },
  { state: "not-tried", says: "could not be looked for in this run" },
];

/** One line for each entry of the accept list that does not simply hold. */
export const acceptanceLines = ({ accepted }: Certificate): string[] =>
  STATES.flatMap(({ state, says }) =>
    (accepted?.entries ?? [])
      .filter((entry) => entry.state === state)
      .map(({ fingerprint, owner, expires }) => {
        const label = state.replace("-", " ");
        return `${label}: ${fingerprint} (${owner}, until ${expires}) ${says}`;
      }),
  );

/** The order in which kinds are told: what needs somebody's eye first. */
const KINDS: readonly ChangeKind[] = [
  "newly-failing",
  "failing-otherwise",
  "newly-blocked",
  "no-longer-tried",
  "newly-advisory",
  "fixed",
  "no-longer-advisory",
  "no-longer-blocked",
  "newly-tried",
  "added",
  "gone",
];

export interface ToldChanges {
  /** `newly failing` */
  readonly label: string;
  /** Each `requirement: was passed`. */
  readonly lines: readonly string[];
  readonly count: number;
}

/** Kind by kind, not more than `most` lines of each. */
export const toldChanges = ({ changes }: Comparison, most: number): ToldChanges[] =>
  KINDS.flatMap((kind) => {
    const ofKind = changes.filter((change) => change.kind === kind);
    if (ofKind.length === 0) return [];
    const lines = capped(ofKind.map(changeLine), most);
    return [{ label: kind.replaceAll("-", " "), lines, count: ofKind.length }];
  });

const capped = (lines: readonly string[], most: number): string[] =>
  lines.length <= most
    ? [...lines]
    : [...lines.slice(0, most), `… and ${lines.length - most} more in the certificate`];

const changeLine = ({ requirement, kind, before, now, reason, regression }: Change): string => {
  const notes = [
    ...(kind === "failing-otherwise" || before === null ? [] : [`was ${before}`]),
    ...(kind === "added" ? [`${now}`] : []),
    ...(kind === "failing-otherwise" ? ["shows a violation that the baseline does not have"] : []),
    ...(reason === null ? [] : [reason]),
    ...(now === "failed" && !regression ? ["accepted"] : []),
  ];
  return notes.length === 0 ? requirement : `${requirement}: ${notes.join(", ")}`;
};

/** What the run is compared with, what else differs between the two, and where the baseline is out of date. */
export const comparisonLines = (
  { baseline, differences, changes, notCompared, stale }: Comparison,
  most: number,
): { readonly title: string; readonly notes: readonly string[] } => ({
  title: `Changed since ${baseline.startedAt} (${baseline.target}, ${baseline.outcome})`,
  notes: [
    ...(changes.length === 0 ? ["nothing"] : []),
    ...differences.map((difference) => `differs: ${difference}`),
    ...(notCompared === 0 ? [] : [`not compared: ${notCompared}, which this run was not asked about`]),
    ...capped(
      stale.map((fingerprint) => `stale: the baseline has ${fingerprint}, which is not found any more`),
      most,
    ),
  ],
});
