/** Tells how the requirements of callers and listeners are tried. */
import { commandName, commandWith } from "../../../helpers/contract/code.ts";
import type { Contract } from "../../../helpers/contract/contract.ts";
import { NOT_OBSERVABLE } from "../../../reports/render/register.ts";
import { listenerKinds } from "./listen.ts";
import { callerPolicies } from "./policies.ts";

export const halfTrials = async (contracts: readonly Contract[]): Promise<ReadonlyMap<string, string>> => {
  const tried = new Map<string, string>();
  for (const { service, checks, unseen } of await callerPolicies(contracts)) {
    for (const id of checks.flatMap(Object.keys)) tried.set(`${service}.${id}`, FROM_TRAFFIC);
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
