/** Permitted differences of every service: what servers do that no document forbids. */
import type { Service } from "../../../helpers/contract/contract.ts";
import type { Difference } from "./difference.ts";
import rows from "./general-differences.json" with { type: "json" };
import type { Habits } from "./habits.ts";

interface Row {
  readonly name: string;
  readonly what: string;
  readonly habits: Partial<Habits>;
  readonly group?: string;
}

export const generalDifferences = (service: Service): Difference[] =>
  (rows as readonly Row[]).map(({ name, what, habits, group }) => ({
    id: `${service}.general.${name}`,
    service,
    kind: "switch",
    what,
    gaps: [],
    effects: [{ kind: "habit", habits }],
    operations: [],
    affects: [],
    silences: [],
    ...(group !== undefined && { group }),
  }));
