/** Runs card enrollment's trials against a sandbox in this process: what `npm run certify` does, less its reports. */
import { equip } from "../../../fixtures/engine/sandbox-capabilities.ts";
import type { Contract } from "../../../helpers/contract/contract.ts";
import type { Exchange } from "../../../helpers/exchange/exchange.ts";
import { targetOf } from "../../../helpers/target/load-target.ts";
import { type LedgerPage, STRENGTH, type Verdict } from "../../../helpers/trials/ledger.ts";
import { openSession, type Session } from "../../../helpers/trials/session.ts";
import type { Depth, Trial } from "../../../helpers/trials/trial.ts";
import { startSandbox } from "../../../mocks/engine/server.ts";

export interface Setting {
  readonly contract: Contract;
  readonly faults?: readonly string[];
  readonly seed?: number;
  readonly depth?: Depth;
  readonly onExchange?: (exchange: Exchange) => void;
  /** Added to what the sandbox configures, such as permissions. */
  readonly values?: Readonly<Record<string, string>>;
}

/** Opens a session on a fresh sandbox, and closes both when `use` has ended. */
export const onSandbox = async <Value>(
  setting: Setting,
  use: (session: Session) => Promise<Value>,
): Promise<Value> => {
  const { contract, faults = [], seed = 1, depth = "standard", onExchange, values } = setting;
  const sandbox = await startSandbox({
    services: [contract.service],
    port: 0,
    seed,
    faults,
    contracts: [contract],
  });
  try {
    const session = openSession({
      ...(await equip(targetOf("sandbox", { ...sandbox.environment, ...values }, true))),
      contracts: [contract],
      depth,
      seed,
      prefix: "t0",
      ...(onExchange && { onExchange }),
    });
    try {
      return await use(session);
    } finally {
      await session.close();
    }
  } finally {
    await sandbox.close();
  }
};

export const runAll = async (session: Session, trials: readonly Trial[]): Promise<LedgerPage[]> => {
  const pages: LedgerPage[] = [];
  for (const trial of trials) pages.push(await session.run(trial));
  return pages;
};

/** The strongest verdict that the pages give each requirement. */
export const verdictsOf = (pages: readonly LedgerPage[]): Map<string, Verdict> => {
  const verdicts = new Map<string, Verdict>();
  for (const { requirement, verdict } of pages.flatMap(({ entries }) => entries)) {
    const known = verdicts.get(requirement) ?? "not-tried";
    verdicts.set(requirement, STRENGTH.indexOf(verdict) > STRENGTH.indexOf(known) ? verdict : known);
  }
  return verdicts;
};
