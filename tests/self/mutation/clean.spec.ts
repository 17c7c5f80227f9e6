/**
 * A sandbox without faults convicts nobody: as a plain server, and with the situations of its own test data. The long
 * lane runs all trials, the other lanes a sample.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { stringify } from "yaml";
import type { Contract } from "../../../helpers/contract/contract.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { services } from "../../../helpers/contract/services.ts";
import { startSandbox } from "../../../mocks/engine/server.ts";
import { openWorkbench } from "../../../mutation/workbench.ts";
import { temporary } from "../support/command.ts";
import { runAll } from "../support/in-process.ts";
import { PROOF, sizeInLane } from "../support/lanes.ts";

for (const service of services()) {
  for (const brings of ["nothing", "situations"] as const) {
    test(`a plain ${service} sandbox is not convicted if its user brings ${brings}`, PROOF, async () => {
      const contract = await loadContract(service);
      const { seeds, every, depth } = sizeInLane({
        sample: { seeds: [1], every: 12, depth: "quick" as const },
        full: { seeds: [1, 7, 42], every: 1, depth: "standard" as const },
      });
      const workbench = await openWorkbench(contract);
      const trials = workbench.trials.filter((_, index) => index % every === 0);
      const convictions: string[] = [];
      let passed = 0;
      try {
        for (const seed of seeds) {
          const situations = brings === "nothing" ? {} : { situations: await testDataOf(contract, seed) };
          await workbench.within({ depth, seed, plain: true, ...situations }, async (session) => {
            const entries = (await runAll(session, trials)).flatMap((result) => result.entries);
            passed += entries.filter(({ verdict }) => verdict === "passed").length;
            const bad = entries.filter(({ verdict }) => verdict === "failed" || verdict === "blocked");
            convictions.push(
              ...bad.map((one) => `${seed} ${one.requirement}: ${one.verdict}, ${one.reason}`),
            );
          });
        }
      } finally {
        await workbench.close();
      }
      expect(convictions).toEqual([]);
      expect(passed).toBeGreaterThan(seeds.length * 10);
    });
  }
}

/** Writes the situations that a plain sandbox with this seed has since its start. */
const testDataOf = async (contract: Contract, seed: number): Promise<string> => {
  const { testData, close } = await startSandbox({ seed, contracts: [contract], plain: true });
  await close();
  const file = join(await temporary(), "situations.yaml");
  await writeFile(file, stringify({ situations: testData, capabilities: ["hosted-pages"] }));
  return file;
};
