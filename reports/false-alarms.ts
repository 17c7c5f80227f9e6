/** What runs on sandboxes without faults came to: every failed verdict there is a false alarm. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Service } from "../helpers/contract/contract.ts";
import type { Verdict } from "../helpers/trials/ledger.ts";
import type { Depth } from "../helpers/trials/trial.ts";

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
  /** Name of the variant; `null` for the sandbox as it is. */
  readonly variant: string | null;
  readonly exchanges: number;
  readonly alarms: readonly FalseAlarm[];
  /** Ids of requirements. */
  readonly passed: readonly string[];
  readonly seconds: number;
}

/** Advisories are none: a variant may deviate from what the documents leave open. */
export const falseAlarmsOf = ({ alarms, variant }: CleanRun): FalseAlarm[] =>
  alarms.filter(({ verdict }) => verdict !== "advisory" || variant === null);

export const cleanPath = (out: string): string => join(out, "mutation-clean.json");

export const writeCleanRuns = (out: string, runs: readonly CleanRun[]): void => {
  const told = runs.map(({ passed, ...run }) => ({ ...run, passed: passed.length }));
  writeFileSync(cleanPath(out), `${JSON.stringify({ format: "mutation-clean/1", runs: told }, null, 2)}\n`);
};
