import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { loadedCode } from "./helpers/contract/code.ts";
import { testsFolder } from "./helpers/contract/services.ts";
import "./helpers/run/show-sources.ts";
import { isPartOfRun, runPlan } from "./helpers/run/this-run.ts";
import { RUN_METADATA } from "./helpers/trials/run-info.ts";
import { reportersOf } from "./reports/folder/reporters.ts";

// A run that `certify` starts has a plan. If the test runner is started directly, this file plans the run; `certify`
// does not load that code.
const standalone = isPartOfRun() ? {} : await (await import("./runner/standalone.ts")).openStandaloneRun();
const { info, scratch, ...plan } = await runPlan();
const TESTS = loadedCode("tests");
const testsOf = (service: string): string => join(TESTS, testsFolder(service));
/** Services without code share the folder of their trials. */
const byFolder = new Map(info.services.map((service) => [testsOf(service), service]));
const listening = {
  out: info.out,
  of: info.shard === null ? "run" : "shard",
  allure: plan.allure === true,
  events: plan.events === true,
} as const;

export default defineConfig({
  testDir: TESTS,
  ...(plan.standalone || info.budget
    ? { projects: [...byFolder].map(([testDir, name]) => ({ name, testDir })) }
    : // Workers, each of which takes a second to start, are shared by the tests of one project only. The services of a run
      // with a budget run one after another.
      { testMatch: [...byFolder.keys()].map((folder) => join(folder, "*.spec.*")) }),
  metadata: { [RUN_METADATA]: info },
  outputDir: scratch,
  fullyParallel: true,
  // The trials of a run with a budget run in their order.
  workers: info.budget ? 1 : plan.workers,
  retries: 0,
  // No timeout: trials wait for their target, which has its own time limits.
  timeout: 0,
  ...(!plan.standalone && { reporter: reportersOf(listening) }),
  ...standalone,
});
