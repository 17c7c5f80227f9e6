/** The reporters of a run: certificate and JUnit, Allure, and for a shard the blob to merge. */
import { join } from "node:path";
import type { ReporterDescription } from "@playwright/test";
import { loadedCode } from "../../helpers/contract/code.ts";

export const allureResultsDir = (out: string): string => join(out, "allure-results");
export const allureReportDir = (out: string): string => join(out, "allure-report");
export const blobDir = (out: string): string => join(out, "blob");

export const reportersOf = ({
  out,
  of,
  allure = false,
  events = false,
}: {
  /** The output directory. */
  readonly out: string;
  /** `shard` also stores the data that a merge needs; `merge` reports the shards as one run. */
  readonly of: "run" | "shard" | "merge";
  /** Whether to write Allure results. A merge copies the results of the shards unchanged. */
  readonly allure?: boolean;
  /** Whether to report events. */
  readonly events?: boolean;
}): ReporterDescription[] => {
  const own = { ...(of === "merge" && { mergeInto: out }), events };
  const reporters: ReporterDescription[] = [[loadedCode("reports/folder/reporter.ts"), own]];
  if (allure) reporters.push(["allure-playwright", { resultsDir: allureResultsDir(out), detail: false }]);
  // Given a folder instead of a file, the blob reporter would empty the folder.
  if (of === "shard") reporters.push(["blob", { outputFile: join(blobDir(out), "report.zip") }]);
  return reporters;
};
