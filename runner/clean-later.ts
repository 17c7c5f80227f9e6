/** Removes what earlier runs left on their target. */
import type { Contract } from "../helpers/contract/contract.ts";
import {
  compactLeftovers,
  journalOf,
  type Leftovers,
  leftoversPath,
  readLeftovers,
} from "../helpers/run/leftovers.ts";
import { NOTHING } from "../helpers/situations/sandbox-capabilities.ts";
import { loadBindings } from "../helpers/target/bindings.ts";
import type { Target } from "../helpers/target/target.ts";
import { openSession } from "../helpers/trials/session.ts";
import { print } from "../reports/print.ts";
import { removalIn } from "./clean-up.ts";
import { leftoverLines, removedLine } from "./leftover-lines.ts";

/** Returns the number of resources that remain on the target, with the calls that may have made one. */
export const cleanLater = async (
  out: string,
  target: Target,
  contracts: readonly Contract[],
): Promise<number> => {
  const runs = readLeftovers(out).filter((run) => run.target === target.name);
  let remaining = 0;
  for (const run of runs) remaining += await cleanRun(out, run, target, contracts);
  return remaining;
};

const cleanRun = async (
  out: string,
  run: Leftovers,
  target: Target,
  contracts: readonly Contract[],
): Promise<number> => {
  const session = openSession({
    target,
    contracts,
    capabilities: NOTHING,
    bindings: await loadBindings(target),
    depth: "quick",
    seed: 1,
    prefix: "clean",
    onChange: journalOf(out, run, target, contracts),
  });
  try {
    const left = await session.cleanUp(run.left);
    compactLeftovers(out, removalIn(contracts));
    if (run.left.length > 0) say(removedLine(run.left.length - left.length));
    const unclear = run.unclear.length;
    if (left.length + unclear > 0) say(leftoverLines(left, unclear, leftoversPath(out)));
    return left.length + unclear;
  } finally {
    await session.close();
  }
};

const say = (text: string): void => print(`${text}\n`);
