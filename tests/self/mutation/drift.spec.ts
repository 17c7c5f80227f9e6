/**
 * Each permitted difference shows as drift, in both directions, and two runs against the same sandbox show none. The
 * long lane tries every difference and twenty seeds, the other lanes a sample.
 */
import { expect, test } from "@playwright/test";
import { type Behaviour, NO_BEHAVIOUR } from "../../../helpers/behaviour/behaviour.ts";
import { changesBetween } from "../../../helpers/behaviour/drift.ts";
import { mergedBehaviour } from "../../../helpers/behaviour/merge.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { services } from "../../../helpers/contract/services.ts";
import { differencesIn } from "../../../mocks/engine/deviations/catalogue.ts";
import { listDeviations } from "../../../mocks/engine/services.ts";
import { openWorkbench, type Workbench } from "../../../mutation/workbench.ts";
import { LONG, PROOF, SERVICE_LANES, sizeInLane } from "../support/lanes.ts";
import { changedObservations, plainBehaviour, runDrift } from "./drifting.ts";

/** A status, a text, a header, an address, fields, their order, forms of values and lengths of lists. */
const SAMPLE = [
  "installments.difference.fields-reversed",
  "installments.difference.version-stated",
  "installments.difference.small-pages",
  "installments.difference.other-words",
  "installments.difference.amounts-as-texts",
  "installments.difference.other-field-names",
  "installments.difference.unregistered-sees-nothing",
  "installments.difference.any-criterion-matches",
  "installments.difference.second-decision-ignored",
  "installments.difference.request-id-in-address",
  "installments.getPlan.response.shape.other-spelling",
];

for (const [service, lane] of SERVICE_LANES) {
  test(`permitted differences of ${service} show as drift, both ways`, lane, async () => {
    const contract = await loadContract(service);
    const listed = differencesIn(await listDeviations([contract]));
    const sample = listed.filter(({ id }) => SAMPLE.includes(id));
    const chosen = sizeInLane({ sample, full: listed });
    const workbench = await openWorkbench(contract);
    try {
      const quick = await plainBehaviour(workbench, { depth: "quick", seed: 1 });
      let standard: typeof quick | undefined;
      const unseen: string[] = [];
      for (const difference of chosen) {
        const run = await runDrift(workbench, quick, difference, { depth: "quick" });
        if (isShown(run)) continue;
        // Fewer probes may not reach the difference.
        standard ??= await plainBehaviour(workbench, { depth: "standard", seed: 1 });
        const again = await runDrift(workbench, standard, difference, { depth: "standard" });
        if (!isShown(again)) unseen.push(difference.id);
      }
      expect(unseen).toEqual([]);
      expect(chosen.length).toBeGreaterThanOrEqual(SAMPLE.length);
    } finally {
      await workbench.close();
    }
  });
}

/** Whether a comparison shows the difference both ways. A changed observation is one in either direction. */
const isShown = ({ there, back, observations }: Awaited<ReturnType<typeof runDrift>>): boolean =>
  observations.length > 0 || (there.length > 0 && back.length > 0);

/** Seeds of runs on different tenants. The data and the order of ids depend on the seed. */
const SEEDS = Array.from({ length: 20 }, (_, index) => 1 + index * 7919);

for (const service of services()) {
  test(
    `runs of ${service} with other seeds and tenants show no drift`,
    service === "installments" ? PROOF : LONG,
    async () => {
      const contract = await loadContract(service);
      const workbench = await openWorkbench(contract);
      try {
        const seeds = sizeInLane({ sample: SEEDS.slice(0, 2), full: SEEDS });
        const drift: string[] = [];
        let first: Behaviour | undefined;
        for (const seed of seeds) {
          const now = await wholeBehaviour(workbench, seed);
          first ??= now;
          const changes = changesBetween(first, now, false);
          drift.push(...changes.map(({ operationId, words }) => `${seed} ${operationId} ${words}`));
          drift.push(...changedObservations(workbench, first, now, false).map((id) => `${seed} ${id}`));
        }
        expect(drift).toEqual([]);
      } finally {
        await workbench.close();
      }
    },
  );
}

const wholeBehaviour = async (workbench: Workbench, seed: number): Promise<Behaviour> => {
  const { behaviours } = await plainBehaviour(workbench, { depth: "quick", seed });
  return [...behaviours.values()].reduce(mergedBehaviour, NO_BEHAVIOUR);
};
