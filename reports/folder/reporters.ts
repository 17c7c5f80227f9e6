/** The reporters of a run: certificate and JUnit, Allure, and for a shard the blob to merge. */

import { join } from "node:path";
import type { ReporterDescription } from "@playwright/test";
import { loadedCode } from "../../helpers/contract/code.ts";

export interface Listening {
  /** The output directory. */
  readonly out: string;
  /** `shard` also stores the data that a merge needs; `merge` reports the shards as one run. */
  readonly of: "run" | "shard" | "merge";
  /** Whether to write Allure results. A merge copies the results of the shards unchanged. */
  readonly allure?: boolean;
  /** Whether to report events. */
  readonly events?: boolean;
}

const CERTIFICATE_REPORTER = loadedCode("reports/folder/reporter.ts");
const EVENTS_REPORTER = loadedCode("reports/folder/events-reporter.ts");

export const allureResultsDir = (out: string): string => join(out, "allure-results");
export const allureReportDir = (out: string): string => join(out, "allure-report");
export const blobDir = (out: string): string => join(out, "blob");

export const reportersOf = ({ out, of, allure, events }: Listening): ReporterDescription[] => [
  // Before the certificate, whose reporter drops the results of trials after it has read them.
  ...(events ? [[EVENTS_REPORTER] satisfies ReporterDescription] : []),
  [CERTIFICATE_REPORTER, of === "merge" ? { mergeInto: out } : {}],
  ...(allure
    ? [
        [
          "allure-playwright",
          { resultsDir: allureResultsDir(out), detail: false },
        ] satisfies ReporterDescription,
      ]
    : []),
  // Given a folder instead of a file, the blob reporter would empty the folder.
  ...(of === "shard"
    ? [["blob", { outputFile: join(blobDir(out), "report.zip") }] satisfies ReporterDescription]
    : []),
];
