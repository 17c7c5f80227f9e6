/** The tasks with permitted differences: each alone, and the switches in pairwise combinations. */
import covertable from "covertable";
import type { Contract, Service } from "../helpers/contract/contract.ts";
import { getOrInsert } from "../helpers/contract/memoize.ts";
import type { Trial } from "../helpers/trials/trial.ts";
import type { Difference } from "../mocks/engine/deviations/deviation.ts";
import type { Baseline } from "./baseline.ts";
import type { DifferenceTask } from "./messages.ts";
import { permittedBy } from "./permitted.ts";

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

/**
 * Returns the ids of few trials that together show the requirements that are seen in no combination with a difference:
 * in each of them, another difference may silence the requirement.
 * @param all the differences of the service
 * @param verdicts of the trials without a difference
 * @param others trials that are run too
 */
export const trialsUnseen = (
  contract: Contract,
  difference: Difference,
  all: readonly Difference[],
  verdicts: Baseline["verdicts"],
  others: readonly Trial[],
): ReadonlySet<Trial["id"]> => {
  const left = new Set(unseenInPairs(contract, difference, all));
  const newIn = (id: Trial["id"]) =>
    [...(verdicts.get(id) ?? [])].flatMap(([one, verdict]) =>
      verdict === "passed" && left.has(one) ? [one] : [],
    );
  for (const requirement of others.flatMap(({ id }) => newIn(id))) left.delete(requirement);
  const chosen = new Set<Trial["id"]>();
  while (left.size > 0) {
    const news = [...verdicts.keys()].map((id) => [id, newIn(id)] as const);
    const [id, most] = news.reduce((best, one) => (one[1].length > best[1].length ? one : best));
    // The clean run does not show the others either.
    if (most.length === 0) break;
    chosen.add(id);
    for (const requirement of most) left.delete(requirement);
  }
  return chosen;
};

const unseenInPairs = (
  contract: Contract,
  { id, service }: Difference,
  all: readonly Difference[],
): readonly string[] => {
  const withIt = getOrInsert(pairs, all, () => tasksInPairs(service, all)).filter(({ differences }) =>
    differences.includes(id),
  );
  const silencing = withIt.map(({ differences }) =>
    permittedBy(
      all.filter((one) => one.id !== id && differences.includes(one.id)),
      contract,
    ),
  );
  return contract.requirements
    .map((requirement) => requirement.id)
    .filter((one) => silencing.every(({ affects, silences }) => affects(one) || silences(one, undefined)));
};

const pairs = new WeakMap<readonly Difference[], readonly DifferenceTask[]>();

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
