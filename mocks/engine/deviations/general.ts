/** Permitted differences of every service: what servers do that no document forbids. */
import type { Contract } from "../../../helpers/contract/contract.ts";
import type { DeviationRow, Difference } from "./deviation.ts";
import rows from "./general.json" with { type: "json" };
import type { Habits } from "./habits.ts";

/** How a service treats the general differences. Ids omit the service. */
export type GeneralTreatments = Readonly<
  Record<
    string,
    Partial<Pick<Difference, "affects" | "silences" | "gaps">> & {
      /** `false` if its document forbids the difference, or if no answer of it can differ. */
      readonly permitted?: false;
    }
  >
>;

/** `method`: the method of the operations that a difference changes, if it does not change all. */
const ROWS = rows as readonly (Pick<DeviationRow, "name" | "what" | "group"> & {
  readonly habits: Partial<Habits>;
  readonly method?: string;
})[];

/** @throws Error when a treatment has an unknown name */
export const generalDifferences = (
  { operations: known }: Pick<Contract, "operations">,
  treatments: GeneralTreatments = {},
): DeviationRow[] => {
  const unknown = Object.keys(treatments).find((name) => !ROWS.some((row) => row.name === name));
  if (unknown !== undefined) throw new Error(`There is no general difference "${unknown}".`);
  return ROWS.flatMap(({ habits, method, ...row }): DeviationRow[] => {
    const { permitted, ...treatment } = treatments[row.name] ?? {};
    if (permitted === false) return [];
    const operations = known.flatMap((one) => (one.method === method ? [one.operationId] : []));
    return [{ ...row, effects: [{ kind: "habit", habits }], operations, ...treatment }];
  });
};
