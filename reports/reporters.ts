/** Who listens to a run of the test runner: the certificate and JUnit, Allure, and for a shard the blob to merge. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ReporterDescription } from "@playwright/test";

export interface Listening {
  /** Directory that everything is written to. */
  readonly out: string;
  /** `shard` also keeps what a merge needs; `merge` tells the shards as one run. */
  readonly of: "run" | "shard" | "merge";
  /** Whether Allure listens too; the results that shards wrote are taken over as they are. */
  readonly allure?: boolean;
}

const CERTIFICATE_REPORTER = fileURLToPath(new URL("reporter.ts", import.meta.url));

export const allureResultsDir = (out: string): string => join(out, "allure-results");
export const allureReportDir = (out: string): string => join(out, "allure-report");
export const blobDir = (out: string): string => join(out, "blob");

export const reportersOf = ({ out, of, allure }: Listening): ReporterDescription[] => [
  [CERTIFICATE_REPORTER, of === "merge" ? { mergeInto: out } : {}],
  ...(allure
    ? [
        [
          "allure-playwright",
          { resultsDir: allureResultsDir(out), detail: false },
        ] satisfies ReporterDescription,
      ]
    : []),
  // Given a folder in place of a file, it would empty that.
  ...(of === "shard"
    ? [["blob", { outputFile: join(blobDir(out), "report.zip") }] satisfies ReporterDescription]
    : []),
];
