/** A tenant: an isolated copy of every service's state, with faults of its own, under a prefix of the base URLs. */
import type { Contract, Service } from "../helpers/contract/contract.ts";
import { type Bends, bendsOf } from "./bends.ts";
import { realClock } from "./clock.ts";
import type { Fault, PathBend } from "./fault.ts";
import type { OpenService, SandboxService } from "./service.ts";
import type { Validators } from "./validators.ts";

/** What all tenants share of a service. */
export interface Stage {
  readonly service: SandboxService;
  readonly contract: Contract;
  readonly validators: Validators;
}

export interface Room {
  readonly stage: Stage;
  readonly open: OpenService;
  readonly bends: Bends;
}

export interface Tenant {
  /** Empty for the default tenant. */
  readonly name: string;
  readonly rooms: ReadonlyMap<Service, Room>;
  readonly paths: readonly PathBend[];
}

export const openTenant = async (
  stages: readonly Stage[],
  { name, seed, faults }: { readonly name: string; readonly seed: number; readonly faults: readonly Fault[] },
): Promise<Tenant> => {
  const rooms = await Promise.all(
    stages.map(async (stage): Promise<[Service, Room]> => {
      const { contract, validators } = stage;
      const open = await stage.service.open({ contract, seed, clock: realClock });
      return [contract.service, { stage, open, bends: bendsOf(contract, validators, faults) }];
    }),
  );
  return { name, rooms: new Map(rooms), paths: rooms.flatMap(([, room]) => room.bends.paths) };
};

/** Where a client of the tenant finds each service, and with which configuration. */
export const addressesOf = (
  tenant: Tenant,
  origin: string,
): { baseUrls: Partial<Record<Service, string>>; environment: Record<string, string> } => {
  const prefix = tenant.name === "" ? origin : `${origin}/t/${tenant.name}`;
  const baseUrls: Partial<Record<Service, string>> = {};
  const environment: Record<string, string> = {};
  for (const [service, { stage, open, bends }] of tenant.rooms) {
    const { basePath } = stage.contract;
    const served = bends.paths.find(({ documented }) => documented === basePath)?.served ?? basePath;
    const baseUrl = `${prefix}${served}`;
    baseUrls[service] = baseUrl;
    Object.assign(environment, open.environment(baseUrl));
  }
  return { baseUrls, environment };
};

/** The documented path of a requested one, where a fault serves it elsewhere. */
export const documentedPath = (paths: readonly PathBend[], requested: string): string =>
  paths.reduce((path, { documented, served }) => {
    if (path.startsWith(documented)) return `${documented}/unserved`;
    return path.startsWith(served) ? `${documented}${path.slice(served.length)}` : path;
  }, requested);
