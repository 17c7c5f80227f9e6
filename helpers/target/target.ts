/** The server under test: its addresses, credentials, capabilities and permissions. */
import type { Service } from "../contract/contract.ts";

/** A number of billable calls that no run reaches. */
export const UNLIMITED = Number.MAX_SAFE_INTEGER;

export interface Permissions {
  /** The number of billable calls that a run may make. */
  readonly billableCalls: number;
  readonly destructive: boolean;
  readonly locking: boolean;
  /** The number of accepted invalid calls of each level to an operation whose results nobody can remove. */
  readonly lasting?: number;
  /** The ids of operations that are never called. */
  readonly excluded?: readonly string[];
  /** Requests per second of all workers together; `undefined` means no limit. */
  readonly requestsPerSecond?: number;
  /** The limits of one run. */
  readonly budget?: {
    /** The maximum number of requests. */
    readonly requests?: number;
    /** The part of them that each service may send; the last service of a run gets what the others leave. */
    readonly shares?: Readonly<Record<Service, number>>;
    /** The end of the run, in milliseconds since 1970. */
    readonly until?: number;
  };
}

export interface Target {
  readonly name: string;
  readonly embedded: boolean;
  readonly baseUrls: Readonly<Record<Service, string>>;
  /** Configuration values by environment name (DESIGN.md, Target configuration), without empty values. */
  readonly values: Readonly<Record<string, string>>;
  readonly permissions: Permissions;
}
