/** Adds to a contract what callers or listeners are held to beyond its document. A run against a service ignores this. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Contract, Requirement } from "./contract.ts";
import { parseSource } from "./parse.ts";
import { schemasFolder } from "./services.ts";
import { readSource } from "./source-file.ts";

/** @throws ContractError when the file can't be read */
export const withHalfRows = (contract: Contract, half: "caller" | "listener"): Contract => {
  const path = join(schemasFolder(contract.service), `${half}.yaml`);
  if (!existsSync(path)) return contract;
  const { requirements: rows } = parseSource(readSource(path)) as {
    requirements: (Omit<Requirement, "service" | "source" | "hazards"> & { readonly section: string })[];
  };
  const source = contract.requirements[0]?.source.split(",")[0] ?? contract.service;
  const all = contract.operations.map(({ operationId }) => operationId);
  const requirements = rows.map(
    ({ section, operations, ...row }): Requirement => ({
      ...row,
      service: contract.service,
      source: `${source}, ${section}`,
      operations: operations.includes("*") ? all : operations,
      hazards: [],
    }),
  );
  // A property that is computed on first use stays so.
  return Object.create(contract, {
    requirements: { value: [...contract.requirements, ...requirements], enumerable: true },
  }) as Contract;
};
