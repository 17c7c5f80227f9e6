/** The options of `npm run mutation`. */
import type { Service } from "../helpers/contract/contract.ts";
import type { RunInfo } from "../helpers/trials/run-info.ts";
import type { Shard } from "../runner/command/options.ts";

export interface Flags {
  readonly service: readonly Service[];
  readonly contract: Readonly<Record<Service, string>>;
  readonly fault?: readonly string[];
  /** The number of seeds. */
  readonly clean?: number;
  readonly innocent?: true;
  readonly half?: RunInfo["half"];
  readonly difference?: readonly string[];
  readonly plain?: true;
  readonly situations?: string;
  readonly keep?: true;
  readonly shard?: Shard;
  readonly merge?: readonly string[];
  readonly seed: number;
  readonly out: string;
}

/** Whether all contracts are built in. Only their scores are kept. */
export const isOwn = (files: Readonly<Record<Service, string>>): boolean => Object.keys(files).length === 0;

/** Describes the sandbox on which the faults run; `undefined` for the usual one. */
export const sandboxWords = ({ plain, situations, difference }: Flags): string | undefined =>
  [
    ...(plain ? ["without an admin interface"] : []),
    ...(situations === undefined ? [] : [`with the situations of ${situations}`]),
    ...(difference === undefined ? [] : [`with the difference ${difference.join(", ")}`]),
  ].join(" and ") || undefined;
