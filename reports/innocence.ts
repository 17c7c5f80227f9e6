/** The results of runs with permitted differences: nobody may be convicted for one. */
import { createHash } from "node:crypto";
import type { Service } from "../helpers/contract/contract.ts";
import type { Verdict } from "../helpers/trials/ledger.ts";
import { byText } from "./order.ts";

/**
 * `convicted`: a requirement failed or was blocked; `not-shown`: a requirement that the difference does not name is no
 * longer shown; `without-effect`: no exchange changed; `settled`: the document leaves no such choice, so that
 * the difference breaks the document or changes nothing, and does not count.
 */
export type DifferenceStatus = "acquitted" | "convicted" | "not-shown" | "without-effect" | "settled";

export interface Silence {
  readonly requirement: string;
  readonly verdict: Verdict;
  readonly trial: string;
  readonly reason: string;
}

export type Conviction = Silence;

export interface DifferenceRun {
  /** The id of the only difference in force, or the name of a combination. */
  readonly difference: string;
  readonly service: Service;
  readonly status: DifferenceStatus;
  readonly convictions: readonly Conviction[];
  /** Requirements that pass without the difference and no longer do, as the difference permits. */
  readonly silenced: readonly string[];
  /** Requirements that pass without the difference and no longer do, although the difference does not name them. */
  readonly lost: readonly Silence[];
  readonly trials: number;
  /** Trials that were not judged, because an answer broke the provider's document. */
  readonly unjudged: number;
  readonly exchanges: number;
  /** Exchanges that differ from those without the difference. A switch counts up to the first. */
  readonly changed: number;
  readonly seconds: number;
}

/** The score of one service, which certificates include. */
export interface InnocenceScore {
  readonly service: Service;
  readonly differences: number;
  readonly acquitted: number;
  /** Combinations of switches, and how many of them were acquitted. */
  readonly combinations: number;
  readonly combinationsAcquitted: number;
  /** Digest of the status of every difference. */
  readonly matrix: string;
}

export type InnocenceTotal = Omit<InnocenceScore, "service" | "matrix"> & { readonly digest: string };

export interface InnocenceMatrix extends InnocenceTotal {
  readonly format: "innocence/1";
  readonly startedAt: string;
  readonly durationMs: number;
  readonly services: readonly InnocenceScore[];
  readonly matrix: readonly DifferenceRun[];
}

/** @param isCombination whether the run had several differences in force */
export const buildInnocence = (
  run: Pick<InnocenceMatrix, "startedAt" | "durationMs">,
  runs: readonly DifferenceRun[],
  isCombination: (run: DifferenceRun) => boolean,
): InnocenceMatrix => {
  const names = [...new Set(runs.map(({ service }) => service))];
  const services = names.map((service) =>
    scoreOf(
      service,
      runs.filter((one) => one.service === service),
      isCombination,
    ),
  );
  return {
    format: "innocence/1",
    ...run,
    ...innocenceOf(services),
    services,
    matrix: [...runs].sort((a, b) => byText(a.difference, b.difference)),
  };
};

const scoreOf = (
  service: Service,
  all: readonly DifferenceRun[],
  isCombination: (run: DifferenceRun) => boolean,
): InnocenceScore => {
  const runs = all.filter(({ status }) => status !== "settled");
  const together = runs.filter(isCombination);
  const alone = runs.filter((run) => !isCombination(run));
  return {
    service,
    differences: alone.length,
    acquitted: alone.filter(isAcquitted).length,
    combinations: together.length,
    combinationsAcquitted: together.filter(isAcquitted).length,
    matrix: digestOf(runs.map(({ difference, status }) => `${difference} ${status}`)),
  };
};

const isAcquitted = ({ status }: DifferenceRun): boolean => status === "acquitted";

export const innocenceOf = (services: readonly InnocenceScore[]): InnocenceTotal => {
  const sum = (name: "differences" | "acquitted" | "combinations" | "combinationsAcquitted"): number =>
    services.reduce((all, score) => all + score[name], 0);
  return {
    differences: sum("differences"),
    acquitted: sum("acquitted"),
    combinations: sum("combinations"),
    combinationsAcquitted: sum("combinationsAcquitted"),
    digest: digestOf(services.map(({ service, matrix }) => `${service} ${matrix}`)),
  };
};

/** Whether every difference, and every combination of switches, is acquitted. */
export const isInnocent = ({ differences, acquitted, combinations, combinationsAcquitted }: InnocenceTotal) =>
  differences > 0 && acquitted === differences && combinationsAcquitted === combinations;

const digestOf = (lines: string[]): string =>
  `sha256-${createHash("sha256").update(lines.sort(byText).join("\n")).digest("base64")}`;
