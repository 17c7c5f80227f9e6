/** `npm run replay` as the user sees it: it repeats the steps of a finding on a new sandbox. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import type { RecordedStep } from "../../../helpers/trials/failure.ts";
import { largeCertificate } from "../reports/large-certificate.ts";
import { run, temporary } from "../support/command.ts";
import { QUICK } from "../support/lanes.ts";

const STEPS: readonly RecordedStep[] = [
  { title: "an hour passes", beside: false, act: { kind: "pass", seconds: 3_600 } },
];

test("replay repeats and prints the steps of a finding", QUICK, async () => {
  const file = join(await temporary(), "certificate.json");
  const requirement = "card-enrollment.auth.whole-interface";
  const finding = { id: "f-1", requirement, message: "it is shown", sequence: STEPS };
  const certificate = { ...largeCertificate({ requirements: 1, findings: 0 }), findings: [finding] };
  await writeFile(file, JSON.stringify(certificate));
  const { code, stdout } = await run("replay", [file, "f-1"]);
  expect([code, stdout]).toEqual([3, expect.stringContaining("an hour passes")]);
  expect(stdout).toContain("No single response shows the finding");
  const unknown = await run("replay", [file, "f-2"]);
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("Its findings are: f-1.")]);
});
