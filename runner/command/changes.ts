/** What changed since the document of a baseline: a run sends and looks for what shows the changes. */
import { documentOf, withChanges } from "../../helpers/contract/changes.ts";
import type { Contract } from "../../helpers/contract/contract.ts";
import type { ContractChange } from "../../helpers/contract/contract-change.ts";
import { ContractError } from "../../helpers/contract/documents/source-file.ts";
import { missing } from "../../helpers/contract/extension.ts";
import type { Certificate } from "../../reports/certificate/certificate.ts";
import { note } from "../../reports/print.ts";
import { type Narrowable, partAt, versionAt } from "../extensions.ts";

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
  const { contracts: before, operations } = JSON.parse(text) as Pick<Certificate, "contracts" | "operations">;
  return Promise.all(
    contracts.map(async (contract) => {
      const now = documentOf(contract);
      const then = documentIn(
        contract.madeFrom ? before[0] : before.find(({ service }) => service === contract.service),
      );
      if (then === null || now === null || then.digest === now.digest) return contract;
      const base = await knownVersion(contract, then.file);
      if (base !== undefined && documentOf(base)?.digest === then.digest && comparison !== undefined)
        return withChanges(
          contract,
          base,
          comparison.changesBetween(base, contract, operationsIn(contracts)).map(besideBaseline(operations)),
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

/** Leaves out what the baseline does not show as served: without an accepted call, a refused one shows nothing. */
const besideBaseline =
  (operations: Certificate["operations"]) =>
  (change: ContractChange): ContractChange =>
    change.called === undefined ||
    operations.some((one) => one.operationId === change.called && isServed(one))
      ? change
      : { ...change, untried: `the baseline has no accepted call of ${change.called}` };

const isServed = ({ statuses }: Certificate["operations"][number]): boolean =>
  statuses.some(({ status, observed }) => status >= 200 && status < 300 && observed > 0);

/** Returns the document that a run used: the provider's, or the user's. */
const documentIn = (contract: Certificate["contracts"][number] | undefined): Contract["provider"] => {
  const { version = "", provider = null, document: file, documentDigest: digest } = contract ?? {};
  return file === undefined || digest === undefined ? provider : { file, version, digest };
};

/** Returns the contract with the document of a file. @returns `undefined` if there is no such document */
export const knownVersion = async (contract: Contract, file: string): Promise<Contract | undefined> => {
  try {
    return await versionAt(contract, file);
  } catch (error) {
    if (error instanceof ContractError) return undefined;
    throw error;
  }
};
