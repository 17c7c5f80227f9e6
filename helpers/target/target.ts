/** The server under test: its addresses, credentials, capabilities and permissions. */
import type { Service } from "../contract/contract.ts";

/** A number of billable calls that no run reaches. */
export const UNLIMITED = Number.MAX_SAFE_INTEGER;

export interface Permissions {
  /** The number of billable calls that a run may make. */
  readonly billableCalls: number;
  readonly destructive: boolean;
  readonly locking: boolean;
  /** Requests per second of all workers together; `undefined` means no limit. */
  readonly requestsPerSecond?: number;
}

export interface Target {
  readonly name: string;
  readonly embedded: boolean;
  readonly baseUrls: Readonly<Record<Service, string>>;
  /** Configuration values by environment name (DESIGN.md, Target configuration), without empty values. */
  readonly values: Readonly<Record<string, string>>;
  readonly permissions: Permissions;
}
