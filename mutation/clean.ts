/** Runs every trial on a sandbox without faults. Each failure there is a false alarm. */
import { sentenceOf } from "../helpers/reasons/reason.ts";
import { STRENGTH } from "../helpers/trials/ledger.ts";
import type { Evidence, MatrixRow } from "../reports/certificate/matrix.ts";
import type { CleanTask } from "./messages.ts";
import type { Workbench } from "./workbench.ts";

/** @returns a row with the false alarms, and the requests of each trial */
export const runClean = async (
  workbench: Workbench,
  { seed, depth, variant }: CleanTask,
): Promise<MatrixRow> => {
  const started = performance.now();
  const verdicts = new Map<string, number>();
  const alarms: Evidence[] = [];
  const requests: Record<string, number> = {};
  let [exchanges, sent] = [0, 0];
  const onExchange = (): void => {
    sent += 1;
  };
  const opening = { depth, seed, onExchange, ...(variant !== undefined && { differences: [variant] }) };
  await workbench.within(opening, async (session) => {
    for (const trial of workbench.trials) {
      const before = sent;
      const result = await session.run(trial);
      requests[trial.id] = sent - before;
      exchanges += result.exchanges;
      for (const { requirement, verdict, failure, reason } of result.entries) {
        verdicts.set(requirement, Math.max(verdicts.get(requirement) ?? 0, STRENGTH.indexOf(verdict)));
        if (verdict === "passed" || verdict === "not-tried") continue;
        // A variant may cause advisories, because it differs only where the documents do not define the behaviour.
        if (verdict === "advisory" && variant !== undefined) continue;
        const message = failure?.message ?? result.crash ?? (reason ? sentenceOf(reason) : "");
        alarms.push({ requirement, verdict, trial: trial.id, reason: message });
      }
    }
  });
  return {
    ...{ kind: "clean", service: workbench.contract.service, violates: null },
    subject: [`seed ${seed}`, `${depth} depth`, ...(variant === undefined ? [] : [variant])].join(", "),
    status: alarms.length === 0 ? "acquitted" : "convicted",
    ...{ evidence: alarms, depth, exchanges, requests },
    passed: [...verdicts].flatMap(([id, strength]) => (STRENGTH[strength] === "passed" ? [id] : [])),
    seconds: (performance.now() - started) / 1000,
  };
};
