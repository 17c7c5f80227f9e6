/**
 * Adds to a contract what callers or listeners are held to beyond its document. A run against a service ignores this. The
 * callers of a service without such rows are held to what its document says about every call.
 */

import type { Contract, Requirement } from "../../../helpers/contract/contract.ts";
import { contentOf } from "../../../helpers/contract/documents/checked-file.ts";
import OF_ANY from "../../../helpers/contract/of-any-contract.json" with { type: "json" };
import type { RequirementRow } from "../../../helpers/contract/register.ts";
import { schemasFolder } from "../../../helpers/contract/services.ts";

/** @throws ContractError when the file is not valid */
export const withHalfRows = (contract: Contract, half: "caller" | "listener"): Contract => {
  const file = contentOf<{ readonly requirements: readonly RequirementRow[] }>(
    schemasFolder(contract.service),
    `${half}.yaml`,
    "half",
  );
  const rows = file?.requirements ?? (half === "caller" ? (OF_ANY as readonly RequirementRow[]) : []);
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
    }),
  );
  // A property that is computed on first use stays so.
  return Object.create(contract, {
    requirements: { value: [...contract.requirements, ...requirements], enumerable: true },
  }) as Contract;
};
