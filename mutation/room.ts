/** One sandbox that stays, and a session on a tenant of it for each fault, seed or variant. */
import { equip, type Opening } from "../fixtures/engine/sandbox-capabilities.ts";
import { SOURCES } from "../fixtures/engine/sources.ts";
import type { Contract, Service } from "../helpers/contract/contract.ts";
import { targetOf } from "../helpers/target/load-target.ts";
import { UNLIMITED } from "../helpers/target/target.ts";
import { openSession, type Session } from "../helpers/trials/session.ts";
import type { Depth, Trial } from "../helpers/trials/trial.ts";
import { startSandbox } from "../mocks/engine/server.ts";
import { cardEnrollmentTrials } from "../tests/card-enrollment/trials.ts";
import { financialDataTrials } from "../tests/financial-data/trials.ts";
import { installmentsTrials } from "../tests/installments/trials.ts";

export interface Room {
  readonly contract: Contract;
  readonly trials: readonly Trial[];
  /** A session on a tenant of its own; both end when `use` has ended. */
  within<Value>(setting: Setting, use: (session: Session) => Promise<Value>): Promise<Value>;
  close(): Promise<void>;
}

export interface Setting extends Opening {
  readonly depth: Depth;
}

export const openRoom = async (contract: Contract): Promise<Room> => {
  const { service } = contract;
  const sandbox = await startSandbox({
    services: [service],
    port: 0,
    seed: 1,
    faults: [],
    contracts: [contract],
  });
  const target = targetOf("sandbox", { ...sandbox.environment, ...EVERYTHING_ALLOWED }, true);
  return {
    contract,
    trials: TRIALS[service](contract),
    async within({ depth, ...opening }, use) {
      const { release, ...equipment } = await equip(target, opening);
      const session = openSession({
        ...equipment,
        contracts: [contract],
        sources: SOURCES,
        depth,
        seed: opening.seed ?? 1,
        prefix: "t0",
      });
      try {
        return await use(session);
      } finally {
        await session.close();
        await release();
      }
    },
    close: () => sandbox.close(),
  };
};

const EVERYTHING_ALLOWED = {
  ALLOW_DESTRUCTIVE: "true",
  ALLOW_LOCKING: "true",
  MAX_BILLABLE_CALLS: String(UNLIMITED),
};

const TRIALS: Readonly<Record<Service, (contract: Contract) => Trial[]>> = {
  "card-enrollment": cardEnrollmentTrials,
  installments: installmentsTrials,
  "financial-data": financialDataTrials,
};
