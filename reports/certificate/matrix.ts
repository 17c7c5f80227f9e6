/** What the suite says of the subjects that it is tried on: who must be found is found, and who is right is acquitted. */
import { createHash } from "node:crypto";
import type { Service } from "../../helpers/contract/contract.ts";
import type { Verdict } from "../../helpers/trials/ledger.ts";
import type { Depth } from "../../helpers/trials/trial.ts";
import { byText, groupByTitle } from "../order.ts";

/** A combination has several permitted differences in force; a clean sandbox has none, or a named set of them. */
export type SubjectKind = "fault" | "difference" | "combination" | "clean" | "caller" | "listener";

/**
 * The status of a subject that violates a requirement. `by-name`: that requirement failed; `by-another`: only others
 * failed; `unshown`: under the provider's document no run can show it, so that it does not count.
 *
 * The status of a subject that violates none. `convicted`: a requirement failed or was blocked; `not-shown`: a
 * requirement that the difference does not name is no longer shown; `without-effect`: no exchange changed; `settled`: the
 * document leaves no such choice, so that the difference breaks the document or changes nothing, and does not count.
 */
export type RowStatus =
  | ("by-name" | "by-another" | "survived" | "unshown")
  | ("acquitted" | "convicted" | "not-shown" | "without-effect" | "settled");

/** A verdict on the subject. */
export interface Evidence {
  readonly requirement: string;
  readonly verdict: Verdict;
  readonly trial: string;
  readonly reason: string;
}

export interface MatrixRow {
  readonly kind: SubjectKind;
  readonly service: Service;
  /** The id of a fault or a difference, or the name of another subject. */
  readonly subject: string;
  /** The requirement that the subject violates; `null` if it must be acquitted. */
  readonly violates: string | null;
  readonly status: RowStatus;
  /** The verdicts that decided the status, the one on the violated requirement first. */
  readonly evidence: readonly Evidence[];
  readonly seconds: number;
  /** Why the violated requirement was not tried, if it was not. */
  readonly reason?: string;
  /** The smallest depth at which the violated requirement fails; the depth of a run on a clean sandbox. */
  readonly depth?: Depth;
  /** Requirements that pass without the difference and no longer do, as the difference permits. */
  readonly silenced?: readonly string[];
  readonly exchanges?: number;
  readonly trials?: number;
  /** Trials that were not judged, because an answer broke the provider's document. */
  readonly unjudged?: number;
  /** Requirements that pass. */
  readonly passed?: readonly string[];
  /** The requests of each trial. */
  readonly requests?: Readonly<Record<string, number>>;
}

/** The score of the subjects of one kind, which certificates include. */
export interface Score {
  readonly kind: SubjectKind;
  readonly service: Service;
  /** Subjects that violate a requirement, how many were found, and by that requirement. */
  readonly wrong: number;
  readonly found: number;
  readonly byName: number;
  /** Subjects that violate none, and how many were acquitted. */
  readonly right: number;
  readonly acquitted: number;
  /** Digest of the status of each subject. */
  readonly digest: string;
  /** Digest of the catalogue of faults. */
  readonly catalogue?: string;
  /** The number of classes of faults. */
  readonly classes?: number;
  /** Requirements that pass although no fault shows that they can fail. */
  readonly unproved?: readonly string[];
}

export interface Matrix {
  readonly format: "matrix/1";
  readonly startedAt: string;
  readonly durationMs: number;
  /** CPU time of all processes of the run. */
  readonly cpuMs: number;
  readonly scores: readonly Score[];
  readonly rows: readonly MatrixRow[];
}

/** What the score of the faults of a service needs besides the rows. */
export interface Catalogue {
  readonly digest: string;
  readonly classes: number;
  /** Requirements that pass without a fault. */
  readonly passed: readonly string[];
}

export const buildMatrix = (
  { startedAt, durationMs, cpuMs }: Pick<Matrix, "startedAt" | "durationMs" | "cpuMs">,
  rows: readonly MatrixRow[],
  catalogues: ReadonlyMap<Service, Catalogue> = new Map(),
): Matrix => ({
  format: "matrix/1",
  ...{ startedAt, durationMs, cpuMs: Math.round(cpuMs) },
  scores: groupByTitle(rows, ({ kind, service }) => `${kind} ${service}`).map(({ items }) =>
    scoreOf(items, catalogues),
  ),
  rows: [...rows].sort((a, b) => byText(a.subject, b.subject)),
});

/** @param rows the rows of one kind and service */
const scoreOf = (rows: readonly MatrixRow[], catalogues: ReadonlyMap<Service, Catalogue>): Score => {
  const { kind, service } = rows[0] as MatrixRow;
  const counting = rows.filter(({ status }) => status !== "unshown" && status !== "settled");
  const wrong = counting.filter(({ violates }) => violates !== null);
  const right = counting.filter(({ violates }) => violates === null);
  const byName = wrong.filter(({ status }) => status === "by-name");
  const catalogue = kind === "fault" ? catalogues.get(service) : undefined;
  const proved = new Set(byName.map(({ violates }) => violates));
  return {
    ...{ kind, service },
    wrong: wrong.length,
    found: wrong.filter(({ status }) => status !== "survived").length,
    byName: byName.length,
    right: right.length,
    acquitted: right.filter(({ status }) => status === "acquitted").length,
    digest: digestOf(counting.map(({ subject, status }) => `${subject} ${status}`)),
    ...(catalogue && {
      ...{ catalogue: catalogue.digest, classes: catalogue.classes },
      unproved: catalogue.passed.filter((requirement) => !proved.has(requirement)).sort(byText),
    }),
  };
};

/**
 * Whether every subject is found or acquitted, as it must be, at least 99 % of the faults by the requirement that they
 * name and all other subjects by theirs, and whether no pass is unproved.
 */
export const isProof = ({ scores }: Pick<Matrix, "scores">): boolean =>
  scores.some(({ wrong, right }) => wrong + right > 0) &&
  scores.every(
    ({ kind, wrong, found, byName, right, acquitted, unproved = [] }) =>
      found === wrong &&
      byName >= wrong * (kind === "fault" ? 0.99 : 1) &&
      acquitted === right &&
      unproved.length === 0,
  );

/** Returns the mutation score that certificates include: with the shares that were killed, and by the requirement they name. */
export const mutationTotalOf = (scores: readonly Score[]) => {
  const [faults, killed, byName] = [sum(scores, "wrong"), sum(scores, "found"), sum(scores, "byName")];
  return {
    ...{ faults, killed, byName },
    score: percent(killed, faults),
    scoreByName: percent(byName, faults),
    digest: totalDigestOf(scores),
  };
};

/** Returns the innocence score that certificates include. Combinations of differences are counted apart. */
export const innocenceTotalOf = (scores: readonly Score[]) => {
  const combinations = scores.filter(({ kind }) => kind === "combination");
  const alone = scores.filter(({ kind }) => kind !== "combination");
  return {
    differences: sum(alone, "right"),
    acquitted: sum(alone, "acquitted"),
    combinations: sum(combinations, "right"),
    combinationsAcquitted: sum(combinations, "acquitted"),
    digest: totalDigestOf(scores),
  };
};

const sum = (scores: readonly Score[], name: "wrong" | "found" | "byName" | "right" | "acquitted"): number =>
  scores.reduce((total, score) => total + score[name], 0);

/** In percent with two decimals, rounded down. */
const percent = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.floor((part / whole) * 10_000) / 100;

const totalDigestOf = (scores: readonly Score[]): string =>
  digestOf(scores.map(({ kind, service, digest }) => `${kind} ${service} ${digest}`));

const digestOf = (lines: string[]): string =>
  `sha256-${createHash("sha256").update(lines.sort(byText).join("\n")).digest("base64")}`;
