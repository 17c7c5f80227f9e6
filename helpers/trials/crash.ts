/**
 * Defines where crashes are stored. A crash is a failure of the suite itself; a run with a crash is never certified.
 */
import { because, type Reason } from "../reasons/reason.ts";
import { seedOf } from "./seed.ts";

/** Returns the file for the stack trace of a trial, relative to the output folder of the run. */
export const crashFile = (service: string, trial: string): string => {
  // Trial ids may be long or contain characters that file names cannot.
  const name = `${service}-${trial}`.replaceAll(/[^\w.-]+/g, "-").slice(0, 100);
  return `crashes/${name}-${(seedOf(0, trial) >>> 0).toString(16)}.txt`;
};

export const crashReason = (service: string, trial: string): Reason =>
  because("crashed", crashFile(service, trial));
