/** `npm run mutation` as the user sees it: exit codes, output and files. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import type { Service } from "../../../helpers/contract/contract.ts";
import { services } from "../../../helpers/contract/services.ts";
import type { CleanRun, MutationMatrix } from "../../../reports/mutation.ts";
import { run, temporary } from "../support/command.ts";
import { LONG, QUICK, type Sizes, sizeInLane } from "../support/lanes.ts";

const FAULTS = ["installments.approvals.decline.forgotten", "installments.approvals.approve.refused"];

test("the chosen faults are run, printed and written", QUICK, async () => {
  const out = await temporary();
  const { code, stdout } = await run("mutation", ["--fault", FAULTS.join(","), "--out", out]);
  const path = join(out, "mutation.json");
  expect([code, stdout]).toEqual([0, expect.stringContaining(path)]);
  expect(stdout).toContain("installments  2 faults");
  expect(stdout).toContain("100 % killed  2 of 2 faults");
  const matrix = JSON.parse(readFileSync(path, "utf8")) as MutationMatrix;
  expect(matrix).toMatchObject({ format: "mutation/1", faults: 2, killed: 2, byName: 2, score: 100 });
  expect(matrix.matrix.map(({ fault, status }) => [fault, status])).toEqual(
    [...FAULTS].sort().map((fault) => [fault, "by-name"]),
  );
  for (const { violates, killedBy } of matrix.matrix) expect(killedBy?.requirement).toBe(violates);
});

const CLEAN: Sizes<{ readonly seeds: number; readonly services: readonly Service[] }> = {
  sample: { seeds: 1, services: ["card-enrollment", "installments"] },
  full: { seeds: 100, services: services() },
};

test("sandboxes without faults cause no false alarm, with every variant", LONG, async () => {
  const { seeds, services } = sizeInLane(CLEAN);
  const out = await temporary();
  const args = ["--clean", String(seeds), "--service", services.join(","), "--out", out];
  const { code, stdout } = await run("mutation", args);
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/talkative, standard depth +1 seed, .* no false alarm/),
  ]);
  const { runs } = JSON.parse(readFileSync(join(out, "mutation-clean.json"), "utf8")) as {
    readonly runs: readonly (Omit<CleanRun, "passed"> & { readonly passed: number })[];
  };
  const variants = ["slow", "talkative", "terse", ...Array.from({ length: seeds }, () => null)];
  expect(runs.map(({ service, variant }) => `${service} ${variant}`).sort()).toEqual(
    services.flatMap((service) => variants.map((variant) => `${service} ${variant}`)).sort(),
  );
  for (const { passed, exchanges } of runs) expect(Math.min(passed, exchanges)).toBeGreaterThan(20);
});

for (const [what, args, says] of [
  ["an unknown fault", ["--fault", "installments.approvals.decline.forgot"], /approvals\.decline\.forgotten/],
  ["an unknown service", ["--service", "elsewhere"], /no service "elsewhere"/],
  ["no number of seeds", ["--clean", "many"], /whole number/],
] as const) {
  test(`${what} is a bad argument`, async () => {
    const { code, stderr } = await run("mutation", args);
    expect([code, stderr]).toEqual([2, expect.stringMatching(says)]);
  });
}
