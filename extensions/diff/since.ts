/** `--since OLD`: limits a run to the operations that a new version of a provider's document affects. */
import type { Command } from "commander";
import { withChanges } from "../../helpers/contract/changes.ts";
import type { Contract } from "../../helpers/contract/contract.ts";
import type { ContractChange } from "../../helpers/contract/contract-change.ts";
import type { Upgrade } from "../../helpers/contract/documents/upgrade.ts";
import type { Selection } from "../../helpers/trials/run-info.ts";
import { upgradedService } from "../../runner/command/since.ts";
import { type Narrowable, type Narrowed, versionAt } from "../../runner/extensions.ts";

export const addOptions = (command: Command): Command =>
  command
    .option("--since <file>", "the document that --contract replaces: test only what the upgrade changes")
    .addHelpText("after", HELP);

const HELP = `
With --since a run tries only requirements that the changes between the documents touch: new and changed ones, and
those about operations that a breaking or undecided change reaches. It reports their share of all requirements.
Each breaking change is a requirement of level gap: the run sends the request that only the old document allows, or looks
for the answer that it does not describe. If the server no longer does what the old document promises, this is an
advisory, and a regression with --baseline.
Without a target, the run predicts what clients of the old document lose: the embedded sandbox serves the new document,
and with --fail-on advisory the run exits with 1.
An upgrade that changes no operation leaves nothing to try: it exits with 3.`;

/** Loads the comparison of documents only when it is needed. */
export const narrow = async (
  flags: { readonly since?: string },
  { files, load, select, operationsIn }: Narrowable,
): Promise<Narrowed | undefined> => {
  const service = upgradedService(flags, files);
  if (service === undefined || flags.since === undefined) return undefined;
  const [revision] = (await load([service])) as readonly [Contract];
  const base = await versionAt(revision, flags.since);
  const [{ upgradeOf }, { changesBetween }] = await Promise.all([
    import("./upgrade.ts"),
    import("./comparison.ts"),
  ]);
  const upgrade = upgradeOf(base, revision);
  const changes = changesBetween(base, revision, operationsIn([revision]));
  const contracts = [withChanges(revision, base, changes)];
  const selection = narrowed(select(contracts), upgrade, changes);
  return { contracts, selection, upgrade, nothing: nothingTouched(upgrade, selection) };
};

/** Returns the part of the user's selection that the changes of the upgrade touch. */
export const narrowed = (
  selection: Selection | null,
  { touched, share }: Upgrade,
  changes: readonly Pick<ContractChange, "requirement">[] = [],
): Selection => {
  const { operations, requirements, ...rest } = selection ?? {};
  const chosen = (ids: readonly string[], wanted: readonly string[] | undefined) =>
    wanted === undefined ? ids : ids.filter((id) => wanted.includes(id));
  return {
    ...rest,
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
