/** The run that this process is a part of: its client to the coordinator, and the plan that comes over it. */
import type { RunPlan } from "../trials/run-info.ts";
import { type CoordinatorClient, connectToCoordinator } from "./coordinator-client.ts";
import type { CoordinatorAddress } from "./messages.ts";

/** Says only whom to ask: an environment is limited in size, and can be read by others. */
const VARIABLE = "ASSAY_RUN";

/** For the environment of a process that shall be a part of the run. */
export const runEnvironment = ({ port, word }: CoordinatorAddress): Record<string, string> => ({
  [VARIABLE]: `${port}:${word}`,
});

let client: CoordinatorClient | undefined;
let plan: Promise<RunPlan> | undefined;

/** Whether somebody has planned the run that this process belongs to. */
export const isPartOfRun = (): boolean => process.env[VARIABLE] !== undefined;

/** @throws when nobody has planned a run for this process */
export const coordinatorClient = (): CoordinatorClient => {
  const [port, word] = process.env[VARIABLE]?.split(":") ?? [];
  if (port === undefined || word === undefined) {
    throw new Error("A run needs a plan. Start it with: npm run certify -- --help");
  }
  client ??= connectToCoordinator({ port: Number(port), word }, end);
  return client;
};

/** @throws when nobody has planned a run for this process, or the coordinator is gone */
export const runPlan = async (): Promise<RunPlan> => {
  plan ??= coordinatorClient().plan();
  return plan;
};

const TIMEOUT_MS = 10_000;

/** The coordinator is gone. A worker ends at once, the test runner in order, as long as that lasts. */
const end = (): void => {
  if (process.env.TEST_WORKER_INDEX !== undefined) process.exit(1);
  process.kill(process.pid, "SIGINT");
  setTimeout(() => process.exit(1), TIMEOUT_MS).unref();
};
