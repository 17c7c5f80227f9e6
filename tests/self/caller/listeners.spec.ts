/** Proves the checks of listeners: each wrong one is found by the requirement that it violates, no right one is convicted. */
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { runSubjects } from "../../../mutation/halves.ts";
import { PROOF, sizeInLane } from "../support/lanes.ts";

for (const service of ["installments", "financial-data"]) {
  test(
    `every wrong listener of ${service} is found by name, and every right one is acquitted`,
    PROOF,
    async () => {
      const contract = await loadContract(service);
      const runs = await runSubjects("listener", contract, sizeInLane({ sample: true, full: false }));
      const bad = runs.filter(({ status }) => status !== "found" && status !== "acquitted");
      expect(bad.map(({ name, requirement, violated }) => ({ name, requirement, violated }))).toEqual([]);
      const shown = new Set(
        runs.filter(({ requirement }) => requirement === null).flatMap((run) => run.shown),
      );
      const listeners = contract.requirements
        .filter(({ subject }) => subject === "listener")
        .map(({ id }) => id);
      expect(listeners.filter((id) => !shown.has(id))).toEqual([]);
      const violated = new Set(runs.map(({ requirement }) => requirement));
      expect([...shown].filter((id) => !violated.has(id))).toEqual([]);
    },
  );
}
