/** What changed since the document of a baseline: a run sends and looks for what shows the changes. */
import { withChanges } from "../../helpers/contract/changes.ts";
import type { Contract, Service } from "../../helpers/contract/contract.ts";
import { ContractError } from "../../helpers/contract/documents/source-file.ts";
import { missing } from "../../helpers/contract/extension.ts";
import { loadContract } from "../../helpers/contract/load.ts";
import type { Certificate } from "../../reports/certificate/certificate.ts";
import { note } from "../../reports/print.ts";
import { type Narrowable, partAt } from "../extensions.ts";

/**
 * @param text the certificate of the baseline
 * @param operationsIn returns the operationIds that the run tries; `undefined` for all
 */
export const withChangesSinceBaseline = async (
  contracts: readonly Contract[],
  text: string | undefined,
  operationsIn: Narrowable["operationsIn"],
): Promise<readonly Contract[]> => {
  if (text === undefined) return contracts;
  const comparison = await partAt("comparison");
  const { contracts: before } = JSON.parse(text) as Pick<Certificate, "contracts">;
  return Promise.all(
    contracts.map(async (contract) => {
      const then = before.find(({ service }) => service === contract.service)?.provider ?? null;
      if (then === null || contract.provider === null || then.digest === contract.provider.digest)
        return contract;
      const base = await documentOf(contract.service, then.file);
      if (base?.provider?.digest === then.digest && comparison !== undefined)
        return withChanges(
          contract,
          base,
          comparison.changesBetween(base, contract, operationsIn(contracts)),
        );
      const why =
        comparison === undefined
          ? missing("what changed since the document of the baseline is not tried", "diff").message
          : `the document ${then.version} of the baseline is not in ${then.file} any more, so what changed since is not tried. Give it with --since.`;
      note(`${contract.service}: ${why}\n`);
      return contract;
    }),
  );
};

/** Returns the contract with the document of a file. @returns `undefined` if there is no such document */
export const documentOf = async (service: Service, file: string): Promise<Contract | undefined> => {
  try {
    return await loadContract(service, { providerFile: file });
  } catch (error) {
    if (error instanceof ContractError) return undefined;
    throw error;
  }
};
