/** Loads the service folders of `mocks/` when they are needed, and lists their deviations. */
import { hasCode } from "../../helpers/contract/code.ts";
import type { Contract, Service } from "../../helpers/contract/contract.ts";
import { givenPart, missing } from "../../helpers/contract/extension.ts";
import { hasOnlyContract } from "../../helpers/contract/services.ts";
import { deviationsOf } from "./deviations/catalogue.ts";
import type { Deviation } from "./deviations/deviation.ts";
import type { ReferenceIssuer, SandboxService } from "./service.ts";

/** Returns the sandbox of a service without handlers of its own. @throws ContractError when the extension is missing */
export const serviceByConvention = async (
  name: Service,
  further: Partial<SandboxService> = {},
): Promise<SandboxService> => {
  const made = await givenPart<{ serviceByConvention(of: Service, more: typeof further): SandboxService }>(
    "sandbox",
  );
  if (made !== undefined) return made.serviceByConvention(name, further);
  throw missing(`The sandbox of ${name}`);
};

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
