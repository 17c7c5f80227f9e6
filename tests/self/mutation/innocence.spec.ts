/** No permitted difference convicts the server. The long lane tries every difference, the other lanes a sample. */
import { expect, test } from "@playwright/test";
import type { Contract } from "../../../helpers/contract/contract.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import type { Trial } from "../../../helpers/trials/trial.ts";
import { differencesIn } from "../../../mocks/engine/deviations/catalogue.ts";
import type { Difference } from "../../../mocks/engine/deviations/deviation.ts";
import { listDeviations } from "../../../mocks/engine/services.ts";
import { type Baseline, baselineOf } from "../../../mutation/baseline.ts";
import { tasksInPairs, trialsUnseen } from "../../../mutation/innocence.ts";
import { permittedBy } from "../../../mutation/permitted.ts";
import { runDifferences } from "../../../mutation/run-differences.ts";
import { openWorkbench } from "../../../mutation/workbench.ts";
import { isInSample, SERVICE_LANES, sizeInLane } from "../support/lanes.ts";

/** Returns every fourth one of the first differences of each kind and name. */
const sampleOf = (listed: readonly Difference[]): Difference[] => {
  const names = new Set<string>();
  return listed.filter(({ id, kind }) => {
    const name = `${kind} ${id.split(".").at(-1)}`;
    const isNew = !names.has(name);
    names.add(name);
    return isNew && isInSample(names.size, 4);
  });
};

for (const [service, lane] of SERVICE_LANES) {
  test(`each requirement of ${service} is seen under each difference that may change all answers`, async () => {
    const contract = await loadContract(service);
    const listed = differencesIn(await listDeviations([contract]));
    const { trials } = (await import(`../../${service}/trials.ts`)) as { trials(of: Contract): Trial[] };
    const verdicts = new Map(
      trials(contract).map(({ id, requirements }) => [
        id,
        new Map(requirements.map((one) => [one, "passed"])),
      ]),
    );
    const tried = new Set([...verdicts.values()].flatMap((shown) => [...shown.keys()]));
    const tasks = tasksInPairs(service, listed);
    const general = listed.filter(({ kind, operations }) => kind === "switch" && operations.length === 0);
    let run = 0;
    for (const difference of general) {
      const unseen = trialsUnseen(contract, difference, listed, verdicts as Baseline["verdicts"], []);
      const alone = [...unseen].flatMap((id) => [...(verdicts.get(id)?.keys() ?? [])]);
      const combined = tasks.flatMap(({ differences }) => {
        if (!differences.includes(difference.id)) return [];
        const others = listed.filter(({ id }) => id !== difference.id && differences.includes(id));
        const { affects, silences } = permittedBy(others, contract);
        return [...tried].filter((one) => !affects(one) && !silences(one, undefined));
      });
      const seen = new Set([...alone, ...combined]);
      expect([difference.id, [...tried].filter((one) => !seen.has(one))]).toEqual([difference.id, []]);
      run += unseen.size;
    }
    expect(run).toBeLessThan((general.length * verdicts.size) / 5);
  });

  test(`permitted differences of ${service} are acquitted`, lane, async () => {
    const contract = await loadContract(service);
    const listed = differencesIn(await listDeviations([contract]));
    const chosen = sizeInLane({ sample: sampleOf(listed), full: listed });
    const workbench = await openWorkbench(contract);
    try {
      const baseline = await baselineOf(workbench, "quick");
      const others: string[] = [];
      for (const difference of chosen) {
        const row = await runDifferences(workbench, baseline, difference.id, [difference], listed);
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
