/** Says for how many relations of the contracts, and operations of each, a derived fault was found by name. */
import type { Contract } from "../helpers/contract/contract.ts";
import { groupBy } from "../helpers/contract/memoize.ts";
import { type RelationPair, relationPairs } from "../mocks/engine/deviations/from-relations.ts";
import type { MatrixRow } from "../reports/certificate/matrix.ts";

/** Why a pair has no derived fault, by the kind of its relation. */
const WITHOUT: Readonly<Partial<Record<RelationPair["relation"]["kind"], string>>> = {
  find: "what else such a value finds is open",
  order: "the faults of the order are rows beside the handlers",
  most: "the faults of a maximum without a parameter are rows beside the handlers",
};

/** @returns no lines if no fault of a relation was run */
export const relationLines = (contracts: readonly Contract[], rows: readonly MatrixRow[]): string[] => {
  const statuses = new Map(rows.map(({ subject, status }) => [subject, status]));
  const pairs = contracts.flatMap(relationPairs);
  const isRun = pairs.some(({ faults }) => faults.some(({ id }) => statuses.has(id)));
  if (!isRun) return [];
  const outcomeOf = ({ relation: { kind }, faults }: RelationPair): string => {
    const run = faults.flatMap(({ id }) => statuses.get(id) ?? []);
    if (faults.length === 0) return WITHOUT[kind] ?? "no fault follows from it";
    if (run.length === 0) return "its faults were not chosen, or violate nothing documented";
    return run.every((status) => status === "by-name") ? FOUND : "not all of its faults are found by name";
  };
  const relations = new Set(pairs.map(({ relation }) => relation)).size;
  const outcomes = groupBy(pairs, outcomeOf);
  const others = [...outcomes].filter(([outcome]) => outcome !== FOUND);
  return [
    `Relations  ${relations}, in ${pairs.length} pairs with an operation: ` +
      `the derived faults of ${outcomes.get(FOUND)?.length ?? 0} pairs are found by name`,
    ...others.map(([outcome, alike]) => `  ${alike.length}  ${outcome}: ${alike.map(nameOf).join(", ")}`),
  ];
};

const FOUND = "found by name";

const nameOf = ({ relation: { kind, parameter }, operationId }: RelationPair): string =>
  [kind, operationId, ...(parameter === undefined ? [] : [parameter])].join(" ");
