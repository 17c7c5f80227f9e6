/** `--since OLD`: limits a run to the operations that a new version of a provider's document affects. */
import type { Command } from "commander";
import { commandName } from "../../helpers/contract/code.ts";
import type { Contract, Service } from "../../helpers/contract/contract.ts";
import type { ContractChange } from "../../helpers/contract/contract-change.ts";
import { loadContract } from "../../helpers/contract/load.ts";
import { isFromDocument } from "../../helpers/contract/services.ts";
import type { Upgrade, UpgradedContracts } from "../../helpers/diff/upgrade.ts";
import { ConfigurationError } from "../../helpers/target/load-target.ts";
import type { Selection } from "../../helpers/trials/run-info.ts";

export interface SinceFlags {
  readonly since?: string;
  readonly predict?: true;
}

export const addSinceOptions = (command: Command): Command =>
  command
    .option("--since <file>", "the document that --contract replaces: test only what the upgrade changes")
    .option(
      "--predict",
      "with --since: report, on the embedded sandbox, what clients of the old document lose",
    );

export const SINCE_HELP = `
With --since a run tries the requirements that the changes between the documents touch, and no others: new and changed
ones, and those about operations that a breaking or undecided change reaches. It reports their share of all requirements. With --predict it judges by the old document, first on a sandbox
that serves the old document, then on a sandbox that serves the new one: a verdict is lost if it passes only on the
first. A lost verdict, or a breaking change that no verdict shows, exits with 1 (prediction.json has the details).
Each breaking change is a requirement of level gap: the run sends the request that only the old document allows, or looks
for the answer that it does not describe. What the new version takes back is an advisory, and a regression with --baseline.
An upgrade that changes no operation leaves nothing to try: it exits with 3.`;

/** @throws ConfigurationError when a flag cannot be combined with --predict */
export const refuseForPrediction = (flags: SinceFlags & { readonly [name: string]: unknown }): void => {
  if (!flags.predict) return;
  if (flags.since === undefined) {
    throw new ConfigurationError("--predict needs --since: the document before the upgrade.");
  }
  const other = NOT_PREDICTED.find((name) => flags[name] !== undefined);
  if (other !== undefined) {
    throw new ConfigurationError(`--predict runs on two embedded sandboxes: leave --${other} out.`);
  }
};

const NOT_PREDICTED = ["target", "issuer", "shard", "plan", "accept", "baseline", "sign", "events", "sarif"];

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
export const readUpgrade = async (
  contracts: UpgradedContracts,
  side: "base" | "revision",
): Promise<Upgrade> => (await import("../../helpers/diff/upgrade.ts")).upgradeOf(contracts, side);

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

/** Returns the part of the user's selection that the upgrade may affect, also through other operations. */
export const reached = (selection: Selection | null, { touched, hanging: dependent }: Upgrade): Selection => {
  const { operations, requirements } = selection ?? {};
  const affected = [...touched, ...dependent];
  return {
    operations: operations === undefined ? affected : affected.filter((id) => operations.includes(id)),
    ...(requirements && { requirements }),
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
