/** `--since OLD`: limits a run to the operations that a new version of a provider's document affects. */
import type { Command } from "commander";
import type { Upgrade, UpgradedContracts } from "../../extensions/diff/upgrade.ts";
import { commandName } from "../../helpers/contract/code.ts";
import type { Contract, Service } from "../../helpers/contract/contract.ts";
import type { ContractChange } from "../../helpers/contract/contract-change.ts";
import { loadContract } from "../../helpers/contract/load.ts";
import { isFromDocument } from "../../helpers/contract/services.ts";
import { ConfigurationError } from "../../helpers/target/load-target.ts";
import type { Selection } from "../../helpers/trials/run-info.ts";

export interface SinceFlags {
  readonly since?: string;
}

export const addSinceOptions = (command: Command): Command =>
  command.option(
    "--since <file>",
    "the document that --contract replaces: test only what the upgrade changes",
  );

export const SINCE_HELP = `
With --since a run tries only requirements that the changes between the documents touch: new and changed ones, and
those about operations that a breaking or undecided change reaches. It reports their share of all requirements.
Each breaking change is a requirement of level gap: the run sends the request that only the old document allows, or looks
for the answer that it does not describe. If the server no longer does what the old document promises, this is an
advisory, and a regression with --baseline.
Without a target, the run predicts what clients of the old document lose: the embedded sandbox serves the new document,
and with --fail-on advisory the run exits with 1.
An upgrade that changes no operation leaves nothing to try: it exits with 3.`;

/**
 * Returns the service whose document is replaced; `undefined` without --since.
 * @throws ConfigurationError when it is not clear which service is meant
 */
export const upgradedService = (
  { since }: SinceFlags,
  files: Readonly<Record<Service, string>>,
): Service | undefined => {
  if (since === undefined) return undefined;
  if (isFromDocument())
    throw new ConfigurationError(
      `--since is the document that --contract replaces. For --document, compare the documents with ${commandName("diff")}, and the runs with --baseline.`,
    );
  const [service, ...others] = Object.keys(files) as Service[];
  if (service !== undefined && others.length === 0) return service;
  throw new ConfigurationError(
    service === undefined
      ? "--since needs the new document as well: give it with --contract SERVICE=FILE."
      : `--since is the old document of one service: choose the service with --service (${[service, ...others].join(" or ")}).`,
  );
};

/** @param revision the contract with the new document */
export const upgradedContracts = async (
  oldFile: string,
  newFile: string,
  revision: Contract,
): Promise<UpgradedContracts> => ({
  oldFile,
  newFile,
  base: await loadContract(revision.service, { providerFile: oldFile }),
  revision,
});

/** Loads the comparison of documents only when it is needed. */
export const readUpgrade = async (contracts: UpgradedContracts): Promise<Upgrade> =>
  (await import("../../extensions/diff/upgrade.ts")).upgradeOf(contracts);

/** Returns the part of the user's selection that the changes of the upgrade touch. */
export const narrowed = (
  selection: Selection | null,
  { touched, share }: Upgrade,
  changes: readonly Pick<ContractChange, "requirement">[] = [],
): Selection => {
  const { operations, requirements } = selection ?? {};
  const chosen = (ids: readonly string[], wanted: readonly string[] | undefined) =>
    wanted === undefined ? ids : ids.filter((id) => wanted.includes(id));
  return {
    operations: chosen(touched, operations),
    requirements: chosen([...share.touched, ...changes.map(({ requirement }) => requirement)], requirements),
  };
};

/** Returns why there is nothing to try; `undefined` if there is something to try. */
export const nothingTouched = (
  upgrade: Upgrade | undefined,
  selection: Selection | null,
): string | undefined => {
  const isEmpty = selection?.operations?.length === 0 || selection?.requirements?.length === 0;
  if (upgrade === undefined || !isEmpty) return undefined;
  const what =
    upgrade.touched.length === 0 ? "no operation of the contract" : "none of the selected operations";
  return `The upgrade from ${upgrade.old.version} to ${upgrade.new.version} changes ${what}: there was nothing to try.`;
};
