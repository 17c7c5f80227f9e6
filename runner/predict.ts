/** `--predict`: predicts which verdicts would no longer pass after an upgrade from the old document to the new one. */
import { writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { withChanges } from "../helpers/contract/changes.ts";
import type { Contract } from "../helpers/contract/contract.ts";
import { temporaryFolder } from "../helpers/contract/process-end.ts";
import type { UpgradedContracts } from "../helpers/diff/upgrade.ts";
import { createAllowance } from "../helpers/exchange/allowance.ts";
import { jsonText } from "../helpers/exchange/visible.ts";
import { trackCreatedResources } from "../helpers/trials/created-resources.ts";
import type { Selection } from "../helpers/trials/run-info.ts";
import type { Certificate } from "../reports/certificate/certificate.ts";
import { EXIT_INCOMPLETE, EXIT_VIOLATIONS } from "../reports/certificate/exit-code.ts";
import { type Prediction, predictionOf } from "../reports/certificate/prediction.ts";
import { readCertificate } from "../reports/folder/certificate-file.ts";
import { claimFolder } from "../reports/folder/out-folder.ts";
import { beginCertificate } from "../reports/folder/unfinished.ts";
import { note, print } from "../reports/print.ts";
import { renderPrediction } from "../reports/render/prediction.ts";
import { changesBetween } from "./command/changes.ts";
import { nothingTouched, reached, readUpgrade } from "./command/since.ts";
import { embedded } from "./embedded.ts";
import { type PlanFlags, planOf, selectionOf } from "./planned-run.ts";
import { runTestRunner } from "./test-runner.ts";

/** @returns the exit code: 1 when a verdict is lost or a change breaks, 3 when nothing can be predicted */
export const predict = async (flags: PlanFlags, given: UpgradedContracts): Promise<number> => {
  const path = join(resolve(flags.out), "prediction.json");
  claimFolder(flags.out, "prediction");
  const upgrade = await readUpgrade(given, "base");
  const { base, revision } = given;
  const entries = await changesBetween(base, revision, base, flags.operation);
  const contracts = { ...given, base: withChanges(base, base, entries) };
  const selection = reached(selectionOf(flags, [contracts.base]), upgrade);
  const nothing = nothingTouched(upgrade, selection);
  if (nothing !== undefined) return give(`${nothing}\n`, EXIT_INCOMPLETE);
  const prediction = predictionOf(
    upgrade,
    contracts.base,
    await tried(flags, contracts, selection, contracts.base, upgrade.old.version),
    await tried(flags, contracts, selection, withoutRemoved(contracts), upgrade.new.version),
  );
  writeFileSync(path, `${jsonText(prediction, 2)}\n`);
  return give(`${renderPrediction(prediction)}${path}\n`, exitCodeOf(prediction));
};

const give = (text: string, code: number): number => {
  print(text);
  return code;
};

/** Returns 3 if trials had problems. Such a prediction is incomplete, even if all verdicts still pass. */
const exitCodeOf = ({ lost, unseen, kept, problems }: Prediction): number => {
  if (problems.length > 0) return EXIT_INCOMPLETE;
  if (lost.length + unseen.length > 0) return EXIT_VIOLATIONS;
  return kept > 0 ? 0 : EXIT_INCOMPLETE;
};

/**
 * Removes operations that the new document dropped: the contract still has them, but their server no longer serves
 * them.
 */
const withoutRemoved = ({ base, revision }: UpgradedContracts): Contract => {
  const known = new Set(base.differences.lacking);
  const removed = new Set(revision.differences.lacking.filter((operationId) => !known.has(operationId)));
  return {
    ...revision,
    operations: revision.operations.filter(({ operationId }) => !removed.has(operationId)),
  };
};

/** Runs the old contract's suite on a sandbox that serves the given contract. */
const tried = async (
  flags: PlanFlags,
  { base, oldFile }: UpgradedContracts,
  selection: Selection,
  served: Contract,
  version: string,
): Promise<Certificate> => {
  note(`Trying ${selection.operations?.length} operations on a sandbox of ${version}.\n`);
  const { target, close } = await embedded([served]);
  const out = temporaryFolder("predict");
  try {
    const plan = planOf({ ...flags, out, allure: false }, target, [base], selection, {
      [base.service]: oldFile,
    });
    beginCertificate(plan.info, [base]);
    const made = trackCreatedResources();
    const allowance = createAllowance(target.permissions);
    const killedBy = await runTestRunner({ isSilent: true }, plan, { allowance, made });
    const certificate = readCertificate(out);
    if (certificate === undefined || killedBy !== null) throw new Error(BROKEN_OFF);
    return certificate;
  } finally {
    await Promise.all([close(), rm(out, { recursive: true, force: true })]);
  }
};

const BROKEN_OFF = "The prediction is incomplete: the test runner did not finish. Run it again.";
