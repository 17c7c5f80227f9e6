/** A tenant: an isolated copy of every service's state, with faults of its own, under a prefix of the base URLs. */
import type { Contract, Service } from "../../helpers/contract/contract.ts";
import { type MovableClock, tenantClock } from "./clock.ts";
import { type Deliveries, deliveriesOf } from "./deliveries/deliveries.ts";
import type { Destinations } from "./deliveries/destinations.ts";
import { type Bends, bendsOf } from "./faults/bends.ts";
import type { Fault, PathBend } from "./faults/fault.ts";
import { type Variant, type Vary, variedBy } from "./faults/variants.ts";
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
  readonly vary: Vary;
  /** Entries of a page unless the caller or the contract says how many; each handler's own if absent. */
  readonly pageSize?: number;
}

export interface Tenant {
  /** Empty for the default tenant. */
  readonly name: string;
  readonly rooms: ReadonlyMap<Service, Room>;
  readonly paths: readonly PathBend[];
  readonly clock: MovableClock;
  readonly deliveries: Deliveries;
}

export interface TenantOpening {
  readonly name: string;
  readonly seed: number;
  readonly faults: readonly Fault[];
  /** The sandbox as it is if absent. */
  readonly variant?: Variant | undefined;
  readonly destinations: Destinations;
  /** Scheme, host and port of the sandbox, known once it listens. */
  origin(): string;
}

export const openTenant = async (
  stages: readonly Stage[],
  { name, seed, faults, variant, destinations, origin }: TenantOpening,
): Promise<Tenant> => {
  const clock = tenantClock();
  const deliveries = deliveriesOf(clock, destinations);
  const rooms = await Promise.all(
    stages.map(async (stage): Promise<[Service, Room]> => {
      const { contract, validators } = stage;
      const baseUrl = () => `${prefixed(name, origin())}${mountOf(contract)}`;
      const ids = variant === undefined ? {} : { idDigits: variant.idDigits };
      const open = await stage.service.open({ contract, seed, clock, deliveries, baseUrl, ...ids });
      const bends = bendsOf(contract, validators, faults);
      if (variant === undefined) return [contract.service, { stage, open, bends, vary: asItIs }];
      const vary = variedBy(variant, validators.flatten, stage.service);
      return [contract.service, { stage, open, bends, vary, pageSize: variant.pageSize }];
    }),
  );
  const paths = rooms.flatMap(([, room]) => room.bends.paths);
  return { name, rooms: new Map(rooms), paths, clock, deliveries };
};

const asItIs: Vary = async (answer) => answer;

/** A service whose document states no base path is mounted under its name. */
export const mountOf = ({ basePath, service }: Contract): string => basePath || `/${service}`;

/** A template of a contract as a router writes it. */
export const routeOf = (basePath: string, path: string): string =>
  `${basePath}${path.replace(/\{([^}]+)\}/g, (_, name: string) => `:${name}`)}`;

const prefixed = (name: string, origin: string): string => (name === "" ? origin : `${origin}/t/${name}`);

/** Where a client of the tenant finds each service, and with which configuration. */
export const addressesOf = (
  tenant: Tenant,
  origin: string,
): { baseUrls: Record<Service, string>; environment: Record<string, string> } => {
  const prefix = prefixed(tenant.name, origin);
  const baseUrls: Record<Service, string> = {};
  const environment: Record<string, string> = {};
  for (const [service, { stage, open, bends }] of tenant.rooms) {
    const basePath = mountOf(stage.contract);
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
