/** Every fault that only a sequence can show is detected at standard depth with every seed. */
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { STRENGTH } from "../../../helpers/trials/ledger.ts";
import { faultsIn } from "../../../mocks/engine/deviations/catalogue.ts";
import type { Fault } from "../../../mocks/engine/deviations/deviation.ts";
import { listDeviations } from "../../../mocks/engine/services.ts";
import { openWorkbench, type Workbench } from "../../../mutation/workbench.ts";
import { sequenceTrials as models } from "../../financial-data/sequences.trials.ts";
import { seedsInLanes, sizeInLane } from "../support/lanes.ts";

/** The mutation run tries each of these faults too. */
const STRIDE = { sample: 16, full: 1 };

/** Each seed is a separate test, so that two run in parallel. */
for (const { seed, lane } of seedsInLanes(1)) {
  for (const half of [0, 1]) {
    test(`sequence faults of financial data, seed ${seed}, part ${half + 1}`, lane, async () => {
      const contract = await loadContract("financial-data");
      const workbench = await openWorkbench(contract);
      try {
        // Faults of other requirements are for scenarios that compare answers.
        const named = new Set(models.flatMap(({ requirements }) => requirements));
        const faults = faultsIn(await listDeviations([contract])).filter(
          (fault) =>
            isOverSequences(fault) && named.has(fault.violates) && !SHOWN_BY_RELATIONS.includes(fault.id),
        );
        const missed: string[] = [];
        const stride = 2 * sizeInLane(STRIDE);
        for (const fault of faults.filter((_, index) => index % stride === half)) {
          if (!(await isCaught(workbench, fault, seed))) missed.push(fault.id);
        }
        expect(faults.length).toBeGreaterThan(5);
        expect(missed).toEqual([]);
      } finally {
        await workbench.close();
      }
    });
  }
}

/** No model moves an event, or migrates one of several logins: trials of relations do. */
const SHOWN_BY_RELATIONS = ["event-moves-all-others", "migration-takes-other-logins"].map(
  (name) => `financial-data.sequences.untouched-stays.${name}`,
);

const isOverSequences = ({ effects }: Fault): boolean =>
  effects.some((effect) => effect.kind === "behaviour" && effect.name.startsWith("sequence-"));

/** Whether any requirement detects the fault, because a violation over several calls can show in several ways. */
const isCaught = async (workbench: Workbench, { id, violates }: Fault, seed: number): Promise<boolean> => {
  const naming = models.filter(({ requirements }) => requirements.includes(violates));
  return workbench.within({ depth: "standard", seed, faults: [id] }, async (session) => {
    for (const trial of naming) {
      const { entries } = await session.run(trial);
      if (entries.some(({ verdict }) => STRENGTH.indexOf(verdict) >= STRENGTH.indexOf("advisory")))
        return true;
    }
    return false;
  });
};
