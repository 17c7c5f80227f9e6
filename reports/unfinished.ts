/** Certificates of runs that do not get to their end: they are as readable as any, and incomplete. */
import type { Contract } from "../helpers/contract/contract.ts";
import type { RunInfo } from "../helpers/trials/run-info.ts";
import { buildCertificate } from "./build-certificate.ts";
import type { Certificate } from "./certificate.ts";
import { readCertificate, writeCertificate } from "./certificate-file.ts";
import { completeResults } from "./results.ts";

const without = (run: RunInfo, contracts: readonly Contract[], problem: string): Certificate =>
  buildCertificate(run, contracts, [], { trials: [], problems: [problem], durationMs: 0 });

/** Takes the place of an earlier run's, until the first trial has ended. */
export const beginCertificate = (run: RunInfo, contracts: readonly Contract[]): void =>
  writeCertificate(run.out, without(run, contracts, "The run broke off before the first trial ended."));

/** Of a run in which there is nothing to try: it shows nothing, and is incomplete. */
export const emptyCertificate = (run: RunInfo, contracts: readonly Contract[], why: string): void => {
  completeResults(run.out, without(run, contracts, why));
};

/** For what the run could not tell itself. */
export const amendCertificate = (out: string, problem: string): void => {
  const certificate = readCertificate(out);
  if (certificate === undefined) return;
  const problems = [...certificate.problems, problem];
  completeResults(out, { ...certificate, outcome: "incomplete", problems });
};
