/** Removes the resources that a run created on a target, and reports the resources that remain. */
import { commandWith } from "../helpers/contract/code.ts";
import type { Contract } from "../helpers/contract/contract.ts";
import type { Allowance } from "../helpers/exchange/allowance.ts";
import { compactLeftovers, createJournal, leftoversPath, readLeftovers } from "../helpers/run/leftovers.ts";
import { NOTHING } from "../helpers/situations/sandbox-capabilities.ts";
import { loadBindings } from "../helpers/target/bindings.ts";
import { removalOf } from "../helpers/trials/clean-up.ts";
import type { CreatedResource, CreatedResources } from "../helpers/trials/created-resources.ts";
import { openSession } from "../helpers/trials/session.ts";
import { certificatePath } from "../reports/folder/certificate-file.ts";
import { note } from "../reports/print.ts";
import { leftoverLines, removedLine } from "./leftover-lines.ts";
import type { PlannedRun } from "./planned-run.ts";

/**
 * Loads all code that the removal needs, because the process that compiles our code may have ended after an
 * interruption.
 * @returns a function that removes everything, to be called when the run has ended
 */
export const openCleanUp = async (
  { target, info }: PlannedRun,
  contracts: readonly Contract[],
  allowance: Allowance,
  made: CreatedResources,
): Promise<() => Promise<void>> => {
  const path = leftoversPath(info.out);
  const journal = createJournal({ info, target }, contracts);
  // The removal does not depend on what is left of a budget.
  const { budget: _, ...permissions } = target.permissions;
  const session = openSession({
    target: { ...target, permissions },
    contracts,
    capabilities: NOTHING,
    bindings: await loadBindings(target),
    depth: info.depth,
    seed: info.seed,
    prefix: "clean-up",
    allowance,
    onChange(change) {
      made.note(change);
      journal(change);
    },
  });
  if (readLeftovers(info.out).length > 0) say(`Earlier runs left resources on their targets: see ${path}.`);
  return async () => {
    const created = made.all();
    try {
      const left = await session.cleanUp(created);
      if (created.length > 0) say(removedLine(created.length - left.length));
      compactLeftovers(info.out, removalIn(contracts));
      const unclear = made.unclear().length;
      if (left.length + unclear > 0) say(leftoverLines(left, unclear, path));
      if (left.length > 0) say(`To remove them later: ${commandWith("clean", certificatePath(info.out))}`);
    } finally {
      await session.close();
    }
  };
};

/** Returns the call that would remove a resource. */
export const removalIn =
  (contracts: readonly Contract[]) =>
  (one: CreatedResource): string | undefined => {
    const contract = contracts.find(({ service }) => service === one.service);
    return contract && removalOf(contract, one);
  };

const say = (text: string): void => note(`${text}\n`);
