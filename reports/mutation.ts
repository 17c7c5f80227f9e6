/** The results of mutation runs: the requirement that found each fault, and the false alarms without a fault. */
import { createHash } from "node:crypto";
import type { Service } from "../helpers/contract/contract.ts";
import type { Verdict } from "../helpers/trials/ledger.ts";
import type { Depth } from "../helpers/trials/trial.ts";
import { byText } from "./order.ts";

/**
 * `by-name`: the violated requirement failed; `by-another`: only other requirements failed; `unshown`: under the
 * provider's document no run can show it, so that it does not count.
 */
export type FaultStatus = "by-name" | "by-another" | "survived" | "unshown";

export interface FaultRun {
  readonly fault: string;
  readonly service: Service;
  /** The requirement that the fault violates. */
  readonly violates: string;
  readonly status: FaultStatus;
  /** The requirement that failed, and the trial. */
  readonly killedBy: { readonly requirement: string; readonly trial: string } | null;
  /** Whether the trial finds it with what it sends in a run with a budget. */
  readonly isThrifty: boolean;
  /** The smallest depth at which the violated requirement fails; `null` if it does not fail. */
  readonly depth: Depth | null;
  /** Why the violated requirement was not tried, if it was not. */
  readonly reason?: string;
  readonly seconds: number;
}

/** The fault runs of a service, and the requirements that pass on the clean sandbox. */
export interface FaultRuns {
  readonly service: Service;
  /** Digest of the catalogue of faults. */
  readonly catalogue: string;
  readonly faults: readonly FaultRun[];
  readonly passed: readonly string[];
}

export interface MutationScore extends Pick<Total, "faults" | "killed" | "byName"> {
  readonly service: Service;
  readonly catalogue: string;
  /** Digest of the status of every fault. */
  readonly matrix: string;
  /** Requirements that pass although no fault shows that they can fail. */
  readonly unproved: readonly string[];
}

export interface MutationMatrix extends Total {
  readonly format: "mutation/1";
  readonly startedAt: string;
  readonly durationMs: number;
  /** CPU time of all processes of the run. */
  readonly cpuMs: number;
  readonly services: readonly MutationScore[];
  readonly matrix: readonly FaultRun[];
}

export interface Total {
  readonly faults: number;
  readonly killed: number;
  readonly byName: number;
  /** Share of faults that were killed, in percent with two decimals, rounded down. */
  readonly score: number;
  /** Share of faults that were killed by the requirement that they name. */
  readonly scoreByName: number;
  readonly digest: string;
}

export const buildMatrix = (
  run: Pick<MutationMatrix, "startedAt" | "durationMs" | "cpuMs">,
  faultRuns: readonly FaultRuns[],
): MutationMatrix => {
  const services = faultRuns.map(scoreOf);
  return {
    format: "mutation/1",
    ...run,
    ...totalOf(services),
    services,
    matrix: faultRuns.flatMap(({ faults }) => faults).sort((a, b) => byText(a.fault, b.fault)),
  };
};

/** Whether all faults are killed, at least 99 % by the requirement that they name, and no pass is unproved. */
export const isProof = ({ faults, killed, scoreByName, services }: MutationMatrix): boolean =>
  faults > 0 &&
  killed === faults &&
  scoreByName >= 99 &&
  services.every(({ unproved }) => unproved.length === 0);

export const totalOf = (services: readonly MutationScore[]): Total => {
  const sum = (name: "faults" | "killed" | "byName"): number =>
    services.reduce((all, score) => all + score[name], 0);
  const [faults, killed, byName] = [sum("faults"), sum("killed"), sum("byName")];
  return {
    faults,
    killed,
    byName,
    score: percent(killed, faults),
    scoreByName: percent(byName, faults),
    digest: digestOf(services.map(({ service, matrix }) => `${service} ${matrix}`)),
  };
};

const scoreOf = ({ service, catalogue, faults: all, passed }: FaultRuns): MutationScore => {
  const faults = all.filter(({ status }) => status !== "unshown");
  const byName = faults.filter(({ status }) => status === "by-name");
  const proved = new Set(byName.map(({ violates }) => violates));
  return {
    service,
    catalogue,
    matrix: digestOf(faults.map(({ fault, status }) => `${fault} ${status}`)),
    faults: faults.length,
    killed: faults.filter(({ status }) => status !== "survived").length,
    byName: byName.length,
    unproved: passed.filter((requirement) => !proved.has(requirement)).sort(byText),
  };
};

const percent = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.floor((part / whole) * 10_000) / 100;

const digestOf = (lines: string[]): string =>
  `sha256-${createHash("sha256").update(lines.sort(byText).join("\n")).digest("base64")}`;

/** Returns the share of the faults that a run at quick depth finds by name, in percent, rounded down. */
export const shareAtQuick = ({ matrix, faults }: Pick<MutationMatrix, "matrix" | "faults">): number =>
  Math.floor(percent(matrix.filter(({ depth }) => depth === "quick").length, faults));

export interface FalseAlarm {
  readonly requirement: string;
  readonly verdict: Verdict;
  readonly trial: string;
  readonly message: string;
}

export interface CleanRun {
  readonly service: Service;
  readonly seed: number;
  readonly depth: Depth;
  /** Name of the variant; `null` for the unchanged sandbox. */
  readonly variant: string | null;
  readonly exchanges: number;
  /** The requests of each trial. */
  readonly requests: Readonly<Record<string, number>>;
  /** Whether the trials sent what they send in a run with a budget. */
  readonly isThrifty: boolean;
  readonly alarms: readonly FalseAlarm[];
  /** Ids of requirements. */
  readonly passed: readonly string[];
  readonly seconds: number;
}

/**
 * Returns the false alarms of a run. A variant may cause advisories, because it deviates only in points that the
 * documents do not define.
 */
export const falseAlarmsOf = ({ alarms, variant }: CleanRun): FalseAlarm[] =>
  alarms.filter(({ verdict }) => verdict !== "advisory" || variant === null);
