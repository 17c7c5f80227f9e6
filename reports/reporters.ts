/** Who listens to a run of the test runner: the certificate, JUnit, Allure, and for a shard the blob to merge. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ReporterDescription } from "@playwright/test";
import { removeCertificate } from "./certificate-file.ts";

export interface Listening {
  /** Directory that everything is written to. */
  readonly out: string;
  /** `shard` also keeps what a merge needs; `merge` tells the shards as one run. */
  readonly of: "run" | "shard" | "merge";
}

const CERTIFICATE_REPORTER = fileURLToPath(new URL("reporter.ts", import.meta.url));

export const allureResultsDir = (out: string): string => join(out, "allure-results");
export const allureReportDir = (out: string): string => join(out, "allure-report");
export const blobDir = (out: string): string => join(out, "blob");

const allure = (out: string): ReporterDescription => [
  "allure-playwright",
  { resultsDir: allureResultsDir(out), detail: false },
];

/** Clears what an earlier run left, so that none of it is taken for this run's. Other files in `out` stay. */
export const clearResults = (out: string): void => {
  removeCertificate(out);
  for (const dir of [allureResultsDir(out), allureReportDir(out), blobDir(out), join(out, "junit.xml")]) {
    rmSync(dir, { recursive: true, force: true });
  }
};

export const reportersOf = ({ out, of }: Listening): ReporterDescription[] => [
  [CERTIFICATE_REPORTER, of === "merge" ? { mergeInto: out } : {}],
  ["junit", { outputFile: join(out, "junit.xml"), embedAnnotationsAsProperties: true }],
  // The results that shards wrote are taken over as they are: no reporter has to write them again.
  ...(of === "merge" ? [] : [allure(out)]),
  ...(of === "shard" ? [["blob", { outputDir: blobDir(out) }] satisfies ReporterDescription] : []),
];
