/** `npm run mutation` as the user sees it: exit codes, output and files. */
import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import type { Service } from "../../../helpers/contract/contract.ts";
import { services } from "../../../helpers/contract/services.ts";
import type { Matrix } from "../../../reports/certificate/matrix.ts";
import { matrixPath } from "../../../reports/folder/matrix-file.ts";
import { run, temporary } from "../support/command.ts";
import { LONG, QUICK, type Sizes, sizeInLane } from "../support/lanes.ts";

const FAULTS = ["installments.approvals.decline.forgotten", "installments.approvals.approve.refused"];

test("the chosen faults are run, printed and written", QUICK, async () => {
  const out = await temporary();
  const { code, stdout } = await run("mutation", ["--fault", FAULTS.join(","), "--out", out]);
  const path = matrixPath(out);
  expect([code, stdout]).toEqual([0, expect.stringContaining(path)]);
  expect(stdout).toContain("installments  2 faults");
  expect(stdout).toContain("100 % killed  2 of 2 faults");
  const matrix = JSON.parse(readFileSync(path, "utf8")) as Matrix;
  expect(matrix.scores).toMatchObject([{ kind: "fault", wrong: 2, found: 2, byName: 2, right: 0 }]);
  expect(matrix.rows.map(({ subject, status }) => [subject, status])).toEqual(
    [...FAULTS].sort().map((fault) => [fault, "by-name"]),
  );
  for (const { violates, evidence } of matrix.rows) expect(evidence[0]?.requirement).toBe(violates);
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
    expect.stringContaining(`${services.length * (seeds + 3)} clean runs acquitted`),
  ]);
  const { rows } = JSON.parse(readFileSync(matrixPath(out), "utf8")) as Matrix;
  const subjects = [
    ...["slow", "talkative", "terse"].map((variant) => `seed 1, standard depth, ${variant}`),
    ...Array.from({ length: seeds }, (_, index) => `seed ${1 + index}, quick depth`),
  ];
  expect(rows.map(({ service, subject }) => `${service} ${subject}`).sort()).toEqual(
    services.flatMap((service) => subjects.map((subject) => `${service} ${subject}`)).sort(),
  );
  for (const { passed = [], exchanges = 0 } of rows)
    expect(Math.min(passed.length, exchanges)).toBeGreaterThan(20);
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
