/** One long-lived sandbox, with a session on its own tenant for each fault, seed or variant. */
import type { Contract } from "../helpers/contract/contract.ts";
import { testsFolder } from "../helpers/contract/services.ts";
import type { Exchange } from "../helpers/exchange/exchange.ts";
import { type Equipment, equip, type Opening } from "../helpers/situations/sandbox-capabilities.ts";
import { openSession, type Session } from "../helpers/trials/session.ts";
import type { Depth, Trial } from "../helpers/trials/trial.ts";
import { embedded } from "../runner/embedded.ts";

export interface Workbench {
  readonly contract: Contract;
  readonly trials: readonly Trial[];
  /** Opens a session on a new tenant; closes both when `use` has ended. */
  within<Value>(
    setting: Setting,
    use: (session: Session, changes: Equipment["changes"]) => Promise<Value>,
  ): Promise<Value>;
  close(): Promise<void>;
}

export interface Setting extends Opening {
  readonly depth: Depth;
  /** See `SessionOptions`. */
  readonly focus?: readonly string[];
  /** Whether the results contain the behaviour of the target. */
  readonly isObserved?: boolean;
  /** See `SessionOptions`. */
  readonly until?: string;
  /** Whether to look for an occasion of what held; not if absent, because only violations count then. */
  readonly occasions?: boolean;
  readonly onExchange?: (exchange: Exchange) => void;
}

export const openWorkbench = async (contract: Contract): Promise<Workbench> => {
  const { target, close } = await embedded([contract]);
  return {
    contract,
    trials: await trialsOf(contract),
    async within({ depth, focus, isObserved, occasions = false, onExchange, until, ...opening }, use) {
      const { release, changes, ...equipment } = await equip(target, opening);
      const session = openSession({
        ...equipment,
        contracts: [contract],
        depth,
        seed: opening.seed ?? 1,
        prefix: "t0",
        ...(focus && { focus }),
        ...(isObserved && { isObserved }),
        occasions,
        ...(onExchange && { onExchange }),
        ...(until !== undefined && { until }),
      });
      try {
        return await use(session, changes);
      } finally {
        await session.close();
        await release();
      }
    },
    close,
  };
};

/** Returns the trials that `tests/` has for a service. */
export const trialsOf = async (contract: Contract): Promise<readonly Trial[]> => {
  const module = await import(`../tests/${testsFolder(contract.service)}/trials.ts`);
  return (module as { trials(of: Contract): Trial[] }).trials(contract);
};
