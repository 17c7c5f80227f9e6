/** Tells how the requirements of callers and of listeners are tried. */
import { commandName, commandWith } from "../../helpers/contract/code.ts";
import type { Contract } from "../../helpers/contract/contract.ts";
import { NOT_OBSERVABLE } from "../../reports/register.ts";
import { callerPolicies } from "../caller/policies.ts";
import { listenerKinds } from "../listener/listen.ts";

/** Returns in words how each requirement is tried that has a check of callers or a probe of listeners, by its id. */
export const halfTrials = async (contracts: readonly Contract[]): Promise<ReadonlyMap<string, string>> => {
  const tried = new Map<string, string>();
  for (const { service, checks, unseen } of await callerPolicies(contracts)) {
    for (const { requirement } of checks) tried.set(`${service}.${requirement}`, FROM_TRAFFIC);
    for (const requirement of Object.keys(unseen)) tried.set(`${service}.${requirement}`, NOT_OBSERVABLE);
  }
  for (const { kind, service, requirements } of await listenerKinds()) {
    for (const requirement of Object.values(requirements)) {
      tried.set(`${service}.${requirement}`, `with ${commandWith("certify")} --listener URL --kind ${kind}`);
    }
  }
  return tried;
};

const FROM_TRAFFIC = `with ${commandName("proxy")}, or ${commandName("judge")} with recorded traffic`;
