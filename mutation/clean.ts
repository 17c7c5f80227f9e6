/** Runs every trial on a sandbox without faults. Each failure there is a false alarm. */

import { STRENGTH } from "../helpers/trials/ledger.ts";
import type { Depth } from "../helpers/trials/trial.ts";
import type { CleanRun, FalseAlarm } from "../reports/mutation.ts";
import type { Workbench } from "./workbench.ts";

export interface CleanSetting {
  readonly seed: number;
  readonly depth: Depth;
  /** Name of a set of permitted differences. */
  readonly variant?: string;
  /** Whether the requests are counted as in a run with a budget. */
  readonly isThrifty?: boolean;
}

export const runClean = async (
  workbench: Workbench,
  { seed, depth, variant, isThrifty = false }: CleanSetting,
): Promise<CleanRun> => {
  const started = performance.now();
  const verdicts = new Map<string, number>();
  const alarms: FalseAlarm[] = [];
  let exchanges = 0;
  const requests: Record<string, number> = {};
  let sent = 0;
  const onExchange = (): void => {
    sent += 1;
  };
  const opening = {
    ...{ depth, seed, onExchange, isThrifty },
    ...(variant !== undefined && { differences: [variant] }),
  };
  await workbench.within(opening, async (session) => {
    for (const trial of workbench.trials) {
      const before = sent;
      const result = await session.run(trial);
      requests[trial.id] = sent - before;
      exchanges += result.exchanges;
      for (const { requirement, verdict, failure, reason } of result.entries) {
        verdicts.set(requirement, Math.max(verdicts.get(requirement) ?? 0, STRENGTH.indexOf(verdict)));
        if (verdict === "passed" || verdict === "not-tried") continue;
        alarms.push({
          requirement,
          verdict,
          trial: trial.id,
          message: failure?.message ?? result.crash ?? reason ?? "",
        });
      }
    }
  });
  return {
    service: workbench.contract.service,
    seed,
    depth,
    variant: variant ?? null,
    exchanges,
    requests,
    isThrifty,
    alarms,
    passed: [...verdicts].flatMap(([id, strength]) => (STRENGTH[strength] === "passed" ? [id] : [])),
    seconds: (performance.now() - started) / 1000,
  };
};
