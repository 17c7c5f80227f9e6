/** The embedded sandbox as a target. */
import type { Contract } from "../helpers/contract/contract.ts";
import { targetOf } from "../helpers/target/load-target.ts";
import type { Target } from "../helpers/target/target.ts";
import { type Sandbox, startSandbox } from "../mocks/server.ts";

const EMBEDDED = "sandbox";

export const embedded = (contracts: readonly Contract[]): Promise<Sandbox> =>
  startSandbox({
    services: contracts.map(({ service }) => service),
    port: 0,
    seed: 1,
    faults: [],
    contracts,
  });

/** On our own machine nothing is billed, and nothing that is deleted or locked belongs to anybody. */
export const targetOfSandbox = (sandbox: Sandbox): Target =>
  targetOf(
    EMBEDDED,
    {
      ...sandbox.environment,
      ALLOW_DESTRUCTIVE: "true",
      ALLOW_LOCKING: "true",
      MAX_BILLABLE_CALLS: String(Number.MAX_SAFE_INTEGER),
    },
    true,
  );
