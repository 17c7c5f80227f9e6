/**
 * Runs the tests in a separate process. After every kind of end, removes the resources that the tests created on the
 * target.
 */

import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { constants, getPriority, setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { IS_JAVASCRIPT, loadedCode } from "../helpers/contract/code.ts";
import type { Contract } from "../helpers/contract/contract.ts";
import { createAllowance, shareOf } from "../helpers/exchange/allowance.ts";
import type { SharedReceiver } from "../helpers/flows/shared-receiver.ts";
import { childEnvironment, SHORT_LIVED } from "../helpers/run/child.ts";
import { leftoversPath } from "../helpers/run/leftovers.ts";
import { runEnvironment } from "../helpers/run/this-run.ts";
import { requestTimeout } from "../helpers/target/load-target.ts";
import { type CreatedResources, trackCreatedResources } from "../helpers/trials/created-resources.ts";
import { exitCodeOf } from "../reports/exit-code.ts";
import { type CoordinatorOptions, openCoordinator } from "./coordinator.ts";
import type { EventSink } from "./events.ts";
import { leftoverLines } from "./leftover-lines.ts";
import type { PlannedRun } from "./planned-run.ts";
import { sandboxOnDemand } from "./sandbox-on-demand.ts";

export interface EndedRun {
  /** The signal that ended the test runner itself, in which case its last results are missing. */
  readonly killedBy: NodeJS.Signals | null;
  /** Whether the user interrupted the run. */
  readonly isInterrupted: boolean;
}

/** Runs the tests. The first interruption stops the test runner; the second one quits immediately. */
export const runTests = async (
  plan: PlannedRun,
  contracts: readonly Contract[],
  receiver?: SharedReceiver,
  events?: EventSink,
): Promise<EndedRun> => {
  const made = trackCreatedResources();
  const allowance = createAllowance(shareOf(plan.target.permissions, plan.info.shard));
  // The embedded sandbox ends with its data.
  const remove = plan.target.embedded
    ? async () => {}
    : await (await import("./clean-up.ts")).openCleanUp(plan, contracts, allowance, made);
  const interruption = onInterruption(plan, made);
  const sandbox = sandboxOnDemand(contracts);
  const coordinator = {
    allowance,
    made,
    receiver,
    ...(!plan.target.embedded && { sandbox: sandbox.values }),
  };
  const onStart = (runner: ChildProcess): void => {
    events?.follow(runner);
    interruption.runner(runner);
  };
  const killedBy = await underCoordinator(plan, coordinator, { onStart }).finally(sandbox.close);
  await remove();
  return { killedBy, isInterrupted: interruption.came() };
};

interface Running {
  readonly onStart?: (runner: ChildProcess) => void;
  /** Whether the run is part of another command, which reports the result. */
  readonly isSilent?: boolean;
}

/** Runs the test runner with a coordinator. @returns the signal that ended the test runner */
export const underCoordinator = async (
  plan: PlannedRun,
  options: Omit<CoordinatorOptions, "plan">,
  { onStart = () => {}, isSilent = false }: Running = {},
): Promise<NodeJS.Signals | null> => {
  const scratch = mkdtempSync(join(tmpdir(), "assay-scratch-"));
  const coordinator = await openCoordinator({ ...options, plan: () => ({ ...plan, scratch }) });
  try {
    const cli = createRequire(import.meta.url).resolve("@playwright/test/cli");
    const config = loadedCode("playwright.config.ts");
    // A shard may have nothing to try.
    const options = ["--config", config, ...(plan.info.shard === null ? [] : ["--pass-with-no-tests"])];
    const runner = spawn(process.execPath, [...SHORT_LIVED, YOUNG_SPACE, cli, "test", ...options], {
      stdio: stdioOf(plan, isSilent),
      env: {
        ...childEnvironment(),
        ...(isSilent && { GITHUB_STEP_SUMMARY: "" }),
        ...(IS_JAVASCRIPT && NO_LOADER),
        ...runEnvironment(coordinator.address),
      },
    });
    giveWay(runner);
    onStart(runner);
    return await new Promise((done, fail) => {
      runner.once("error", fail);
      runner.once("exit", (_, signal) => done(signal));
    });
  } finally {
    coordinator.close();
    rmSync(scratch, { recursive: true, force: true });
  }
};

/** With events, standard output belongs to this process, which writes them. */
const stdioOf = ({ events }: Pick<PlannedRun, "events">, isSilent: boolean): StdioOptions => {
  if (events) return ["inherit", process.stderr.fd, "inherit", "pipe"];
  return isSilent ? ["inherit", "ignore", "inherit"] : "inherit";
};

/** Lowers the priority of the workers, because the target and the coordinator often share this machine. */
const giveWay = ({ pid }: ChildProcess): void => {
  const { PRIORITY_BELOW_NORMAL } = constants.priority;
  try {
    if (pid !== undefined) setPriority(pid, Math.max(getPriority(), PRIORITY_BELOW_NORMAL));
  } catch {
    // Without this permission, the run only takes longer.
  }
};

/** The test runner's loader of TypeScript is a thread of each process, through which all code is loaded. */
const NO_LOADER = { PW_DISABLE_TS_ESM: "1" };

/** A larger young generation (in megabytes) makes garbage collection cheaper, because most objects are short-lived. */
const YOUNG_SPACE = "--max-semi-space-size=32";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
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
  for (const signal of SIGNALS) process.on(signal, stop);
  return {
    runner(started: ChildProcess): void {
      runner = started;
      if (since !== undefined) runner.kill("SIGINT");
      started.once("exit", () => clearTimeout(timeout));
    },
    came: () => since !== undefined,
  };
};

const say = (text: string): void => void process.stderr.write(`${text}\n`);
