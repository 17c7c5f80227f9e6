import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { RUN_METADATA } from "./helpers/trials/run-info.ts";
import { planFromEnvironment } from "./helpers/trials/run-plan.ts";
import { reportersOf } from "./reports/reporters.ts";

const { info } = planFromEnvironment();

export default defineConfig({
  testDir: "tests",
  projects: info.services.map((service) => ({ name: service, testMatch: `${service}/*.spec.ts` })),
  metadata: { [RUN_METADATA]: info },
  outputDir: join(info.out, "work"),
  fullyParallel: true,
  workers: 2,
  retries: 0,
  // Trials wait for their target, which has time limits of its own.
  timeout: 0,
  reporter: reportersOf({ out: info.out, of: info.shard === null ? "run" : "shard" }),
  ...(info.shard && { shard: { current: info.shard.index, total: info.shard.total } }),
});
