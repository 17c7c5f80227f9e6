/** Lists all permitted differences of the sandbox: derived, general and service-specific differences. */
import type { Contract } from "../../../helpers/contract/contract.ts";
import { nearest } from "../../../helpers/contract/nearest.ts";
import { oncePer } from "../../../helpers/contract/once.ts";
import { sandboxService } from "../services.ts";
import type { Difference } from "./difference.ts";
import { differenceOf } from "./difference-rows.ts";
import { generalDifferences } from "./general-differences.ts";
import sets from "./named-sets.json" with { type: "json" };
import { differencesOfRules } from "./rule-differences.ts";

/** A name for several differences. */
export interface NamedSet {
  readonly name: string;
  /** A description for people. */
  readonly what: string;
  /** Last segments of the ids of switches, of any service. */
  readonly differences: readonly string[];
}

export const NAMED_SETS: readonly NamedSet[] = sets;

/** @throws Error when there is no sandbox for one of the services */
export const listDifferences = async (contracts: readonly Contract[]): Promise<Difference[]> =>
  (await Promise.all(contracts.map(differencesOf))).flat();

const differencesOf = async (contract: Contract): Promise<Difference[]> => {
  const service = await sandboxService(contract.service);
  const { differences = [], generalDifferences: treatments, excludedDeviations, isByConvention } = service;
  const unnamed = (difference: Difference): Difference =>
    isByConvention === true ? { ...difference, isByConvention } : difference;
  return [
    ...generalDifferences(contract, treatments).map(unnamed),
    ...differences
      .filter(({ isSettledByDocument }) => contract.provider === null || isSettledByDocument !== true)
      .map((row) => differenceOf(contract.service, row)),
    ...differencesOfRules(contract, excludedDeviations).map(unnamed),
  ];
};

/** The word that stands for every switch, and for every rule of requests that is assumed. */
const ALL = "all";

/**
 * @param names ids, names of sets, or `all`
 * @throws UnknownDifferenceError with the most similar ids
 */
export const differencesNamed = (listed: readonly Difference[], names: readonly string[]): Difference[] => {
  const known = byId(listed);
  const chosen = names.flatMap((name) => {
    if (name === ALL) return everySwitch(listed);
    const set = NAMED_SETS.find((one) => one.name === name);
    if (set !== undefined) return membersOf(set, listed);
    const difference = known.get(name);
    if (difference === undefined) throw new UnknownDifferenceError(name, nearest(name, [...known.keys()]));
    return [difference];
  });
  return [...new Set(chosen)];
};

const byId = oncePer((listed: readonly Difference[]) => new Map(listed.map((one) => [one.id, one])));

const membersOf = ({ differences }: NamedSet, listed: readonly Difference[]): Difference[] =>
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

export class UnknownDifferenceError extends Error {
  override readonly name = "UnknownDifferenceError";
  constructor(name: string, candidates: readonly string[]) {
    const sets = NAMED_SETS.map((set) => set.name).join(", ");
    super(
      `There is no permitted difference "${name}". Nearest: ${candidates.join(", ")}. Named sets: ${sets}.`,
    );
  }
}
