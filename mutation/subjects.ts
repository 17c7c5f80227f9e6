/** Chooses the subjects of a matrix run: faults, permitted differences and their combinations, or clean sandboxes. */
import type { Contract, Service } from "../helpers/contract/contract.ts";
import { differencesIn, faultsIn } from "../mocks/engine/deviations/catalogue.ts";
import type { Difference } from "../mocks/engine/deviations/deviation.ts";
import { differencesNamed, faultsNamed, NAMED_SETS } from "../mocks/engine/deviations/named.ts";
import { listDeviations } from "../mocks/engine/services.ts";
import { type Flags, sandboxWords } from "./flags.ts";
import type { CleanTask, OtherSandbox, Task } from "./messages.ts";

/** The clean run shows which requirements pass, and is the longest task. */
const cleanTask = (service: Service, seed: number): CleanTask => ({
  ...{ kind: "clean", service, seed },
  depth: "standard",
});

/** Counts the requests of each trial at quick depth. */
const quickTask = (service: Service): CleanTask => ({
  ...cleanTask(service, 1),
  depth: "quick",
});

/** @param isWhole whether all faults are run on the usual sandbox */
export const faultTasks = async (
  flags: Flags,
  contracts: readonly Contract[],
  isWhole: boolean,
): Promise<Task[]> => {
  const listed = faultsIn(await listDeviations(contracts));
  const faults = flags.fault === undefined ? listed : faultsNamed(listed, flags.fault);
  const isOther = sandboxWords(flags) !== undefined;
  const sandboxOf = await otherSandbox(flags, contracts);
  return [
    ...(isWhole ? contracts.flatMap(({ service }) => [cleanTask(service, 1), quickTask(service)]) : []),
    ...faults.map(
      ({ id, service }): Task => ({
        ...{ kind: "fault", service, fault: id },
        ...(isOther && { sandbox: sandboxOf(service) }),
      }),
    ),
  ];
};

const otherSandbox = async (
  { plain, situations, difference }: Flags,
  contracts: readonly Contract[],
): Promise<(service: Service) => OtherSandbox> => {
  const chosen =
    difference === undefined ? [] : differencesNamed(await listDeviations(contracts), difference);
  return (service) => ({
    ...(plain && { plain }),
    ...(situations !== undefined && { situations }),
    differences: chosen.filter((one) => one.service === service).map(({ id }) => id),
  });
};

export const chooseDifferences = async (
  { difference }: Flags,
  contracts: readonly Contract[],
): Promise<readonly Difference[]> => {
  const listed = differencesIn(await listDeviations(contracts));
  return difference === undefined ? listed : differencesNamed(listed, difference);
};

/** Several seeds at quick depth, and each variant once at standard depth. */
export const cleanTasks = ({ seed, clean = 0 }: Flags, contracts: readonly Contract[]): CleanTask[] => {
  const names = contracts.map(({ service }) => service);
  return [
    ...names.flatMap((name) =>
      NAMED_SETS.map((variant) => ({ ...cleanTask(name, seed), variant: variant.name })),
    ),
    ...Array.from({ length: clean }, (_, index) => seed + index).flatMap((one) =>
      names.map((name): CleanTask => ({ ...cleanTask(name, one), depth: "quick" })),
    ),
  ];
};
