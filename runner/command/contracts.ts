/** The contracts of a command: built-in, or with the provider's documents in place of assumed shapes. */
import type { Contract, Service } from "../../helpers/contract/contract.ts";
import { type LoadOptions, loadContract } from "../../helpers/contract/load.ts";
import { isDropped } from "../../helpers/contract/provider/dropped-statuses.ts";
import { loadOptionsOf } from "../../helpers/target/bindings.ts";
import { contractName } from "../../helpers/target/names.ts";
import { note } from "../../reports/print.ts";
import { openedSource } from "../extensions.ts";

/**
 * @param flags `--contract SERVICE=FILE`; they override the configuration
 * @param values the configuration, with `<SERVICE>_CONTRACT` of each service
 */
export const providerFiles = (
  services: readonly Service[],
  flags: Readonly<Record<Service, string>>,
  values: Readonly<Record<string, string | undefined>>,
): Readonly<Record<Service, string>> =>
  Object.fromEntries(
    services.flatMap((service) => {
      const file = flags[service] ?? values[contractName(service)];
      return file ? [[service, file]] : [];
    }),
  );

/**
 * Loads the contracts. For each provider's document, lists missing and added operations on stderr in one line.
 * @param bindings the path of the user's bindings, of which some may correct what a provider's document is taken to name
 * @throws ContractError when a document is invalid
 */
export const loadContracts = async (
  services: readonly Service[],
  files: Readonly<Record<Service, string>>,
  { bindings, ...options }: Pick<LoadOptions, "build"> & { readonly bindings?: string | undefined } = {},
): Promise<Contract[]> => {
  const { madeFrom } = openedSource() ?? {};
  const contracts = await Promise.all(
    services.map((service) =>
      loadContract(service, { ...options, madeFrom, ...loadOptionsOf(files[service], bindings) }),
    ),
  );
  for (const contract of contracts) {
    const line = differencesOf(contract);
    if (line !== undefined) note(`${line}\n`);
  }
  return contracts;
};

/** Lists on stderr the fields of answers whose values the sandbox invents, in one line for each contract. */
export const showInvented = (contracts: readonly Contract[]): void => {
  for (const { service, differences } of contracts) {
    const fields = [...new Set(differences.invented)];
    if (fields.length === 0) continue;
    const more = fields.length > MOST_SHOWN ? ` and ${fields.length - MOST_SHOWN} more` : "";
    note(`${service}: the sandbox invents the values of ${fields.slice(0, MOST_SHOWN).join(", ")}${more}.\n`);
  }
};

const MOST_SHOWN = 40;

const differencesOf = ({ service, provider, differences, requirements }: Contract): string | undefined => {
  if (provider === null) return undefined;
  const { lacking, added, statuses } = differences;
  const dropped = requirements.filter((one) => isDropped(one, statuses)).map(({ id }) => id);
  const parts = [
    listed("lacks", lacking),
    listed("adds", added),
    dropped.length === 0
      ? undefined
      : `lists no such status as the contract for ${dropped.join(", ")}: the documents contradict each other, so a violation is an advisory`,
  ].filter((part) => part !== undefined);
  const words = parts.length === 0 ? "has the same operations as the contract" : parts.join("; ");
  return `${service}: the provider's document ${provider.version} ${words}.`;
};

const listed = (verb: string, operations: readonly string[]): string | undefined =>
  operations.length === 0 ? undefined : `${verb} ${operations.length} operations: ${operations.join(", ")}`;
