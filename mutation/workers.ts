/** Long-lived worker processes; each performs one task after another. */
import { type ChildProcess, fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import type { Service } from "../helpers/contract/contract.ts";
import type { DifferenceRun } from "../reports/innocence.ts";
import type { CleanRun, FaultRun } from "../reports/mutation.ts";
import type { Baseline } from "./baseline.ts";
import type { Answer, Order, Result, Task } from "./messages.ts";

export interface Done {
  readonly faultRuns: FaultRun[];
  readonly clean: CleanRun[];
  readonly innocence: DifferenceRun[];
  /** CPU time of all processes, in milliseconds. */
  readonly cpuMs: number;
}

/** Trials often wait for the sandbox, so there are more processes than processors. */
const WORKERS = availableParallelism() * 2 + 1;
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
      // A baseline contains maps and sets.
      serialization: "advanced",
    }),
  );
  const send = async (child: ChildProcess, order: Order): Promise<Result | Baseline> => {
    const answer = await ask(child, order);
    if ("error" in answer) throw new Error(`${nameOf(order)} failed: ${answer.error}`);
    done.cpuMs += answer.cpuMs;
    return answer.done;
  };
  const withBaseline = baselinesBy(
    async (child, service) => (await send(child, { kind: "baseline", service })) as Baseline,
  );
  try {
    await Promise.all(
      children.map(async (child) => {
        for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
          const result = (await send(child, await withBaseline(child, task))) as Result;
          if ("fault" in result) done.faultRuns.push(result);
          else if ("difference" in result) done.innocence.push(result);
          else done.clean.push(result);
          ended(result);
        }
      }),
    );
  } finally {
    for (const child of children) child.kill();
  }
  return done;
};

/** Has one process find the baseline of a service, and gives it to the others. */
const baselinesBy = (find: (child: ChildProcess, service: Service) => Promise<Baseline>) => {
  const found = new Map<Service, Promise<Baseline>>();
  const known = new WeakMap<ChildProcess, Set<Service>>();
  return async (child: ChildProcess, task: Task): Promise<Order> => {
    const { service } = task;
    const ofChild = known.get(child) ?? new Set();
    known.set(child, ofChild);
    if (task.kind !== "difference" || ofChild.has(service)) return task;
    ofChild.add(service);
    const baseline = found.get(service);
    if (baseline !== undefined) return { ...task, baseline: await baseline };
    const first = find(child, service);
    found.set(service, first);
    await first;
    return task;
  };
};

const ask = (child: ChildProcess, order: Order): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const died = (code: number | null, signal: NodeJS.Signals | null) =>
      reject(
        new Error(`The process of ${nameOf(order)} ended early (${code ?? signal}). Run the command again.`),
      );
    child.once("exit", died);
    child.once("message", (answer: Answer) => {
      child.off("exit", died);
      resolve(answer);
    });
    child.send(order);
  });

const nameOf = (task: Order): string => {
  if (task.kind === "runFault") return `the run of fault ${task.fault}`;
  if (task.kind === "baseline") return `the run of ${task.service} without a difference`;
  return task.kind === "difference" ? `the run with ${task.name}` : `seed ${task.seed} of ${task.service}`;
};
