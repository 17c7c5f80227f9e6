/** The run of this process: its connection to the coordinator, and its plan. */
import { commandWith } from "../contract/code.ts";
import type { RunPlan } from "../trials/run-info.ts";
import { type CoordinatorClient, connectToCoordinator } from "./coordinator-client.ts";
import type { CoordinatorAddress } from "./messages.ts";

/**
 * The variable contains only the coordinator's address, because environments are limited in size and other users can
 * read them.
 */
const VARIABLE = "ASSAY_RUN";

/** Returns the environment variables for a process of the run. */
export const runEnvironment = ({ port, word }: CoordinatorAddress): Record<string, string> => ({
  [VARIABLE]: `${port}:${word}`,
});

let client: CoordinatorClient | undefined;
let plan: Promise<RunPlan> | undefined;

/** Whether this process belongs to a run. */
export const isPartOfRun = (): boolean => process.env[VARIABLE] !== undefined;

/** @throws Error when this process belongs to no run */
export const coordinatorClient = (): CoordinatorClient => {
  const [port, word] = process.env[VARIABLE]?.split(":") ?? [];
  if (port === undefined || word === undefined) {
    throw new Error(`A run needs a plan. Start it with: ${commandWith("certify", "--help")}`);
  }
  client ??= connectToCoordinator({ port: Number(port), word }, end);
  return client;
};

/** @throws Error when this process belongs to no run, or the coordinator has ended */
export const runPlan = async (): Promise<RunPlan> => {
  plan ??= coordinatorClient().plan();
  return plan;
};

const TIMEOUT_MS = 1_500;

/**
 * Ends the process after the coordinator has ended: a worker immediately, the test runner after an orderly shutdown.
 */
const end = (): void => {
  if (process.env.TEST_WORKER_INDEX !== undefined) process.exit(1);
  process.kill(process.pid, "SIGINT");
  setTimeout(() => process.exit(1), TIMEOUT_MS).unref();
};
