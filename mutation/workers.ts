/** Long-lived worker processes; each performs a few tasks at a time. */
import { type ChildProcess, fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { IS_JAVASCRIPT, loadedCode } from "../helpers/contract/code.ts";
import type { Service } from "../helpers/contract/contract.ts";
import type { MatrixRow } from "../reports/certificate/matrix.ts";
import { BASELINE_PARTS, type Baseline, joined } from "./baseline.ts";
import type { Answer, NumberedOrder, Order, Task } from "./messages.ts";

export interface Done {
  readonly rows: MatrixRow[];
  /** CPU time of all processes, in milliseconds. */
  cpuMs: number;
}

/** A process takes seconds to start and to become quick, so there is one for each processor. */
const WORKERS = availableParallelism();

/** The loader of the sources. */
const LOADER = IS_JAVASCRIPT ? [] : ["--import", "tsx"];

/** Trials often wait for the sandbox, so a process performs several tasks at a time. */
const TASKS_AT_ONCE = 4;
const ENTRY = loadedCode("mutation/worker.ts");

/**
 * Performs every task once, in order, as workers become free.
 * @param providerFiles the provider's own documents by service
 * @throws Error when a task fails or a process ends unexpectedly; the other processes are stopped
 */
export const perform = async (
  tasks: readonly Task[],
  providerFiles: Readonly<Record<Service, string>>,
  ended: (row: MatrixRow) => void,
): Promise<Done> => {
  const done: Done = { rows: [], cpuMs: 0 };
  const children = Array.from({ length: Math.min(WORKERS, tasks.length) }, () =>
    // A sandbox with a fault prints errors because of the fault. Discard this output.
    fork(ENTRY, [JSON.stringify(providerFiles)], {
      // With a larger young generation, collecting garbage takes a third less time. The other processes need the
      // processors, so that helper threads for it only cost.
      execArgv: ["--max-semi-space-size=32", "--single-threaded-gc", ...LOADER],
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      // A baseline contains maps and sets.
      serialization: "advanced",
    }),
  );
  const send = async (child: ChildProcess, order: Order): Promise<MatrixRow | Baseline> => {
    const answer = await ask(child, order);
    if ("error" in answer) throw new Error(`${nameOf(order)} failed: ${answer.error}`);
    done.cpuMs += answer.cpuMs;
    return answer.done;
  };
  try {
    const baselines = await baselinesBy(send, children, tasks);
    await share(children, tasks, async (child, task) => {
      const row = (await send(child, withBaseline(child, task, baselines))) as MatrixRow;
      done.rows.push(row);
      ended(row);
    });
  } finally {
    for (const child of children) child.kill();
  }
  return done;
};

/** Gives each item, in order, to the next process that performs fewer tasks than it may. */
const share = async <Item>(
  children: readonly ChildProcess[],
  items: readonly Item[],
  use: (child: ChildProcess, item: Item) => Promise<void>,
): Promise<void> => {
  const waiting = [...items];
  const free = Array.from({ length: TASKS_AT_ONCE }, () => children).flat();
  await Promise.all(
    free.map(async (child) => {
      for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await use(child, item);
    }),
  );
};

/** Finds the baseline of each service that has a task with differences. */
const baselinesBy = async (
  send: (child: ChildProcess, order: Order) => Promise<MatrixRow | Baseline>,
  children: readonly ChildProcess[],
  tasks: readonly Task[],
): Promise<ReadonlyMap<Service, Baseline>> => {
  const services = new Set(tasks.flatMap(({ kind, service }) => (kind === "difference" ? [service] : [])));
  const orders = [...services].flatMap((service) =>
    BASELINE_PARTS.map((part) => ({ kind: "baseline" as const, service, part })),
  );
  const found = new Map<Service, Baseline[]>([...services].map((service) => [service, []]));
  await share(children, orders, async (child, order) => {
    found.get(order.service)?.push((await send(child, order)) as Baseline);
  });
  return new Map([...found].map(([service, parts]) => [service, joined(parts)]));
};

const known = new WeakMap<ChildProcess, Set<Service>>();

/** Adds the baseline to the first task of a service that a process gets. */
const withBaseline = (child: ChildProcess, task: Task, baselines: ReadonlyMap<Service, Baseline>): Order => {
  const baseline = baselines.get(task.service);
  const ofChild = known.get(child) ?? new Set();
  known.set(child, ofChild);
  if (baseline === undefined || task.kind !== "difference" || ofChild.has(task.service)) return task;
  ofChild.add(task.service);
  return { ...task, baseline };
};

let orders = 0;

const ask = (child: ChildProcess, order: Order): Promise<Answer> =>
  new Promise((resolve, reject) => {
    orders += 1;
    const number = orders;
    const end = (): void => {
      child.off("exit", died);
      child.off("message", answered);
    };
    const died = (code: number | null, signal: NodeJS.Signals | null): void => {
      end();
      reject(
        new Error(`The process of ${nameOf(order)} ended early (${code ?? signal}). Run the command again.`),
      );
    };
    const answered = (answer: Answer): void => {
      if (answer.number !== number) return;
      end();
      resolve(answer);
    };
    child.on("exit", died);
    child.on("message", answered);
    child.send({ number, order } satisfies NumberedOrder);
  });

const nameOf = (task: Order): string => {
  if (task.kind === "fault") return `the run of fault ${task.fault}`;
  if (task.kind === "baseline") return `the run of ${task.service} without a difference`;
  return task.kind === "difference" ? `the run with ${task.name}` : `seed ${task.seed} of ${task.service}`;
};
