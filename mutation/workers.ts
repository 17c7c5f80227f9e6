/** Long-lived worker processes; each performs one task after another. */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Service } from "../helpers/contract/contract.ts";
import type { DifferenceRun } from "../reports/innocence.ts";
import type { CleanRun, FaultRun } from "../reports/mutation.ts";
import type { Answer, Result, Task } from "./messages.ts";

export interface Done {
  readonly faultRuns: FaultRun[];
  readonly clean: CleanRun[];
  readonly innocence: DifferenceRun[];
  /** CPU time of all processes, in milliseconds. */
  readonly cpuMs: number;
}

const WORKERS = 3;
const ENTRY = fileURLToPath(new URL("./worker.ts", import.meta.url));

/**
 * Performs every task once, in order, as workers become free.
 * @param providerFiles the provider's own documents by service
 * @throws Error when a task fails or a process ends unexpectedly; the other processes are stopped
 */
export const perform = async (
  tasks: readonly Task[],
  providerFiles: Readonly<Record<Service, string>>,
  ended: (result: Result) => void,
): Promise<Done> => {
  const waiting = [...tasks];
  const done = {
    faultRuns: [] as FaultRun[],
    clean: [] as CleanRun[],
    innocence: [] as DifferenceRun[],
    cpuMs: 0,
  };
  const children = Array.from({ length: Math.min(WORKERS, tasks.length) }, () =>
    // A sandbox with a fault prints errors because of the fault. Discard this output.
    fork(ENTRY, [JSON.stringify(providerFiles)], {
      execArgv: ["--import", "tsx"],
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    }),
  );
  try {
    await Promise.all(
      children.map(async (child) => {
        for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
          const answer = await ask(child, task);
          if ("error" in answer) throw new Error(`${nameOf(task)} failed: ${answer.error}`);
          done.cpuMs += answer.cpuMs;
          if ("fault" in answer.done) done.faultRuns.push(answer.done);
          else if ("difference" in answer.done) done.innocence.push(answer.done);
          else done.clean.push(answer.done);
          ended(answer.done);
        }
      }),
    );
  } finally {
    for (const child of children) child.kill();
  }
  return done;
};

const ask = (child: ChildProcess, task: Task): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const died = (code: number | null, signal: NodeJS.Signals | null) =>
      reject(
        new Error(`The process of ${nameOf(task)} ended early (${code ?? signal}). Run the command again.`),
      );
    child.once("exit", died);
    child.once("message", (answer: Answer) => {
      child.off("exit", died);
      resolve(answer);
    });
    child.send(task);
  });

const nameOf = (task: Task): string => {
  if (task.kind === "runFault") return `the run of fault ${task.fault}`;
  return task.kind === "difference" ? `the run with ${task.name}` : `seed ${task.seed} of ${task.service}`;
};
