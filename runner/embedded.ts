/** The embedded sandbox as a target. */
import { asDocumented } from "../helpers/contract/changes.ts";
import type { Contract } from "../helpers/contract/contract.ts";
import { targetOf } from "../helpers/target/load-target.ts";
import { type Target, UNLIMITED } from "../helpers/target/target.ts";
import { startSandbox } from "../mocks/engine/server.ts";

export interface Embedded {
  readonly target: Target;
  close(): Promise<void>;
}

/** All permissions: on our own machine, no call is billed, and deleting data or locking an account harms no user. */
export const EVERYTHING_ALLOWED = {
  ALLOW_DESTRUCTIVE: "true",
  ALLOW_LOCKING: "true",
  MAX_BILLABLE_CALLS: String(UNLIMITED),
};

/** @param faults ids of the faults in force */
export const embedded = async (
  contracts: readonly Contract[],
  faults: readonly string[] = [],
): Promise<Embedded> => {
  const services = contracts.map(({ service }) => service);
  // A newer version of a document takes back what it lacks. Other documents may describe a part of the service.
  const served = contracts.map((one) => (one.changes ? asDocumented(one, one.changes.base) : one));
  const { environment, close } = await startSandbox({
    ...{ services, port: 0, seed: 1, faults, contracts: served },
  });
  const name = faults.length === 0 ? "sandbox" : "sandbox with a planted fault";
  return { target: targetOf(name, { ...environment, ...EVERYTHING_ALLOWED }, true), close };
};
