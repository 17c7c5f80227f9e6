/** The test runner: a separate process, which gets the plan of its run from the coordinator in this process. */
import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { IS_JAVASCRIPT, loadedCode } from "../helpers/contract/code.ts";
import { temporaryFolder } from "../helpers/contract/process-end.ts";
import { childEnvironment, SHORT_LIVED } from "../helpers/run/child.ts";
import { runEnvironment } from "../helpers/run/this-run.ts";
import { type CoordinatorOptions, openCoordinator } from "./coordinator.ts";
import type { PlannedRun } from "./planned-run.ts";

export interface TestRunner {
  /** Starts the process before its plan is known: loading its code takes a second. */
  start(): void;
  /**
   * Runs the tests of the plan.
   * @param onStart gets the process, also if it has been started before
   * @returns the signal that ended the test runner
   */
  run(
    plan: PlannedRun,
    options: Omit<CoordinatorOptions, "plan">,
    onStart?: (runner: ChildProcess) => void,
  ): Promise<NodeJS.Signals | null>;
  /** Ends the process, if it has not ended. */
  close(): Promise<void>;
}

interface RunnerOptions {
  /** Whether the run is a part of another one. Such a part may have nothing to try. */
  readonly isShard?: boolean;
  /** Whether the test runner reports events. */
  readonly hasEvents?: boolean;
  /** Whether the run is part of another command, which reports the result. */
  readonly isSilent?: boolean;
}

export const createTestRunner = (options: RunnerOptions): TestRunner => {
  let launched: Promise<Launched> | undefined;
  const launchOnce = (): Promise<Launched> => {
    launched ??= launch(options);
    return launched;
  };
  return {
    // If this fails, `run` fails.
    start: () => void launchOnce().catch(() => {}),
    async run(plan, given, onStart = () => {}) {
      const { runner, ended, coordinate } = await launchOnce();
      const scratch = temporaryFolder("scratch");
      try {
        onStart(runner);
        coordinate({ ...given, plan: () => ({ ...plan, scratch }) });
        return await ended;
      } finally {
        await close();
        rmSync(scratch, { recursive: true, force: true });
      }
    },
    close,
  };

  async function close(): Promise<void> {
    (await launched?.catch(() => undefined))?.close();
  }
};

/** Runs the tests of a plan in a test runner of its own. */
export const runTestRunner = async (
  options: RunnerOptions,
  ...run: Parameters<TestRunner["run"]>
): Promise<NodeJS.Signals | null> => createTestRunner(options).run(...run);

interface Launched {
  readonly runner: ChildProcess;
  /** Resolves with the signal that ended the process. */
  readonly ended: Promise<NodeJS.Signals | null>;
  /** Lets the coordinator answer the processes of the run. */
  coordinate(options: CoordinatorOptions): void;
  close(): void;
}

const launch = async (options: RunnerOptions): Promise<Launched> => {
  let coordinate: Launched["coordinate"] = () => {};
  const coordinated = new Promise<CoordinatorOptions>((resolve) => {
    coordinate = resolve;
  });
  const coordinator = await openCoordinator(coordinated);
  // Without loopback, the processes of the run could not say why they ended.
  const probe = connect(coordinator.address.port, "127.0.0.1");
  await once(probe, "connect");
  probe.destroy();
  const runner = spawnRunner(options, runEnvironment(coordinator.address));
  const ended = new Promise<NodeJS.Signals | null>((done, fail) => {
    runner.once("error", fail);
    runner.once("exit", (_, signal) => done(signal));
  });
  // A command that fails earlier does not ask for the end.
  ended.catch(() => {});
  const close = (): void => {
    runner.kill("SIGKILL");
    coordinator.close();
  };
  return { runner, ended, coordinate, close };
};

const spawnRunner = (options: RunnerOptions, address: Record<string, string>): ChildProcess => {
  const cli = createRequire(import.meta.url).resolve("@playwright/test/cli");
  const flags = [
    ...["--config", loadedCode("playwright.config.ts")],
    ...(options.isShard ? ["--pass-with-no-tests"] : []),
  ];
  return spawn(process.execPath, [...SHORT_LIVED, YOUNG_SPACE, cli, "test", ...flags], {
    stdio: stdioOf(options),
    env: {
      ...childEnvironment(),
      ...(options.isSilent && { GITHUB_STEP_SUMMARY: "" }),
      ...(IS_JAVASCRIPT && NO_LOADER),
      ...address,
    },
  });
};

/** With events, standard output belongs to this process, which writes them. */
const stdioOf = ({ hasEvents, isSilent }: RunnerOptions): StdioOptions => {
  if (hasEvents) return ["inherit", process.stderr.fd, "inherit", "pipe"];
  return isSilent ? ["inherit", "ignore", "inherit"] : "inherit";
};

/** The test runner's loader of TypeScript is a thread of each process, through which all code is loaded. */
const NO_LOADER = { PW_DISABLE_TS_ESM: "1" };

/** A larger young generation (in megabytes) makes garbage collection cheaper, because most objects are short-lived. */
const YOUNG_SPACE = "--max-semi-space-size=32";
