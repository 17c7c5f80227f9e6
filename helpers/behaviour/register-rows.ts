/** Reads the rows of the observation register of a service. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Service } from "../contract/contract.ts";
import { parseSource } from "../contract/parse.ts";
import { schemasFolder } from "../contract/services.ts";
import { readSource } from "../contract/source-file.ts";
import type { ObservationRow } from "./register.ts";

/** Returns no rows for a service without `observations.yaml`. */
export const observationRows = (service: Service): readonly ObservationRow[] => {
  const path = join(schemasFolder(service), "observations.yaml");
  if (!existsSync(path)) return [];
  return (parseSource(readSource(path)).observations ?? []) as unknown as ObservationRow[];
};
