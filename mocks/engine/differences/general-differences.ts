/** Permitted differences of every service: what servers do that no document forbids. */
import type { Service } from "../../../helpers/contract/contract.ts";
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
}

/** @throws Error when a treatment has an unknown name */
export const generalDifferences = (service: Service, treatments: GeneralTreatments = {}): Difference[] => {
  const all = rows as readonly Row[];
  const unknown = Object.keys(treatments).find((name) => !all.some((row) => row.name === name));
  if (unknown !== undefined) throw new Error(`There is no general difference "${unknown}".`);
  return all.flatMap(({ name, what, habits, group }) => {
    const { permitted, ...treatment } = treatments[name] ?? {};
    if (permitted === false) return [];
    const effects = [{ kind: "habit", habits }] as const;
    return [differenceOf(service, { name, what, effects, ...treatment, ...(group && { group }) })];
  });
};
