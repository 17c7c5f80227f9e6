/** Tells how the requirements are tried that no run against a service tries. */
import { commandName, commandWith } from "../../../helpers/contract/code.ts";
import type { Contract } from "../../../helpers/contract/contract.ts";
import { isSelected, type Selection } from "../../../helpers/trials/run-info.ts";
import { NOT_OBSERVABLE, registerRows } from "../../../reports/render/register.ts";
import { listenerKinds } from "./listen.ts";
import { callerPolicies } from "./policies.ts";

/** Returns in words how each requirement is tried that has a check of callers or a probe of listeners, by its id. */
export const halfTrials = async (contracts: readonly Contract[]): Promise<ReadonlyMap<string, string>> => {
  const tried = new Map<string, string>();
  for (const { service, checks, unseen } of await callerPolicies(contracts)) {
    for (const { requirement } of checks) tried.set(`${service}.${requirement}`, FROM_TRAFFIC);
    for (const requirement of Object.keys(unseen)) tried.set(`${service}.${requirement}`, NOT_OBSERVABLE);
  }
  for (const { kind, service, requirements } of await listenerKinds()) {
    for (const requirement of Object.values(requirements)) {
      const how = commandWith("certify", "--listener", "URL", "--kind", kind);
      tried.set(`${service}.${requirement}`, `with ${how}`);
    }
  }
  return tried;
};

const FROM_TRAFFIC = `with ${commandName("proxy")}, or ${commandName("judge")} with recorded traffic`;

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
  how.startsWith("with ") ? `tried ${how}` : "not tried at all, because no request and no answer shows it";
