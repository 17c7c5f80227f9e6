/** Adds to a contract what callers are held to beyond its document. A run against a service does not judge this. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Contract, Requirement } from "./contract.ts";
import { parseSource } from "./document.ts";
import { schemasFolder } from "./services.ts";
import { readSource } from "./source-file.ts";

/** The file of a service, next to its register. */
const CALLER_FILE = "caller.yaml";

/** @throws ContractError when the file can't be read */
export const withCallerRows = (contract: Contract): Contract => {
  const path = join(schemasFolder(contract.service), CALLER_FILE);
  if (!existsSync(path)) return contract;
  const { requirements: rows } = parseSource(readSource(path)) as { requirements: Row[] };
  const source = contract.requirements[0]?.source.split(",")[0] ?? contract.service;
  const operations = contract.operations.map(({ operationId }) => operationId);
  const requirements = rows.map(
    ({ section, ...row }): Requirement => ({
      ...row,
      service: contract.service,
      source: `${source}, ${section}`,
      operations,
      hazards: [],
    }),
  );
  // A property that is computed on first use stays so.
  return Object.create(contract, {
    requirements: { value: [...contract.requirements, ...requirements], enumerable: true },
  }) as Contract;
};

type Row = Pick<Requirement, "id" | "level" | "statement" | "kind" | "subject" | "observable"> & {
  readonly section: string;
};
