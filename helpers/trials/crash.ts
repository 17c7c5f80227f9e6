/** A crash: the suite itself failed. It is never the target's fault, and never leaves a run certified. */
import { seedOf } from "./seed.ts";

/** Where the trace of a trial's crash is kept, below the folder of the run. */
export const crashFile = (service: string, trial: string): string => {
  // Ids of trials may be long, and hold what no file's name can.
  const name = `${service}-${trial}`.replaceAll(/[^\w.-]+/g, "-").slice(0, 100);
  return `crashes/${name}-${(seedOf(0, trial) >>> 0).toString(16)}.txt`;
};

export const crashReason = (service: string, trial: string): string =>
  `the suite itself failed, please report it with ${crashFile(service, trial)}`;
