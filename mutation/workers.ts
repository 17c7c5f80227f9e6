/** Long-lived worker processes; each performs one task after another. */
import { type ChildProcess, fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import type { Service } from "../helpers/contract/contract.ts";
import type { DifferenceRun } from "../reports/innocence.ts";
import type { CleanRun, FaultRun } from "../reports/mutation.ts";
import { BASELINE_PARTS, type Baseline, joined } from "./baseline.ts";
import type { Answer, BaselineTask, Order, Result, Task } from "./messages.ts";

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
  const done = {
    faultRuns: [] as FaultRun[],
    clean: [] as CleanRun[],
    innocence: [] as DifferenceRun[],
    cpuMs: 0,
  };
  const children = Array.from({ length: Math.min(WORKERS, tasks.length) }, () =>
    // A sandbox with a fault prints errors because of the fault. Discard this output.
    fork(ENTRY, [JSON.stringify(providerFiles)], {
      // With a larger young generation, collecting garbage takes a third less time. The other processes need the
      // processors, so that helper threads for it only cost.
      execArgv: ["--max-semi-space-size=32", "--single-threaded-gc", "--import", "tsx"],
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
  try {
    const baselines = await baselinesBy(send, children, tasks);
    await share(children, tasks, async (child, task) => {
      const result = (await send(child, withBaseline(child, task, baselines))) as Result;
      if ("fault" in result) done.faultRuns.push(result);
      else if ("difference" in result) done.innocence.push(result);
      else done.clean.push(result);
      ended(result);
    });
  } finally {
    for (const child of children) child.kill();
  }
  return done;
};

/** Gives each item to the next free process, in order. */
const share = async <Item>(
  children: readonly ChildProcess[],
  items: readonly Item[],
  use: (child: ChildProcess, item: Item) => Promise<void>,
): Promise<void> => {
  const waiting = [...items];
  await Promise.all(
    children.map(async (child) => {
      for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await use(child, item);
    }),
  );
};

type Baselines = ReadonlyMap<Service, Baseline>;

/** Finds the baseline of each service that has a task with differences. */
const baselinesBy = async (
  send: (child: ChildProcess, order: Order) => Promise<Result | Baseline>,
  children: readonly ChildProcess[],
  tasks: readonly Task[],
): Promise<Baselines> => {
  const services = new Set(tasks.flatMap(({ kind, service }) => (kind === "difference" ? [service] : [])));
  const orders = [...services].flatMap((service) =>
    BASELINE_PARTS.map((part): BaselineTask => ({ kind: "baseline", service, part })),
  );
  const found = new Map<Service, Baseline[]>([...services].map((service) => [service, []]));
  await share(children, orders, async (child, order) => {
    found.get(order.service)?.push((await send(child, order)) as Baseline);
  });
  return new Map([...found].map(([service, parts]) => [service, joined(parts)]));
};

const known = new WeakMap<ChildProcess, Set<Service>>();

/** Adds the baseline to the first task of a service that a process gets. */
const withBaseline = (child: ChildProcess, task: Task, baselines: Baselines): Order => {
  const baseline = baselines.get(task.service);
  const ofChild = known.get(child) ?? new Set();
  known.set(child, ofChild);
  if (baseline === undefined || task.kind !== "difference" || ofChild.has(task.service)) return task;
  ofChild.add(task.service);
  return { ...task, baseline };
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
