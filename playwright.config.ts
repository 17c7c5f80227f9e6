import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { serviceDescriptor } from "./helpers/contract/services.ts";
import { isPartOfRun, runPlan } from "./helpers/run/this-run.ts";
import { RUN_METADATA } from "./helpers/trials/run-info.ts";
import { reportersOf } from "./reports/reporters.ts";

// Started by itself, the test runner has nobody else to plan its run: what that takes is not loaded by `certify`.
const standalone = isPartOfRun() ? {} : await (await import("./runner/standalone.ts")).openStandaloneRun();
const { info, scratch, dryRun, ...plan } = await runPlan();
const listening = {
  out: info.out,
  of: info.shard === null ? "run" : "shard",
  allure: plan.allure === true,
} as const;

export default defineConfig({
  testDir: "tests",
  // The small ones first, side by side with a worker each: every worker more costs a second to start.
  projects: info.services.map((service) => ({
    name: service,
    // Not `testMatch`: that fits a folder of this name at any depth, so those of the product's own tests as well.
    testDir: join("tests", service),
    ...(info.services.length > 1 && { workers: serviceDescriptor(service).workers }),
  })),
  metadata: { [RUN_METADATA]: info },
  outputDir: scratch,
  fullyParallel: true,
  workers: 2,
  retries: 0,
  // Trials wait for their target, which has time limits of its own.
  timeout: 0,
  ...(!plan.standalone && { reporter: dryRun ? "null" : reportersOf(listening) }),
  ...(info.shard && { shard: { current: info.shard.index, total: info.shard.total } }),
  ...standalone,
});
