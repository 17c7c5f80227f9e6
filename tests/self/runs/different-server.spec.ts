/** A whole run against a right server that behaves otherwise wherever the documents leave that open. */
import { expect, test } from "@playwright/test";
import type { Certificate } from "../../../reports/certificate/certificate.ts";
import { readCertificate } from "../../../reports/folder/certificate-file.ts";
import { run, startMock, temporary } from "../support/command.ts";
import { ALLOWED } from "../support/in-process.ts";
import { LONG } from "../support/lanes.ts";

/** Runs all trials against a sandbox without an admin interface, which is started with these arguments. */
const certified = async (...args: readonly string[]) => {
  const mock = await startMock(["--plain", ...args]);
  const folder = await temporary();
  const { code, stdout } = await run("certify", ["--target", "other", "--out", folder], {
    ...mock.credentials,
    ...ALLOWED,
  });
  await mock.stop();
  const { outcome, summary } = readCertificate(folder) as Certificate;
  return { code, stdout, outcome, summary, complaint: mock.complaint() };
};

test(
  "a server with every permitted difference is certified, with few advisories and requests",
  LONG,
  async () => {
    const usual = await certified();
    const different = await certified("--difference", "all");
    for (const { code, outcome, summary, complaint } of [usual, different]) {
      expect({ code, outcome }).toEqual({ code: 0, outcome: "certified" });
      expect(summary).toMatchObject({ failed: 0, blocked: 0 });
      expect(complaint).toBe("");
    }
    const [, advisories = ""] = /^Advisory .*\n((?: .*\n)*)/m.exec(different.stdout) ?? [];
    const lines = advisories.trim().split("\n").length;
    expect(lines).toBeGreaterThan(3);
    expect(lines).toBeLessThanOrEqual(20);
    expect(different.summary.exchanges).toBeLessThanOrEqual(usual.summary.exchanges * 1.3);
    // An acquittal needs requirements that were tried.
    expect(different.summary.passed).toBeGreaterThan(usual.summary.passed / 2);
  },
);
