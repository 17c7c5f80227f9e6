/** The situations that trials ask for: one `situations.yaml` in the folder of each service that has some. */

import type { Service } from "../contract/contract.ts";
import { contentOf } from "../contract/documents/checked-file.ts";
import { schemasFolder, services } from "../contract/services.ts";

export interface SituationRow {
  readonly service: Service;
  readonly name: string;
  readonly meaning: string;
  /** What must be known of the situation; empty if it is an act. */
  readonly ids: readonly string[];
  /** Whether a trial changes or deletes what it gets, so that no other trial can use it. */
  readonly once: boolean;
  /** The requirements that fail for an item only if no earlier run has used it; all if absent. */
  readonly restsOnUntouched?: readonly string[];
  /** Whether something has to happen while the trial waits, so that known ids are not enough. */
  readonly act: boolean;
  /** The parameters that trials give, with an example of each. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Returns the situations of all services, in the order of their files. */
export const situationRows = (): readonly SituationRow[] => {
  rows ??= services().flatMap(rowsOf);
  return rows;
};

let rows: readonly SituationRow[] | undefined;

const rowsOf = (service: Service): SituationRow[] => {
  const rows = contentOf<Readonly<Record<string, Omit<SituationRow, "service" | "name">>>>(
    schemasFolder(service),
    "situations.yaml",
    "situation-rows",
  );
  return Object.entries(rows ?? {}).map(([name, { restsOnUntouched: ids, ...row }]) => ({
    ...{ service, name, ...row },
    ...(ids && { restsOnUntouched: ids.map((id) => `${service}.${id}`) }),
  }));
};
