import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { serviceDescriptor } from "./helpers/contract/services.ts";
import { isPartOfRun, runPlan } from "./helpers/run/this-run.ts";
import { RUN_METADATA } from "./helpers/trials/run-info.ts";
import { reportersOf } from "./reports/reporters.ts";

// A run that `certify` starts has a plan. If the test runner is started directly, this file plans the run; `certify`
// does not load that code.
const standalone = isPartOfRun() ? {} : await (await import("./runner/standalone.ts")).openStandaloneRun();
const { info, scratch, ...plan } = await runPlan();
const listening = {
  out: info.out,
  of: info.shard === null ? "run" : "shard",
  allure: plan.allure === true,
  events: plan.events === true,
} as const;

export default defineConfig({
  testDir: "tests",
  // Small services come first and run in parallel with one worker each, because each additional worker takes a second
  // to start.
  projects: info.services.map((service) => ({
    name: service,
    // This does not use `testMatch`, which would match a folder with this name at any depth, including folders of the
    // product's own tests.
    testDir: join("tests", service),
    ...(info.services.length > 1 && { workers: info.budget ? 1 : serviceDescriptor(service).workers }),
  })),
  metadata: { [RUN_METADATA]: info },
  outputDir: scratch,
  fullyParallel: true,
  // The trials of a run with a budget run in their order.
  workers: info.budget ? 1 : 2,
  retries: 0,
  // No timeout: trials wait for their target, which has its own time limits.
  timeout: 0,
  ...(!plan.standalone && { reporter: reportersOf(listening) }),
  ...standalone,
});
