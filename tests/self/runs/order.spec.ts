/** The order of the trials does not matter: any part of them, in any order, finds no violation on the clean sandbox. */
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import { loadContract } from "../../../helpers/contract/load.ts";
import { services } from "../../../helpers/contract/services.ts";
import { trialsOf } from "../../../mutation/workbench.ts";
import { onSandbox, runAll, verdictsOf } from "../support/in-process.ts";
import { isInSample, LONG, seedsInLanes } from "../support/lanes.ts";

for (const [index, service] of services().entries()) {
  for (const { seed, lane } of seedsInLanes(1)) {
    const inLane = isInSample(index + 1, services().length) ? lane : LONG;
    test(`order ${seed} of the trials of ${service} finds no violation`, inLane, async () => {
      const contract = await loadContract(service);
      const all = await trialsOf(contract);
      const parts = fc.shuffledSubarray([...all], { minLength: Math.ceil(all.length / 2) });
      const [trials = []] = fc.sample(parts, { seed, numRuns: 1 });
      const pages = await onSandbox({ contract, seed, depth: "quick" }, (session) => runAll(session, trials));
      const wrong = pages.flatMap(({ entries }) =>
        entries.filter(({ verdict }) => !["passed", "not-tried"].includes(verdict)),
      );
      expect(
        wrong.map(({ requirement, verdict, failure }) => [requirement, verdict, failure?.message]),
      ).toEqual([]);
      expect(
        [...verdictsOf(pages).values()].filter((verdict) => verdict === "passed").length,
      ).toBeGreaterThan(20);
    });
  }
}
