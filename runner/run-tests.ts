/** Runs the tests. After every kind of end, removes the resources that the tests created on the target. */
import type { ChildProcess } from "node:child_process";
import type { Contract } from "../helpers/contract/contract.ts";
import { ENDING_SIGNALS } from "../helpers/contract/process-end.ts";
import { createAllowance, shareOf } from "../helpers/exchange/allowance.ts";
import type { SharedReceiver } from "../helpers/flows/shared-receiver.ts";
import { leftoversPath } from "../helpers/run/leftovers.ts";
import { requestTimeout } from "../helpers/target/load-target.ts";
import { type CreatedResources, trackCreatedResources } from "../helpers/trials/created-resources.ts";
import { exitCodeOf } from "../reports/certificate/exit-code.ts";
import { note } from "../reports/print.ts";
import type { openEvents } from "./events.ts";
import { leftoverLines } from "./leftover-lines.ts";
import type { PlannedRun } from "./planned-run.ts";
import type { TestRunner } from "./test-runner.ts";

/**
 * Runs the tests. The first interruption stops the test runner; the second one quits immediately.
 * @returns the signal that ended the test runner itself, in which case its last results are missing, and whether the user
 *   interrupted the run
 */
export const runTests = async (
  plan: PlannedRun,
  contracts: readonly Contract[],
  {
    runner,
    receiver,
    events,
  }: {
    readonly runner: TestRunner;
    readonly receiver: SharedReceiver | undefined;
    readonly events: ReturnType<typeof openEvents> | undefined;
  },
): Promise<{ readonly killedBy: NodeJS.Signals | null; readonly isInterrupted: boolean }> => {
  const made = trackCreatedResources();
  const allowance = createAllowance(shareOf(plan.target.permissions, plan.info.shard));
  // The embedded sandbox ends with its data.
  const remove = plan.target.embedded
    ? async () => {}
    : await (await import("./clean-up.ts")).openCleanUp(plan, contracts, allowance, made);
  const interruption = onInterruption(plan, made);
  const coordinator = { allowance, made, receiver };
  const onStart = (started: ChildProcess): void => {
    events?.follow(started);
    interruption.runner(started);
  };
  const killedBy = await runner.run(plan, coordinator, onStart);
  await remove();
  return { killedBy, isInterrupted: interruption.came() };
};

/** npm forwards a signal that the terminal has already sent to all processes. */
const ECHO_MS = 500;
/** Added to the timeout of a request. */
const TIMEOUT_MS = 15_000;

const onInterruption = ({ target, info }: PlannedRun, made: CreatedResources) => {
  let runner: ChildProcess | undefined;
  let since: number | undefined;
  let timeout: NodeJS.Timeout | undefined;
  const stop = (): void => {
    if (since === undefined) {
      since = performance.now();
      say(
        "Stopping and cleaning up. Press Ctrl-C again to quit now and leave created resources on the target.",
      );
      runner?.kill("SIGINT");
      timeout = setTimeout(() => runner?.kill("SIGKILL"), requestTimeout(target) * 1000 + TIMEOUT_MS);
    } else if (performance.now() - since > ECHO_MS) {
      runner?.kill("SIGKILL");
      const left = made.all().map((one) => ({ ...one, reason: "the run was ended" }));
      say(leftoverLines(left, made.unclear().length, leftoversPath(info.out)));
      process.exit(exitCodeOf(undefined));
    }
  };
  for (const signal of ENDING_SIGNALS) process.on(signal, stop);
  return {
    runner(started: ChildProcess): void {
      runner = started;
      if (since !== undefined) runner.kill("SIGINT");
      started.once("exit", () => clearTimeout(timeout));
    },
    came: () => since !== undefined,
  };
};

const say = (text: string): void => note(`${text}\n`);
