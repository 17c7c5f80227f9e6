/** Carries out a planned run. For every kind of end, the folder then contains a certificate that describes it. */
import type { Contract } from "../helpers/contract/contract.ts";
import { systemProblem } from "../helpers/contract/documents/file-problem.ts";
import type { Upgrade } from "../helpers/contract/documents/upgrade.ts";
import { createRedactor } from "../helpers/exchange/redact.ts";
import { isUnwritable } from "../helpers/run/files.ts";
import { ConfigurationError } from "../helpers/target/load-target.ts";
import { generateAllureReport } from "../reports/folder/allure.ts";
import { keepBaseline, keepUpgrade } from "../reports/folder/baseline.ts";
import { keepCrash, RUN_CRASHED, RUN_CRASHES } from "../reports/folder/crashes.ts";
import { abandonFolder, claimFolder } from "../reports/folder/out-folder.ts";
import { allureReportDir, allureResultsDir } from "../reports/folder/reporters.ts";
import { amendCertificate, beginCertificate, emptyCertificate } from "../reports/folder/unfinished.ts";
import { note, print } from "../reports/print.ts";
import type { BaselineOptions } from "./command/baseline-options.ts";
import type { PlannedRun } from "./planned-run.ts";
import { runTests } from "./run-tests.ts";

/**
 * Replaces the results of an earlier run, its certificate first. If the disk is full, for example, nothing is left in the folder.
 * @throws ConfigurationError when the folder can't belong to a run
 */
export const prepareFolder = (
  { info }: PlannedRun,
  contracts: readonly Contract[],
  { baseline, upgrade }: Pick<BaselineOptions, "baseline"> & { readonly upgrade: Upgrade | undefined },
): void => {
  const { out } = info;
  claimFolder(out, "run");
  try {
    beginCertificate(info, contracts);
    if (baseline !== undefined) keepBaseline(out, baseline);
    if (upgrade !== undefined) keepUpgrade(out, upgrade);
  } catch (error) {
    if (!isUnwritable(error)) throw error;
    abandonFolder(out, error);
  }
};

export const carryOut = async (
  plan: PlannedRun,
  contracts: readonly Contract[],
  parts: Parameters<typeof runTests>[2],
): Promise<void> => {
  const { out } = plan.info;
  try {
    const { killedBy, isInterrupted } = await runTests(plan, contracts, parts);
    if (killedBy !== null) amendCertificate(out, `The test runner was ended by ${killedBy}.`);
    if (isInterrupted) return;
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    const trace = createRedactor(plan.target.values, contracts).text((error as Error).stack ?? String(error));
    keepCrash(out, RUN_CRASHES, trace);
    const cause = systemProblem(error)?.sentence;
    note(`${cause ?? `${RUN_CRASHED}\n${trace}`}\n`);
    amendCertificate(out, cause ?? RUN_CRASHED);
  }
  if (plan.allure) await generateAllureReport(allureResultsDir(out), allureReportDir(out)).catch(warn);
};

/** Writes the certificate of a run in which there is nothing to try. */
export const leaveOut = ({ info }: PlannedRun, contracts: readonly Contract[], why: string): void => {
  print(`${why}\n`);
  emptyCertificate(info, contracts, why);
};

/** Reports a failed Allure report: the verdicts do not depend on it. */
const warn = (error: Error): void => note(`${error.message}\n`);
