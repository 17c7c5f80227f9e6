/** The product's own tests: `npm test`. */
import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: ".",
  outputDir: "../../test-results",
  fullyParallel: true,
  workers: 2,
  retries: 0,
  timeout: 120_000,
  forbidOnly: process.env.CI !== undefined,
  reporter: [[process.env.CI === undefined ? "list" : "dot"], ["./support/tally.ts"]],
});
