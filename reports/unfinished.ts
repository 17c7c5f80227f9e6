/** Certificates of runs that do not get to their end: they are as readable as any, and incomplete. */
import type { Contract } from "../helpers/contract/contract.ts";
import type { RunInfo } from "../helpers/trials/run-info.ts";
import { buildCertificate } from "./build-certificate.ts";
import { readCertificate, writeCertificate } from "./certificate-file.ts";
import { completeResults } from "./results.ts";

/** Takes the place of an earlier run's, until the first trial has ended. */
export const beginCertificate = (run: RunInfo, contracts: readonly Contract[]): void =>
  writeCertificate(
    run.out,
    buildCertificate(run, contracts, [], {
      trials: [],
      problems: ["The run broke off before the first trial ended."],
      durationMs: 0,
    }),
  );

/** Of a run in which there is nothing to try: it shows nothing, and is incomplete. */
export const emptyCertificate = (run: RunInfo, contracts: readonly Contract[], why: string): void => {
  const facts = { trials: [], problems: [why], durationMs: 0 };
  completeResults(run.out, buildCertificate(run, contracts, [], facts));
};

/** For what the run could not tell itself. */
export const amendCertificate = (out: string, problem: string): void => {
  const certificate = readCertificate(out);
  if (certificate === undefined) return;
  const problems = [...certificate.problems, problem];
  completeResults(out, { ...certificate, outcome: "incomplete", problems });
};
