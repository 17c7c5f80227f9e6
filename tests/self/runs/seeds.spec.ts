/** No false alarm: whatever the seed draws, the sandbox that keeps every promise is found to keep them. */
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { trials as cardEnrollmentTrials } from "../../card-enrollment/trials.ts";
import { onSandbox, runAll, verdictsOf } from "../support/in-process.ts";

const contract = await loadContract("card-enrollment");
const trials = cardEnrollmentTrials(contract);

const SEEDS = Array.from({ length: 20 }, (_, index) => 1 + index * 7919);

for (const seed of SEEDS) {
  test(`nothing is held against the clean sandbox with seed ${seed}`, async () => {
    const pages = await onSandbox({ contract, seed, depth: "quick" }, (session) => runAll(session, trials));
    const verdicts = [...verdictsOf(pages)];
    expect(verdicts.filter(([, verdict]) => !["passed", "not-tried"].includes(verdict))).toEqual([]);
    expect(verdicts.filter(([, verdict]) => verdict === "passed").length).toBeGreaterThan(150);
  });
}
