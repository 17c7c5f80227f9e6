/** The tasks of an innocence run: each permitted difference alone, and the switches in pairwise combinations. */
import type { Service } from "../helpers/contract/contract.ts";
import type { Difference } from "../mocks/engine/differences/difference.ts";
import { coveringArray } from "./covering-array.ts";
import type { DifferenceTask } from "./messages.ts";

const COMBINATION = ".combination-";

/** Whether a task is a combination, by its name. */
export const isCombination = (name: string): boolean => name.includes(COMBINATION);

/** Returns a task for each difference. */
export const tasksAlone = (differences: readonly Difference[]): DifferenceTask[] =>
  differences.map(({ id, service }) => ({ kind: "difference", service, name: id, differences: [id] }));

/**
 * Returns tasks that together have each pair of switches of a service in force, each without the other, and neither.
 * Switches that exclude each other never meet.
 */
export const tasksInPairs = (service: Service, differences: readonly Difference[]): DifferenceTask[] => {
  const factors = factorsOf(differences.filter((one) => one.service === service && one.kind === "switch"));
  if (factors.length < 2) return [];
  return coveringArray(factors)
    .map((row) => row.filter((id): id is string => id !== null))
    .filter((chosen) => chosen.length > 0)
    .map((chosen, index) => ({
      kind: "difference",
      service,
      name: `${service}${COMBINATION}${index + 1}`,
      differences: chosen,
    }));
};

/** Returns the possible choices of each group; `null` stands for the usual behaviour. */
const factorsOf = (switches: readonly Difference[]): (string | null)[][] =>
  choicesOf(switches).map((ids) => [null, ...ids]);

/** Returns the ids of the differences that exclude each other, and each other id alone. */
export const choicesOf = (differences: readonly Difference[]): string[][] => {
  const groups = new Map<string, string[]>();
  for (const { id, group = id } of differences) groups.set(group, [...(groups.get(group) ?? []), id]);
  return [...groups.values()];
};
