/** Loads the service folders of `mocks/` when they are needed, and lists their deviations. */

import { serviceByConvention } from "../../extensions/document/sandbox/by-convention.ts";
import { hasCode } from "../../helpers/contract/code.ts";
import type { Contract, Service } from "../../helpers/contract/contract.ts";
import { hasOnlyContract } from "../../helpers/contract/services.ts";
import { deviationsOf } from "./deviations/catalogue.ts";
import type { Deviation } from "./deviations/deviation.ts";
import type { ReferenceIssuer, SandboxService } from "./service.ts";

/** @throws Error when there is no sandbox for the service */
export const sandboxService = async (name: Service): Promise<SandboxService> => {
  if (hasOnlyContract(name)) return serviceByConvention(name);
  assertExists(name, "service.ts");
  return ((await import(`../${name}/service.ts`)) as { readonly service: SandboxService }).service;
};

/** @throws Error when there is no sandbox for one of the services */
export const listDeviations = async (contracts: readonly Contract[]): Promise<Deviation[]> => {
  const lists = contracts.map(async (contract) =>
    deviationsOf(contract, await sandboxService(contract.service)),
  );
  return (await Promise.all(lists)).flat();
};

export const startIssuer = async (name: Service): Promise<ReferenceIssuer> => {
  assertExists(name, "issuer.ts");
  return (
    (await import(`../${name}/issuer.ts`)) as { startIssuer(): Promise<ReferenceIssuer> }
  ).startIssuer();
};

const assertExists = (name: Service, file: string): void => {
  if (hasCode(`mocks/${name}/${file}`)) return;
  throw new Error(`There is no sandbox for the service "${name}": mocks/${name}/${file} is missing. Add it.`);
};
