/** The run that this process is a part of: its line to the coordinator, and the plan that comes over it. */
import type { RunPlan } from "../trials/run-info.ts";
import { type Line, openLine } from "./line.ts";
import type { CoordinatorAddress } from "./messages.ts";

/** Says only whom to ask: an environment is limited in size, and can be read by others. */
const VARIABLE = "ASSAY_RUN";

/** For the environment of a process that shall be a part of the run. */
export const runEnvironment = ({ port, word }: CoordinatorAddress): Record<string, string> => ({
  [VARIABLE]: `${port}:${word}`,
});

let line: Line | undefined;
let plan: Promise<RunPlan> | undefined;

/** Whether somebody has planned the run that this process belongs to. */
export const isPartOfRun = (): boolean => process.env[VARIABLE] !== undefined;

/** @throws when nobody has planned a run for this process */
export const runLine = (): Line => {
  const [port, word] = process.env[VARIABLE]?.split(":") ?? [];
  if (port === undefined || word === undefined) {
    throw new Error("A run needs a plan. Start it with: npm run certify -- --help");
  }
  line ??= openLine({ port: Number(port), word }, end);
  return line;
};

/** @throws when nobody has planned a run for this process, or the coordinator is gone */
export const runPlan = async (): Promise<RunPlan> => {
  plan ??= runLine().plan();
  return plan;
};

const PATIENCE_MS = 10_000;

/** The coordinator is gone. A worker ends at once, the test runner in order, as long as that lasts. */
const end = (): void => {
  if (process.env.TEST_WORKER_INDEX !== undefined) process.exit(1);
  process.kill(process.pid, "SIGINT");
  setTimeout(() => process.exit(1), PATIENCE_MS).unref();
};
