/** Removes from a target what a run made there, and tells what is left. */
import { NOTHING } from "../fixtures/engine/sandbox-capabilities.ts";
import type { Contract } from "../helpers/contract/contract.ts";
import type { Allowance } from "../helpers/exchange/allowance.ts";
import { loadBindings } from "../helpers/target/bindings.ts";
import type { MadeList } from "../helpers/trials/made.ts";
import { openSession } from "../helpers/trials/session.ts";
import { leftLines, removedLine } from "./made-lines.ts";
import type { PlannedRun } from "./planned-run.ts";

export const removeMade = async (
  { target, info }: PlannedRun,
  contracts: readonly Contract[],
  allowance: Allowance,
  made: MadeList,
): Promise<void> => {
  const things = made.all();
  const session = openSession({
    target,
    contracts,
    capabilities: NOTHING,
    bindings: await loadBindings(target),
    depth: info.depth,
    seed: info.seed,
    prefix: "clean-up",
    allowance,
    onChange: made.note,
  });
  try {
    const left = await session.cleanUp(things);
    say(removedLine(things.length - left.length));
    if (left.length > 0) say(leftLines(left));
  } finally {
    await session.close();
  }
};

const say = (text: string): void => void process.stderr.write(`${text}\n`);
