/** Tells how the requirements are tried that no run against a service tries. */
import type { Contract } from "../helpers/contract/contract.ts";
import { isSelected, type Selection } from "../helpers/trials/run-info.ts";
import { NOT_OBSERVABLE, registerRows } from "../reports/render/register.ts";
import { partAt } from "./extensions.ts";

/** Returns in words how each requirement is tried, by its id. Nothing tells it if the extension is missing. */
export const halfTrials = async (contracts: readonly Contract[]): Promise<ReadonlyMap<string, string>> =>
  (await partAt("halves"))?.halfTrials(contracts) ?? new Map();

/** Returns how the selected requirements are tried, if no trial of a run against a service declares any of them. */
export const triedElsewhere = async (
  contracts: readonly Contract[],
  selection: Selection,
): Promise<string | undefined> => {
  const selected = contracts.flatMap(({ requirements }) =>
    requirements.filter((requirement) => isSelected(selection, requirement)),
  );
  if (selected.some(({ subject, observable }) => subject === "service" && observable !== "not-observable"))
    return undefined;
  const tried = new Map(
    registerRows(contracts, await halfTrials(contracts)).map((row) => [row.id, row.tried] as const),
  );
  return selected
    .map(({ id }) => `No trial of a service declares ${id}. It is ${triedBy(tried.get(id) ?? "")}.`)
    .join("\n");
};

const triedBy = (how: string): string =>
  how === NOT_OBSERVABLE
    ? "not tried at all, because no request and no answer shows it"
    : how.replace(/^with /, "tried with ");
