/** Writes certificates for runs that do not finish. Their outcome is incomplete. */
import type { Contract } from "../../helpers/contract/contract.ts";
import type { RunInfo } from "../../helpers/trials/run-info.ts";
import { buildCertificate } from "../certificate/build.ts";
import type { Certificate } from "../certificate/certificate.ts";
import { readCertificate, writeCertificate } from "./certificate-file.ts";
import { completeResults } from "./results.ts";

const without = (run: RunInfo, contracts: readonly Contract[], problem: string): Certificate =>
  buildCertificate(run, contracts, [], { trials: [], problems: [problem], durationMs: 0 });

/** Replaces the certificate of an earlier run until the first trial has ended. */
export const beginCertificate = (run: RunInfo, contracts: readonly Contract[]): void =>
  writeCertificate(run.out, without(run, contracts, "The run stopped before the first trial ended."));

/** Writes the certificate of a run without trials, which is incomplete. */
export const emptyCertificate = (run: RunInfo, contracts: readonly Contract[], why: string): void => {
  completeResults(run.out, without(run, contracts, why));
};

/** Adds a problem that the run could not report itself. */
export const amendCertificate = (out: string, problem: string): void => {
  const certificate = readCertificate(out);
  if (certificate === undefined) return;
  const problems = [...certificate.problems, problem];
  completeResults(out, { ...certificate, outcome: "incomplete", problems });
};
