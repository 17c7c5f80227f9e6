/** Reads what a client uses of its services, as the proxy writes it. */
import { readFileSync } from "node:fs";
import { USES_FORMAT, type Uses } from "../helpers/client/uses.ts";
import type { Contract, Service } from "../helpers/contract/contract.ts";
import { fileProblem } from "../helpers/contract/file-problem.ts";
import { jsonOf } from "../helpers/exchange/json-of.ts";
import { ConfigurationError } from "../helpers/target/load-target.ts";

/**
 * Returns the ids of the used operations by service.
 * @throws ConfigurationError when the file can't be read, is another one, or names no operation of the contracts
 */
export const readUsedBy = (
  file: string,
  contracts: readonly Contract[],
): Readonly<Record<Service, readonly string[]>> => {
  const { services } = readUses(file);
  const used = contracts.map(({ service, operations }) => {
    const known = new Set(operations.map(({ operationId }) => operationId));
    return [service, Object.keys(services[service] ?? {}).filter((id) => known.has(id))] as const;
  });
  if (used.every(([, ids]) => ids.length === 0))
    throw new ConfigurationError(`--used-by: ${file} names no operation of these services.`);
  return Object.fromEntries(used);
};

/** @throws ConfigurationError when the file can't be read, or is another one */
export const readUses = (file: string): Uses => {
  const { format, services = {} } = usesIn(file);
  if (format !== USES_FORMAT)
    throw new ConfigurationError(`--used-by: ${file} is not a file of uses, which the proxy writes.`);
  return { format, services };
};

const usesIn = (file: string): Partial<Uses> => {
  try {
    return (jsonOf(readFileSync(file)).json ?? {}) as Partial<Uses>;
  } catch (error) {
    throw new ConfigurationError(`--used-by: ${file} can't be read: ${fileProblem(error)}`);
  }
};
