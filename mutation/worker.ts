/** A worker process: runs the trials with one fault or without faults, one task per IPC message, several at a time. */
import type { Contract, Service } from "../helpers/contract/contract.ts";
import { loadContract } from "../helpers/contract/load.ts";
import { differencesIn } from "../mocks/engine/deviations/catalogue.ts";
import type { Deviation, Difference, Fault } from "../mocks/engine/deviations/deviation.ts";
import { differencesNamed, faultsNamed } from "../mocks/engine/deviations/named.ts";
import { listDeviations } from "../mocks/engine/services.ts";
import type { MatrixRow } from "../reports/certificate/matrix.ts";
import { type Baseline, baselineOf } from "./baseline.ts";
import { runClean } from "./clean.ts";
import type { Answer, NumberedOrder, Order, Task } from "./messages.ts";
import { runDifferences } from "./run-differences.ts";
import { runFault } from "./run-fault.ts";
import { openWorkbench, type Workbench } from "./workbench.ts";

interface ServiceSetup {
  readonly contract: Contract;
  readonly deviations: readonly Deviation[];
  readonly differences: readonly Difference[];
  readonly workbench: Workbench;
  /** What the runs with differences are compared with. */
  baseline?: Baseline | undefined;
}

/** The provider's own documents by service. */
const providerFiles = JSON.parse(process.argv[2] ?? "{}") as Readonly<Record<Service, string | undefined>>;

const setups = new Map<Service, Promise<ServiceSetup>>();

const setupOf = (service: Service): Promise<ServiceSetup> => {
  const known = setups.get(service) ?? openServiceSetup(service);
  setups.set(service, known);
  return known;
};

const openServiceSetup = async (service: Service): Promise<ServiceSetup> => {
  const providerFile = providerFiles[service];
  const contract = await loadContract(service, providerFile === undefined ? {} : { providerFile });
  const deviations = await listDeviations([contract]);
  return {
    contract,
    deviations,
    differences: differencesIn(deviations),
    workbench: await openWorkbench(contract),
  };
};

const perform = async (order: Order): Promise<MatrixRow | Baseline> => {
  const setup = await setupOf(order.service);
  const { workbench } = setup;
  if (order.kind === "baseline") return baselineOf(workbench, "quick", [order.part]);
  setup.baseline ??= order.baseline;
  return performTask(order, setup);
};

const performTask = async (task: Task, setup: ServiceSetup): Promise<MatrixRow> => {
  const { workbench, deviations, baseline } = setup;
  if (task.kind === "clean") return runClean(workbench, task);
  if (task.kind === "difference") {
    if (baseline === undefined) throw new Error(`The baseline of ${task.service} is missing.`);
    const chosen = differencesNamed(deviations, task.differences);
    return runDifferences(workbench, baseline, task.name, chosen, setup.differences);
  }
  return runFault(workbench, faultsNamed(deviations, [task.fault])[0] as Fault, task.sandbox);
};

const answer = (message: Answer): void => void process.send?.(message);

let counted = process.cpuUsage();

/** Returns the CPU time since the last call, in milliseconds. */
const cpuSince = (): number => {
  const { user, system } = process.cpuUsage(counted);
  counted = process.cpuUsage();
  return (user + system) / 1000;
};

process.on("message", ({ number, order }: NumberedOrder) => {
  void perform(order).then(
    (done) => answer({ number, done, cpuMs: cpuSince() }),
    (error: Error) => answer({ number, error: error.stack ?? error.message }),
  );
});
process.on("disconnect", () => process.exit());
