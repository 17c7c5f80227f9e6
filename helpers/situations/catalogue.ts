/** The situations that trials ask for: one `situations.yaml` in the folder of each service that has some. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { Service } from "../contract/contract.ts";
import { schemasFolder, services } from "../contract/services.ts";

export interface SituationRow {
  readonly service: Service;
  readonly name: string;
  readonly meaning: string;
  /** What must be known of the situation; empty if it is an act. */
  readonly ids: readonly string[];
  /** Whether a trial changes or deletes what it gets, so that no other trial can use it. */
  readonly once: boolean;
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
  const file = join(schemasFolder(service), "situations.yaml");
  if (!existsSync(file)) return [];
  const read = parse(readFileSync(file, "utf8")) as Record<string, Partial<SituationRow>>;
  return Object.entries(read).map(([name, { meaning = "", ids = [], once, act, parameters = {} }]) => ({
    service,
    name,
    meaning,
    ids,
    once: once === true,
    act: act === true,
    parameters,
  }));
};
