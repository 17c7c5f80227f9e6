/** No permitted difference convicts the server. The long lane tries every difference, the other lanes a sample. */
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { differencesIn } from "../../../mocks/engine/deviations/catalogue.ts";
import type { Difference } from "../../../mocks/engine/deviations/deviation.ts";
import { listDeviations } from "../../../mocks/engine/services.ts";
import { baselineOf } from "../../../mutation/baseline.ts";
import { runDifferences } from "../../../mutation/run-differences.ts";
import { openWorkbench } from "../../../mutation/workbench.ts";
import { LONG, PROOF, sizeInLane } from "../support/lanes.ts";

const LANES = [
  ["card-enrollment", LONG],
  ["installments", PROOF],
  ["financial-data", LONG],
] as const;

/** Returns every second one of the first differences of each kind and name. */
const sampleOf = (listed: readonly Difference[]): Difference[] => {
  const names = new Set<string>();
  return listed.filter(({ id, kind }) => {
    const name = `${kind} ${id.split(".").at(-1)}`;
    const isNew = !names.has(name);
    names.add(name);
    return isNew && names.size % 2 === 1;
  });
};

for (const [service, lane] of LANES) {
  test(`permitted differences of ${service} are acquitted`, lane, async () => {
    const contract = await loadContract(service);
    const listed = differencesIn(await listDeviations([contract]));
    const chosen = sizeInLane({ sample: sampleOf(listed), full: listed });
    const workbench = await openWorkbench(contract);
    try {
      const baseline = await baselineOf(workbench, "quick");
      const others: string[] = [];
      for (const difference of chosen) {
        const row = await runDifferences(workbench, baseline, difference.id, [difference]);
        const { status, evidence } = row;
        const [first] = evidence;
        if (status !== "acquitted")
          others.push(`${difference.id}: ${status} ${first?.requirement} ${first?.verdict} ${first?.reason}`);
      }
      expect(others).toEqual([]);
    } finally {
      await workbench.close();
    }
  });
}
