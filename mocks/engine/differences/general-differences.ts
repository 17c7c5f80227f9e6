/** Permitted differences of every service: what servers do that no document forbids. */
import type { Contract } from "../../../helpers/contract/contract.ts";
import type { Difference } from "./difference.ts";
import { differenceOf } from "./difference-rows.ts";
import rows from "./general-differences.json" with { type: "json" };
import type { Habits } from "./habits.ts";

/** How a service treats one of the general differences. */
export interface GeneralTreatment {
  /** `false` if its document forbids the difference, or if no answer of it can differ. */
  readonly permitted?: false;
  /** See `Difference`; ids omit the service. */
  readonly affects?: readonly string[];
  readonly silences?: readonly string[];
  readonly gaps?: readonly string[];
}

export type GeneralTreatments = Readonly<Record<string, GeneralTreatment>>;

interface Row {
  readonly name: string;
  readonly what: string;
  readonly habits: Partial<Habits>;
  readonly group?: string;
  /** The method of the operations that it changes, if it does not change all. */
  readonly method?: string;
}

/** @throws Error when a treatment has an unknown name */
export const generalDifferences = (
  { service, operations: known }: Pick<Contract, "service" | "operations">,
  treatments: GeneralTreatments = {},
): Difference[] => {
  const all = rows as readonly Row[];
  const unknown = Object.keys(treatments).find((name) => !all.some((row) => row.name === name));
  if (unknown !== undefined) throw new Error(`There is no general difference "${unknown}".`);
  return all.flatMap(({ name, what, habits, group, method }) => {
    const { permitted, ...treatment } = treatments[name] ?? {};
    if (permitted === false) return [];
    const effects = [{ kind: "habit", habits }] as const;
    const operations =
      method === undefined ? [] : known.filter((one) => one.method === method).map((one) => one.operationId);
    return [
      differenceOf(service, { name, what, effects, operations, ...treatment, ...(group && { group }) }),
    ];
  });
};
