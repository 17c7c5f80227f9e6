/** The first step of a run on an external target: examines it, and stops the run if it can show nothing. */
import type { Contract } from "../../helpers/contract/contract.ts";
import { isFromDocument } from "../../helpers/contract/services.ts";
import { isIssuer } from "../../helpers/target/issuer.ts";
import { isSelected, type Selection } from "../../helpers/trials/run-info.ts";
import { emptyCertificate } from "../../reports/folder/unfinished.ts";
import { note, print } from "../../reports/print.ts";
import { counted } from "../../reports/text.ts";
import type { PlannedRun } from "../planned-run.ts";
import type { RunReceiver } from "../run-receiver.ts";

/**
 * Stops the run where the fault is in the configuration or the network: verdicts would blame the server for it. The
 * certificate then has no verdict but `blocked`.
 * @returns the exit code of a stopped run; `undefined` if the run may start
 */
export const examineBeforeRun = async (
  { target, info }: PlannedRun,
  contracts: readonly Contract[],
  receiver: RunReceiver | undefined,
): Promise<number | undefined> => {
  // An issuer receives our requests, and has no operations of ours.
  if (target.embedded || isIssuer(target)) return undefined;
  // Most runs have no external target, and the examination needs large packages.
  const [{ examine, exitCodeFor }, { linesOf, renderDiagnosis, renderHealthy }] = await Promise.all([
    import("./doctor.ts"),
    import("./render.ts"),
  ]);
  const diagnosis = await examine(target, contracts.map(selectedOf(info)), receiver);
  if (diagnosis.causes.length === 0) {
    note(renderHealthy(target.name, diagnosis));
    return undefined;
  }
  print(renderDiagnosis(target.name, diagnosis));
  emptyCertificate(info, contracts, `The run did not start. ${linesOf(diagnosis.causes).join(" ")}`);
  return exitCodeFor(diagnosis);
};

/** Returns a contract with the operations that may be called: of a document, nobody knows what the others do. */
const selectedOf =
  ({ selection }: PlannedRun["info"]) =>
  (contract: Contract): Contract => {
    if (selection === null || !isFromDocument()) return contract;
    const selected = contract.requirements.filter((one) => isSelected(selection, one));
    const ids = new Set(selected.flatMap(({ operations }) => operations));
    const operations = contract.operations.filter(
      ({ operationId, token }) => ids.has(operationId) || token !== undefined,
    );
    return { ...contract, operations };
  };

/** Tells what is counted, because a plan takes seconds. */
export const announcePlan = ({ info }: PlannedRun): void =>
  note(`Counting the requests of ${info.services.join(", ")}, ${info.depth} depth …\n`);

/** The number of days before the end of an operation in which a run warns of it. */
const SOON = 90;

export const announceEnds = ({ info }: PlannedRun, contracts: readonly Contract[]): void => {
  for (const line of endingSoon(contracts, info.selection, new Date())) note(`${line}\n`);
};

/** Returns warnings of the operations that a run calls and that end soon, or have ended. */
export const endingSoon = (
  contracts: readonly Pick<Contract, "service" | "operations">[],
  selection: Selection | null,
  on: Date,
): string[] =>
  contracts.flatMap(({ service, operations }) =>
    operations.flatMap(({ operationId, sunset = "" }) => {
      const days = Math.ceil((Date.parse(sunset) - on.getTime()) / DAY);
      const isCalled = selection?.operations?.includes(operationId) !== false;
      if (Number.isNaN(days) || days > SOON || !isCalled) return [];
      const left = days < 0 ? "which is over" : `in ${counted(days, "day")}`;
      return [`${service}: ${operationId} ends on ${sunset}, ${left}.`];
    }),
  );

const DAY = 86_400_000;

/** Tells how fast and how thorough a run on an external target is, because the defaults are cautious. */
export const announcePace = ({ target, info }: PlannedRun): void => {
  if (target.embedded) {
    // The first results take seconds.
    const { faults = [] } = info.target;
    const fault = faults.length === 0 ? "" : ` with the planted fault ${faults.join(", ")}`;
    note(`Trying ${info.services.join(", ")} on the embedded sandbox${fault}, ${info.depth} depth …\n`);
    return;
  }
  const { requestsPerSecond } = target.permissions;
  const rate =
    requestsPerSecond === undefined
      ? "without a limit of requests"
      : `at most ${requestsPerSecond} requests per second`;
  const more = info.depth === "quick" ? `\n${STANDARD_ADDS}` : "";
  note(`${target.name}: ${info.depth} depth, ${rate} (MAX_REQUESTS_PER_SECOND).${more}\n`);
};

const STANDARD_ADDS =
  "--depth standard adds further valid calls of each operation, every sort of wrong value for each rule, and longer sequences of calls.";
