/** What changed since the document of a baseline, or of `--since`: a run sends and looks for the witnesses of the diff. */
import { withChanges } from "../../helpers/contract/changes.ts";
import type { Contract, Service } from "../../helpers/contract/contract.ts";
import type { ContractChange } from "../../helpers/contract/contract-change.ts";
import { loadContract } from "../../helpers/contract/load.ts";
import { ContractError } from "../../helpers/contract/source-file.ts";
import type { Certificate } from "../../reports/certificate/certificate.ts";
import { note } from "../../reports/print.ts";

/** @param text the certificate of the baseline */
export const withChangesSinceBaseline = async (
  contracts: readonly Contract[],
  text: string,
  selected: readonly string[] | undefined,
): Promise<Contract[]> => {
  const { contracts: before } = JSON.parse(text) as Pick<Certificate, "contracts">;
  return Promise.all(
    contracts.map(async (contract) => {
      const then = before.find(({ service }) => service === contract.service)?.provider ?? null;
      if (then === null || contract.provider === null || then.digest === contract.provider.digest)
        return contract;
      const base = await documentOf(contract.service, then.file);
      if (base?.provider?.digest === then.digest) return withChangesSince(contract, base, selected);
      note(
        `${contract.service}: the document ${then.version} of the baseline is not in ${then.file} any more, so what changed since is not tried. Give it with --since.\n`,
      );
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

/**
 * @param base the contract with the document before
 * @param selected operationIds, if the run tries only some operations
 */
export const withChangesSince = async (
  contract: Contract,
  base: Contract,
  selected: readonly string[] | undefined,
): Promise<Contract> => withChanges(contract, base, await changesBetween(base, contract, contract, selected));

/** Loads the comparison of documents only when it is needed. @param side the contract whose operations the changes name */
export const changesBetween = async (
  base: Contract,
  revision: Contract,
  side: Contract,
  selected: readonly string[] | undefined,
): Promise<ContractChange[]> => {
  const [{ diffOfFiles }, { contractChanges }, { whatOf, whereOf }] = await Promise.all([
    import("../../extensions/diff/upgrade.ts"),
    import("../../extensions/diff/contract-changes.ts"),
    import("../../reports/render/diff-report.ts"),
  ]);
  const diff = diffOfFiles(base.provider?.file ?? "", revision.provider?.file ?? "");
  return contractChanges(diff, side, (entry) => `${whereOf(entry)}: ${whatOf(entry)}`, selected);
};
