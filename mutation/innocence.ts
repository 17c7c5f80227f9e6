/** The tasks with permitted differences: each alone, and the switches in pairwise combinations. */
import covertable from "covertable";
import type { Service } from "../helpers/contract/contract.ts";
import type { Difference } from "../mocks/engine/deviations/deviation.ts";
import type { DifferenceTask } from "./messages.ts";

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
  // The greedy criterion needs minutes to leave out one or two rows.
  return covertable
    .make(factors, { criterion: covertable.criteria.simple })
    .map((row) => Object.values(row).filter((id) => id !== USUAL))
    .filter((chosen) => chosen.length > 0)
    .map((chosen, index) => ({
      kind: "difference",
      service,
      name: `${service}.combination-${index + 1}`,
      differences: chosen,
    }));
};

/** Stands for the usual behaviour. */
const USUAL = "";

/** Returns the possible choices of each group. */
const factorsOf = (switches: readonly Difference[]): string[][] =>
  choicesOf(switches).map((ids) => [USUAL, ...ids]);

/** Returns the ids of the differences that exclude each other, and each other id alone. */
export const choicesOf = (differences: readonly Difference[]): string[][] => {
  const groups = new Map<string, string[]>();
  for (const { id, group = id } of differences) groups.set(group, [...(groups.get(group) ?? []), id]);
  return [...groups.values()];
};
