/** What an earlier run left must not be taken for this run's. */
import { rmSync } from "node:fs";
import { allureReportDir, allureResultsDir, blobDir } from "./reporters.ts";
import { removeRenderings } from "./results.ts";

/** Clears everything but the certificate, which gives way to one that says that this run has begun. */
export const clearResults = (out: string): void => {
  for (const dir of [allureResultsDir(out), allureReportDir(out), blobDir(out)]) {
    rmSync(dir, { recursive: true, force: true });
  }
  removeRenderings(out);
};
