/** The example of a test by HTTP alone, for other languages. */
import { execFile, spawnSync } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import { ROOT } from "../../support/command.ts";

test("the example with curl gets a plan, meets a lost connection, and verifies its calls", async () => {
  const hasCurl = spawnSync("curl", ["--version"]).status === 0;
  test.skip(!hasCurl, "there is no curl on this machine");
  const { stdout } = await promisify(execFile)("sh", [join(ROOT, "templates", "sandbox.sh")], {
    env: { ...process.env, ASSAY: `${process.execPath} ${join(ROOT, "bin", "start.cjs")}` },
  });
  expect(stdout).toContain('"status":"APPROVED"');
  expect(stdout).toContain('"verified":true');
});
