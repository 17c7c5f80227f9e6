/** Tells which requirements a permitted difference may change or silence. */
import type { Contract } from "../helpers/contract/contract.ts";
import { adviceOf, causeOf, type Reason } from "../helpers/reasons/reason.ts";
import { dependentOperations } from "../helpers/trials/dependents.ts";
import type { Difference } from "../mocks/engine/deviations/deviation.ts";

export interface Permitted {
  affects(requirement: string): boolean;
  silences(requirement: string, reason: Reason | undefined): boolean;
}

export const permittedBy = (differences: readonly Difference[], contract: Contract): Permitted => ({
  affects: matcherOf(differences.flatMap(({ affects }) => affects)),
  silences: silencedBy(differences, contract),
});

/**
 * A difference in an assumed rule silences the requirements of its operation. It may silence others that such an answer
 * shows, if the reason says what is assumed.
 */
const silencedBy = (differences: readonly Difference[], contract: Contract): Permitted["silences"] => {
  const isNamed = matcherOf(differences.flatMap((difference) => silencesOf(difference, contract)));
  const isDerived = differences.some(({ kind }) => kind !== "switch");
  return (requirement, reason) =>
    isNamed(requirement) || (isDerived && reason !== undefined && namesRemedy(reason));
};

/** Whether the reason says what is assumed, or which setting or binding would replace it. */
const namesRemedy = (reason: Reason): boolean =>
  REMEDIES.includes(adviceOf(causeOf(reason).code)) || causeOf(reason).code === "part-not-shown";

const REMEDIES: readonly (string | undefined)[] = ["document", "names", "setting"];

/** Returns what the difference silences itself, and what needs an operation that depends on the changed one. */
const silencesOf = (
  { silences, isNeeded, operations }: Difference,
  contract: Contract,
): readonly string[] => {
  if (isNeeded !== true) return silences;
  const dependents = dependentOperations(operations, contract);
  return contract.requirements
    .filter((requirement) => requirement.operations.some((operation) => dependents.includes(operation)))
    .map(({ id }) => id)
    .concat(silences);
};

const matcherOf = (patterns: readonly string[]): ((requirement: string) => boolean) => {
  const exact = new Set(patterns);
  const parts = patterns.filter((id) => id.includes("*")).map((id) => id.split("*"));
  return (requirement) =>
    exact.has(requirement) ||
    parts.some(([start = "", end = ""]) => requirement.startsWith(start) && requirement.endsWith(end));
};
