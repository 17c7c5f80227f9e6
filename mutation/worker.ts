/** A process that hunts faults, and runs sandboxes without any, as its parent asks over IPC. */
import type { Contract, Service } from "../helpers/contract/contract.ts";
import { loadContract } from "../helpers/contract/load.ts";
import type { Fault } from "../mocks/engine/faults/fault.ts";
import { faultsById, listFaults } from "../mocks/engine/faults/faults.ts";
import type { CleanRun } from "../reports/false-alarms.ts";
import type { HuntedFault } from "../reports/mutation.ts";
import { type CleanSetting, runClean } from "./clean.ts";
import { hunt } from "./hunt.ts";
import { openRoom, type Room } from "./room.ts";

type Task =
  | { readonly kind: "hunt"; readonly service: Service; readonly fault: string }
  | ({ readonly kind: "clean"; readonly service: Service } & CleanSetting);

interface Stage {
  readonly contract: Contract;
  readonly faults: readonly Fault[];
  readonly room: Room;
}

const stages = new Map<Service, Promise<Stage>>();

const stageOf = (service: Service): Promise<Stage> => {
  const known = stages.get(service) ?? openStage(service);
  stages.set(service, known);
  return known;
};

const openStage = async (service: Service): Promise<Stage> => {
  const contract = await loadContract(service);
  return { contract, faults: await listFaults([contract]), room: await openRoom(contract) };
};

const perform = async (task: Task): Promise<HuntedFault | CleanRun> => {
  const { room, faults } = await stageOf(task.service);
  if (task.kind === "clean") return runClean(room, task);
  return hunt(room, faultsById(faults, [task.fault])[0] as Fault);
};

process.on("message", (task: Task) => {
  const before = process.cpuUsage();
  void perform(task).then(
    (done) => {
      const { user, system } = process.cpuUsage(before);
      process.send?.({ done, cpuMs: (user + system) / 1000 });
    },
    (error: Error) => process.send?.({ error: error.stack ?? error.message }),
  );
});
process.on("disconnect", () => process.exit());
