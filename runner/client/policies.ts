/** Loads what the folders of the services say about callers. */

import { existsSync } from "node:fs";
import type { CallerPolicy } from "../../helpers/client/check.ts";
import { codeFile } from "../../helpers/contract/code.ts";
import type { Contract, Service } from "../../helpers/contract/contract.ts";

/** Returns the policies of the services that have one. */
export const callerPolicies = async (contracts: readonly Contract[]): Promise<CallerPolicy[]> => {
  const all = await Promise.all(
    contracts.map(({ service }) => load<{ callerPolicy: CallerPolicy }>(service, "policy.ts")),
  );
  return all.flatMap((one) => (one === undefined ? [] : [one.callerPolicy]));
};

/** Loads a file of `fixtures/SERVICE/caller`; `undefined` when the service has no such file. */
export const load = async <Module>(service: Service, file: string): Promise<Module | undefined> => {
  const path = codeFile(`../../fixtures/${service}/caller/${file}`);
  if (!existsSync(new URL(path, import.meta.url))) return undefined;
  return (await import(`../../fixtures/${service}/caller/${file}`)) as Module;
};
