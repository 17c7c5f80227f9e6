/** The flags of `npm run mutation`, and what several of its runs need of them. */
import type { Service } from "../helpers/contract/contract.ts";
import type { Half } from "../reports/half-matrix.ts";
import type { ProviderFiles } from "../runner/command/contracts.ts";
import type { CleanTask } from "./messages.ts";
import type { Shard } from "./shards.ts";

export interface Flags {
  readonly service: readonly Service[];
  readonly contract: ProviderFiles;
  readonly fault?: readonly string[];
  readonly clean?: number;
  readonly innocent?: true;
  readonly half?: Half;
  readonly difference?: readonly string[];
  readonly plain?: true;
  readonly situations?: string;
  readonly curve?: true;
  /** A revision of git. */
  readonly changed?: string;
  readonly shard?: Shard;
  readonly merge?: readonly string[];
  readonly seed: number;
  readonly out: string;
}

/** The exit code of a run that found something wrong. */
export const FAILED = 1;

/** Whether all contracts are built in. Only their scores are kept. */
export const isOwn = (files: ProviderFiles): boolean => Object.keys(files).length === 0;

export const cleanTask = (service: Service, seed: number): CleanTask => ({
  kind: "clean",
  service,
  seed,
  depth: "standard",
});

/** Counts the requests of each trial in a run with a budget. */
export const thriftyTask = (service: Service): CleanTask => ({
  ...cleanTask(service, 1),
  depth: "quick",
  isThrifty: true,
});
