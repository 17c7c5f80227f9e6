/** The server under test: its addresses, credentials, capabilities and permissions. */
import type { Service } from "../contract/contract.ts";

/** More billable calls than anybody could make. */
export const UNLIMITED = Number.MAX_SAFE_INTEGER;

export interface Permissions {
  /** How many billable calls a run may make. */
  readonly billableCalls: number;
  readonly destructive: boolean;
  readonly locking: boolean;
  /** Requests per second over all workers; `undefined` is no limit. */
  readonly requestsPerSecond?: number;
}

export interface Target {
  readonly name: string;
  readonly embedded: boolean;
  readonly baseUrls: Readonly<Record<Service, string>>;
  /** Configuration values by environment name (DESIGN.md, Target configuration); empty ones are left out. */
  readonly values: Readonly<Record<string, string>>;
  readonly permissions: Permissions;
}
