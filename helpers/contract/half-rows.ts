/**
 * Adds to a contract what callers or listeners are held to beyond its document. A run against a service ignores this. The
 * callers of a service without such rows are held to what its document says about every call.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Contract, Requirement } from "./contract.ts";
import OF_ANY from "./of-any-contract.json" with { type: "json" };
import { parseSource } from "./parse.ts";
import { schemasFolder } from "./services.ts";
import { readSource } from "./source-file.ts";

/** @throws ContractError when the file can't be read */
export const withHalfRows = (contract: Contract, half: "caller" | "listener"): Contract => {
  const path = join(schemasFolder(contract.service), `${half}.yaml`);
  const { requirements: rows } = (
    existsSync(path) ? parseSource(readSource(path)) : { requirements: half === "caller" ? OF_ANY : [] }
  ) as {
    requirements: (Omit<Requirement, "service" | "source" | "hazards"> & { readonly section: string })[];
  };
  if (rows.length === 0) return contract;
  const source = contract.requirements[0]?.source.split(",")[0] ?? contract.service;
  const all = contract.operations.map(({ operationId }) => operationId);
  const requirements = rows.map(
    ({ section, operations, id, ...row }): Requirement => ({
      ...row,
      id: id.startsWith(`${contract.service}.`) ? id : `${contract.service}.${id}`,
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
