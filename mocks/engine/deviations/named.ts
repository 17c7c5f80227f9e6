/** Chooses deviations by their ids, or by names that stand for several. */
import { memoize } from "../../../helpers/contract/memoize.ts";
import { nearest } from "../../../helpers/contract/nearest.ts";
import { differencesIn, faultsIn } from "./catalogue.ts";
import type { Deviation, Difference, Fault } from "./deviation.ts";
import sets from "./named-sets.json" with { type: "json" };

/**
 * Names for several differences: a description for people, and the last segments of the ids of switches, of any service.
 */
export const NAMED_SETS = sets;

/** The word that stands for every switch, and for every rule of requests that is assumed. */
const ALL = "all";

const faultsById = memoize((listed: readonly Deviation[]) => byId(faultsIn(listed)));
const differencesById = memoize((listed: readonly Deviation[]) => byId(differencesIn(listed)));

const byId = <Kind extends Deviation>(all: readonly Kind[]): ReadonlyMap<string, Kind> =>
  new Map(all.map((one) => [one.id, one]));

/** @throws UnknownDeviationError with the most similar ids */
export const faultsNamed = (listed: readonly Deviation[], ids: readonly string[]): Fault[] => {
  const known = faultsById(listed);
  return ids.map((id) => {
    const fault = known.get(id);
    if (fault !== undefined) return fault;
    const candidates = nearest(id, [...known.keys()]);
    const hint =
      candidates.length === 0 ? "No service here has faults." : `Nearest: ${candidates.join(", ")}.`;
    throw new UnknownDeviationError(`There is no fault "${id}". ${hint}`);
  });
};

/**
 * @param names ids, names of sets, or `all`
 * @throws UnknownDeviationError with the most similar ids
 */
export const differencesNamed = (listed: readonly Deviation[], names: readonly string[]): Difference[] => {
  const known = differencesById(listed);
  const chosen = names.flatMap((name) => {
    if (name === ALL) return everySwitch([...known.values()]);
    const set = NAMED_SETS.find((one) => one.name === name);
    if (set !== undefined) return membersOf(set, [...known.values()]);
    const difference = known.get(name);
    if (difference !== undefined) return [difference];
    const candidates = nearest(name, [...known.keys()]).join(", ");
    const all = NAMED_SETS.map((one) => one.name).join(", ");
    throw new UnknownDeviationError(
      `There is no permitted difference "${name}". Nearest: ${candidates}. Named sets: ${all}.`,
    );
  });
  return [...new Set(chosen)];
};

const membersOf = (
  { differences }: (typeof NAMED_SETS)[number],
  listed: readonly Difference[],
): Difference[] =>
  listed.filter(({ id, kind }) => kind === "switch" && differences.includes(id.split(".").at(-1) ?? ""));

/** Returns the first switch of each group, those without a group, and the differences in requests. */
const everySwitch = (listed: readonly Difference[]): Difference[] => {
  const groups = new Set<string>();
  return listed.filter(({ kind, service, group }) => {
    if (kind !== "switch") return kind === "request";
    if (group === undefined) return true;
    const key = `${service} ${group}`;
    const isFirst = !groups.has(key);
    groups.add(key);
    return isFirst;
  });
};

export class UnknownDeviationError extends Error {
  override readonly name = "UnknownDeviationError";
}
