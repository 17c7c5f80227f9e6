import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { serviceDescriptor } from "./helpers/contract/services.ts";
import { runPlan } from "./helpers/run/this-run.ts";
import { RUN_METADATA } from "./helpers/trials/run-info.ts";
import { reportersOf } from "./reports/reporters.ts";

const { info, scratch, rehearsal, allure = false } = await runPlan();

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
  reporter: rehearsal
    ? "null"
    : reportersOf({ out: info.out, of: info.shard === null ? "run" : "shard", allure }),
  ...(info.shard && { shard: { current: info.shard.index, total: info.shard.total } }),
});
