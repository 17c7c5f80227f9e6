/**
 * Tells whether no run can show a fault because of what the provider's document shows. All that our contract shows is in
 * some answer.
 */
import type { Fault } from "../mocks/engine/deviations/deviation.ts";
import { namingOf, operationsOf } from "./concerned.ts";
import type { Workbench } from "./workbench.ts";

/** What the runs with a fault that was not found have shown. */
export interface Seen {
  /** The number of answers that the fault has changed. */
  readonly changed: number;
  /** The operations that were called. */
  readonly called: ReadonlySet<string>;
}

/**
 * A fault is unshown if no answer has the part that it changes, if nothing is known with which its operations can be
 * called, or if the violated requirement is not tried without a fault either: then it is never passed.
 */
export const isUnshown = async (
  workbench: Workbench,
  fault: Fault,
  { changed, called }: Seen,
): Promise<boolean> => {
  const { contract } = workbench;
  const { violates, effects } = fault;
  if (contract.provider === null) return false;
  const operations = operationsOf(fault, contract);
  const naming = namingOf(workbench, fault);
  if (changed === 0 && effects.every(({ kind }) => kind === "json")) return true;
  if (operations.size > 0 && ![...operations].some((operation) => called.has(operation))) return true;
  if (naming.length === 0) return false;
  return workbench.within({ depth: "quick" }, async (session) => {
    for (const trial of naming) {
      const { entries } = await session.run(trial);
      if (entries.some((entry) => entry.requirement === violates && entry.verdict !== "not-tried"))
        return false;
    }
    return true;
  });
};
